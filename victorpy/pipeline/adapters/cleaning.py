"""The base of all adapters: pages in, an outcome for each. Each process loads the model once."""

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple

from victorpy.errors import UsageError, suggestion
from victorpy.foundation.processes import Limits
from victorpy.output.format_options import DEFAULT_OPTIONS, FormatOptions
from victorpy.output.formats import FORMATS
from victorpy.output.outcome import Outcome
from victorpy.pipeline.batch import MAX_BYTES, SAFE, Job, Workshop
from victorpy.sources import PageColumns, RawPage
from victorpy.sources.jsonl_files import of_row


@dataclass(frozen=True)
class Cleaning:
    """How pages are cleaned. It names the model instead of holding it, so it can be sent to any worker."""

    model: str = "web"
    format: str = "text"
    decoding: Mapping[str, Any] = field(default_factory=dict)
    limits: Limits | None = SAFE
    max_bytes: int = MAX_BYTES
    columns: tuple[str, ...] = DEFAULT_OPTIONS.columns
    without: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.format not in FORMATS:
            known = ", ".join(FORMATS)
            raise UsageError(f"no format '{self.format}' (known: {known}){suggestion(self.format, FORMATS)}")
        _ = self.options

    @property
    def options(self) -> FormatOptions:
        """The options of the format; the columns besides the text come with every outcome."""
        return FormatOptions(columns=tuple(self.columns), without=tuple(self.without))

    def outcomes(self, pages: Iterable[RawPage]) -> list[Outcome]:
        """The outcome of every page, in order."""
        decoding = tuple(sorted(self.decoding.items()))
        key = _WorkshopKey(self.model, self.format, self.options, decoding, self.limits, self.max_bytes, os.getpid())
        return _workshop(key).outcomes(pages)


class _WorkshopKey(NamedTuple):
    """Selects the workshop. The process is part of the key: a fork must not use the child process of its parent."""

    model: str
    format: str
    options: FormatOptions
    decoding: tuple[tuple[str, Any], ...]
    limits: Limits | None
    max_bytes: int
    process: int


@cache
def _workshop(key: _WorkshopKey) -> Workshop:
    decoding = dict(key.decoding)
    job = Job(
        key.model,
        key.format,
        decoding=decoding,
        options=key.options,
        max_bytes=key.max_bytes,
        has_metadata=True,
    )
    return Workshop(job, key.limits)


def page_of(row: Mapping[str, Any], columns: PageColumns, place: str) -> RawPage:
    """The page of a row of any values."""
    html = row.get(columns.html)
    data = bytes(html) if isinstance(html, bytearray | memoryview) else html
    return of_row(RawPage(id="", path=place), {**row, columns.html: data}, columns)
