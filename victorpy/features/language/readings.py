"""The perplexities of the sentences of a text, of its blocks, or of the whole text."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Literal, NamedTuple

from victorpy.features.language.ngrams import LanguageModel
from victorpy.features.language.sentences import sentences

By = Literal["sentence", "block", "page"]


class Reading(NamedTuple):
    """A text, the number of its block, and its perplexity."""

    block: int
    perplexity: float
    symbols: int
    unknown: int
    text: str


def readings(blocks: Sequence[str], model: LanguageModel, by: By = "block") -> list[Reading]:
    """The perplexities in document order. A whole page has one figure and no text."""
    if by == "page":
        found = model.surprise(blocks)
        return [Reading(0, found.whole(), int(found.counts.sum()), int(found.unknown.sum()), "")]
    pieces = [
        (number, text)
        for number, block in enumerate(blocks)
        for text in (sentences(block) if by == "sentence" else [block])
    ]
    found = model.surprise([text for _, text in pieces])
    columns = zip(pieces, found.perplexities().tolist(), found.counts.tolist(), found.unknown.tolist(), strict=True)
    return [Reading(number, value, count, unknown, text) for (number, text), value, count, unknown in columns]


def kept_blocks(found: Iterable[Reading], limit: float) -> Iterator[str]:
    """The blocks without texts above the limit. A text without symbols is kept."""
    kept = (reading for reading in found if not reading.perplexity > limit)
    for _, readings in groupby(kept, key=lambda reading: reading.block):
        yield " ".join(reading.text for reading in readings)
