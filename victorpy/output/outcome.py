"""The outcome of a page, whether or not it was cleaned."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from victorpy.output.cleaned import Status
from victorpy.page.metadata import Metadata
from victorpy.sources import RawPage


# Without slots, because outcomes are pickled: a class with slots takes twice the time.
@dataclass(frozen=True, kw_only=True)
class Outcome:
    """The formatted text of a page, or the reason why there is none.

    `fallback` is the method that was used instead of the labeler's usual one, if any. `columns` are texts in other
    forms, by name, for outputs with a column for each. `raw` holds the bytes of a failed page that is no file. `record`
    and `date` are the id and the date of the page's record in a web archive. `size` is the number of bytes of a page
    that was cleaned, and `is_text` says that it is plain text.
    """

    id: str
    path: str
    status: Status
    reason: str = ""
    fallback: str = ""
    text: str = ""
    columns: Mapping[str, str] = field(default_factory=dict)
    encoding: str = ""
    replaced: int = 0
    metadata: Metadata = field(default_factory=Metadata)
    confidence: float | None = None
    record: str = ""
    date: str = ""
    raw: RawPage | None = None
    size: int = 0
    is_text: bool = False
