"""Tables of pages: pandas in, pandas out, a row for each row."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from victorpy.errors import UsageError
from victorpy.output.escapes import printable
from victorpy.output.outcome import Outcome
from victorpy.page.metadata import FIELD_NAMES
from victorpy.pipeline.adapters.cleaning import Cleaning, page_of
from victorpy.sources import PageColumns, RawPage

if TYPE_CHECKING:
    import pandas as pd

# Only filters find a language, and adapters clean without filters.
_METADATA = tuple(name for name in FIELD_NAMES if name not in ("language", "html_title"))

# New fields of the metadata follow the reason.
MADE = tuple(dict.fromkeys(("id", "url", "text", "title", "status", "reason", *_METADATA)))


@dataclass(frozen=True)
class FrameCleaner(Cleaning):
    """Cleans the pages in a column of a table. The columns in `keep` follow the new ones.

    If `id` or `url` is not given, the column of this name is used, if there is one.
    """

    html: str = "html"
    url: str | None = None
    id: str | None = None
    keep: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        if twice := [name for name in self.keep if name in self.made]:
            raise UsageError(f"keep: '{twice[0]}' is a new column of the result ({', '.join(self.made)})")

    @property
    def made(self) -> tuple[str, ...]:
        """The new columns."""
        return made_columns(self.columns)

    def __call__(self, frame: "pd.DataFrame") -> "pd.DataFrame":
        import pandas as pd  # noqa: PLC0415

        rows = [_row(outcome, self.made) for outcome in self.outcomes(self._pages(frame))]
        made = pd.DataFrame(rows, frame.index, self.made, dtype="string")
        return made.assign(**{name: frame[name] for name in self.keep})

    def _pages(self, frame: "pd.DataFrame") -> Iterator[RawPage]:
        columns = PageColumns(self.html, self.url, self.id)
        there = list(frame.columns)
        if missing := columns.missing(there) or next((name for name in self.keep if name not in there), None):
            raise UsageError(f"no column '{missing}'; there are {', '.join(map(str, there)) or 'none'}")
        used = [name for name in columns.names if name in there]
        for number, values in enumerate(zip(*(_values(frame[name]) for name in used), strict=True), 1):
            yield page_of(dict(zip(used, values, strict=True)), columns, f"row {number}")


def made_columns(columns: Sequence[str]) -> tuple[str, ...]:
    """The new columns of a table with these texts, which follow the others."""
    return tuple(dict.fromkeys((*(name for name in MADE if name != "text" or "text" in columns), *columns)))


def _values(column: "pd.Series[Any]") -> "pd.Series[Any]":
    """The values of a column, with None for those that are missing."""
    values = column.astype(object)
    return values.where(values.notna(), None)


def _row(outcome: Outcome, names: Sequence[str] = MADE) -> tuple[str | None, ...]:
    known = {"title": ""} | outcome.metadata.known()
    facts = {"id": outcome.id or None, "text": outcome.text, "status": outcome.status, "reason": outcome.reason} | known
    facts |= outcome.columns
    # Arrow refuses half characters.
    return tuple(value and printable(value) for value in map(facts.get, names))
