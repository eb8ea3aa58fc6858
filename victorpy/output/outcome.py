"""How a page ended, whatever became of it."""

from typing import NamedTuple

from victorpy.output.cleaned import Status
from victorpy.sources import RawPage


class Outcome(NamedTuple):
    """How a page ended: the formatted text, or why there is none and, unless a file has them, its bytes.

    `record` and `date` are those of the web archive's record that the page stood in, `language` and `confidence` those
    of the cleaned page."""

    id: str
    path: str
    status: Status
    reason: str = ""
    text: str = ""
    encoding: str = ""
    replaced: int = 0
    url: str | None = None
    raw: RawPage | None = None
    title: str = ""
    record: str = ""
    date: str = ""
    language: str = ""
    confidence: float | None = None
