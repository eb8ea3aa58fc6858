"""The sink for Parquet: a row for every page, also for pages that could not be cleaned."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO, Any

from victorpy.foundation.optional import pyarrow
from victorpy.output.cleaned import rounded
from victorpy.output.escapes import printable
from victorpy.output.format_options import DEFAULT_OPTIONS, FormatOptions
from victorpy.output.outcome import Outcome
from victorpy.page.metadata import FIELD_NAMES, LISTS

# New fields of the metadata follow the language.
_FIRST = ("id", "url", "title", "status", "reason", "encoding")
COLUMNS = tuple(dict.fromkeys((*_FIRST, *FIELD_NAMES, "confidence", "record", "date", "text")))

_OF_OUTCOMES = ("id", "status", "reason", "encoding", "record", "date")

# A row group is in memory while it is read or written.
_MOST_ROWS = 10_000
_MOST_CHARACTERS = 16_000_000


@contextmanager
def opened(file: IO[bytes], _: str, options: FormatOptions = DEFAULT_OPTIONS) -> Iterator[Callable[[Outcome], None]]:
    """Parquet is compressed, whatever the name of the file."""
    arrow = pyarrow()
    names = dict.fromkeys((*(name for name in COLUMNS if name != "text"), *options.columns))
    schema = arrow.schema([(name, _type_of(name)) for name in names])
    with arrow.parquet.ParquetWriter(file, schema, compression="zstd") as writer:
        rows = _RowGroup(writer, schema)
        yield rows.add
        rows.write()


def _type_of(column: str) -> Any:
    arrow = pyarrow()
    if column == "confidence":
        return arrow.float64()
    return arrow.list_(arrow.string()) if column in LISTS else arrow.string()


class _RowGroup:
    """The rows that are written next."""

    def __init__(self, writer: Any, schema: Any):
        self.writer, self.schema = writer, schema
        self.rows: list[dict[str, Any]] = []
        self.characters = 0

    def add(self, outcome: Outcome) -> None:
        self.rows.append(_row(outcome))
        self.characters += len(outcome.text) + sum(map(len, outcome.columns.values()))
        if len(self.rows) == _MOST_ROWS or self.characters > _MOST_CHARACTERS:
            self.write()

    def write(self) -> None:
        if self.rows:
            self.writer.write_table(pyarrow().Table.from_pylist(self.rows, self.schema))
            self.rows.clear()
            self.characters = 0


def _row(outcome: Outcome) -> dict[str, Any]:
    """A value that is not known is null."""
    facts = {name: getattr(outcome, name) for name in _OF_OUTCOMES} | outcome.metadata.values()
    row = {name: _printable(value) if value else None for name, value in facts.items()}
    columns = {name: printable(text) for name, text in outcome.columns.items()}
    return row | columns | {"confidence": rounded(outcome.confidence), "text": printable(outcome.text)}


def _printable(value: str | tuple[str, ...]) -> str | list[str]:
    return printable(value) if isinstance(value, str) else list(map(printable, value))
