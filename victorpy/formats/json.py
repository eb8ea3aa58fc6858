"""All that is known of a page, for programs."""

from json import dumps
from typing import Any

from victorpy.cleaned import Cleaned
from victorpy.formats.characters import printable
from victorpy.formats.text import text


def json(cleaned: Cleaned) -> str:
    """One object over many lines."""
    return dumps(record(cleaned), ensure_ascii=False, indent=1) + "\n"


def record(cleaned: Cleaned) -> dict[str, Any]:
    return {
        "id": printable(cleaned.page.id),
        "url": None if cleaned.url is None else printable(cleaned.url),
        "title": printable(cleaned.title),
        "status": cleaned.status,
        "reason": printable(cleaned.reason),
        "confidence": _rounded(cleaned.confidence),
        "encoding": cleaned.encoding,
        "replaced": cleaned.replaced,
        "model": cleaned.model,
        "text": text(cleaned),
        "blocks": [
            {
                "id": block.id,
                "label": block.label,
                "text": printable(block.text),
                "probability": _rounded(block.probability),
            }
            for block in cleaned.blocks
        ],
        "passages": [
            {"label": passage.label, "text": printable(passage.text), "blocks": passage.blocks}
            for passage in cleaned.passages
        ],
    }


def _rounded(probability: float | None) -> float | None:
    # A column of float32 gives numbers that JSON does not know.
    return None if probability is None else round(float(probability), 6)
