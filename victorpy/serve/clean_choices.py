"""What a request may choose from."""

from typing import Any, get_args

from victorpy._core import MARKDOWN_PARTS
from victorpy.foundation.resources import available
from victorpy.labelers import Untrained
from victorpy.labelers.comment_handling import COMMENTS
from victorpy.labelers.registry import LABELERS
from victorpy.models.decoding import LARGEST_BIAS
from victorpy.models.scopes import Scope
from victorpy.serve.clean_options import ASKED_FOR, METHODS
from victorpy.serve.server_settings import ServerSettings


def choices(settings: ServerSettings) -> dict[str, Any]:
    """The values of each option, for forms."""
    return {
        "model": settings.model,
        "models": sorted({settings.model, *available("models")}),
        "labelers": [name for name in LABELERS if _works_on_one_page(name)],
        "scopes": list(get_args(Scope)),
        "largest_bias": LARGEST_BIAS,
        "decode": list(METHODS),
        "comments": list(COMMENTS),
        "formats": list(ASKED_FOR),
        "without": list(MARKDOWN_PARTS),
        "max_bytes": settings.max_bytes,
        "fetches": settings.allow_fetch,
    }


def _works_on_one_page(name: str) -> bool:
    return LABELERS[name].prepared is Untrained.prepared
