"""What all adapters do: pages in, an outcome for each, by a model that each process loads once."""

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple

from victorpy.errors import UsageError, suggestion
from victorpy.foundation.processes import Limits
from victorpy.output.formats import FORMATS
from victorpy.output.outcome import Outcome
from victorpy.pipeline.batch import MAX_BYTES, SAFE, Job, Workshop
from victorpy.sources import PageColumns, RawPage
from victorpy.sources.jsonl_files import of_row


@dataclass(frozen=True)
class Cleaning:
    """How pages are cleaned; small enough to be sent to any worker, because it names the model and does not hold it."""

    model: str = "web"
    format: str = "text"
    decoding: Mapping[str, Any] = field(default_factory=dict)
    limits: Limits | None = SAFE
    max_bytes: int = MAX_BYTES

    def __post_init__(self) -> None:
        if self.format not in FORMATS:
            known = ", ".join(FORMATS)
            raise UsageError(f"no format '{self.format}' (known: {known}){suggestion(self.format, FORMATS)}")

    def outcomes(self, pages: Iterable[RawPage]) -> list[Outcome]:
        """The outcome of every page, in order."""
        decoding = tuple(sorted(self.decoding.items()))
        way = _Way(self.model, self.format, decoding, self.limits, self.max_bytes, os.getpid())
        return _workshop(way).outcomes(pages)


class _Way(NamedTuple):
    """The same way in the same process is the same workshop: a fork must not talk to the child of whom it came from."""

    model: str
    format: str
    decoding: tuple[tuple[str, Any], ...]
    limits: Limits | None
    max_bytes: int
    process: int


@cache
def _workshop(way: _Way) -> Workshop:
    return Workshop(Job(way.model, way.format, decoding=dict(way.decoding), max_bytes=way.max_bytes), way.limits)


def page_of(row: Mapping[str, Any], columns: PageColumns, place: str) -> RawPage:
    """The page of a row, whatever its values are."""
    html = row.get(columns.html)
    at_hand = bytes(html) if isinstance(html, bytearray | memoryview) else html
    return of_row(RawPage(id="", path=place), {**row, columns.html: at_hand}, columns)
