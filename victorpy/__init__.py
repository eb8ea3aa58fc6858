"""Web pages in, their text and its structure out: label text blocks with a trained model."""

from typing import TYPE_CHECKING, Any

try:
    from victorpy._core import __version__
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f"{__path__[0]} has no compiled core: run 'pip install -e .' beside it, or start Python in another folder",
        name=error.name,
    ) from None

if TYPE_CHECKING:
    from victorpy.output.cleaned import Cleaned
    from victorpy.pipeline.cleaner import Cleaner, labeler, load

__all__ = ["Cleaned", "Cleaner", "__version__", "labeler", "load"]

_HOMES = {
    "Cleaned": "victorpy.output.cleaned",
    "Cleaner": "victorpy.pipeline.cleaner",
    "labeler": "victorpy.pipeline.cleaner",
    "load": "victorpy.pipeline.cleaner",
}


def __getattr__(name: str) -> Any:
    # Imported when asked for: every command starts by importing this package, and few need all of it.
    if name not in _HOMES:
        raise AttributeError(f"module 'victorpy' has no attribute '{name}'")
    from importlib import import_module  # noqa: PLC0415

    return getattr(import_module(_HOMES[name]), name)
