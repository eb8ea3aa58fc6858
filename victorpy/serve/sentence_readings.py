"""The perplexity of the sentences of a page."""

from typing import Any

from victorpy.features.language.readings import readings
from victorpy.labelers.perplexity import Perplexity
from victorpy.output.cleaned import Cleaned


def sentence_readings(cleaned: Cleaned) -> dict[str, Any]:
    """Each sentence with the number of its block and its perplexity, and the limit of the language model."""
    judge = Perplexity()
    found = readings(cleaned.page.texts, judge.model(), "sentence")
    return {
        "language_model": judge.language_model,
        "limit": round(judge.limit(), 1),
        "sentences": [
            {
                "block": one.block,
                "perplexity": round(one.perplexity, 1) if one.symbols else None,
                "symbols": one.symbols,
                "unknown": one.unknown,
                "text": one.text,
            }
            for one in found
        ],
    }
