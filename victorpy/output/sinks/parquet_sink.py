"""Parquet: a row for every page, also for one that could not be cleaned."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO, Any

from victorpy.foundation.optional import pyarrow
from victorpy.output.formats.escapes import printable
from victorpy.output.outcome import Outcome

COLUMNS = ("id", "url", "title", "status", "reason", "encoding", "language", "confidence", "record", "date", "text")

_NUMBERS = frozenset({"confidence"})

# A row group is read whole, and held whole while it is written.
_MOST_ROWS = 10_000
_MOST_CHARACTERS = 16_000_000


@contextmanager
def opened(file: IO[bytes], _: str) -> Iterator[Callable[[Outcome], None]]:
    """Packs what it writes, whatever the name of the file."""
    arrow = pyarrow()
    schema = arrow.schema([(name, arrow.float64() if name in _NUMBERS else arrow.string()) for name in COLUMNS])
    with arrow.parquet.ParquetWriter(file, schema, compression="zstd") as writer:
        rows = _Rows(writer, schema)
        yield rows.add
        rows.write()


class _Rows:
    """The rows of the next row group."""

    def __init__(self, writer: Any, schema: Any):
        self.writer, self.schema = writer, schema
        self.held: list[dict[str, str | float | None]] = []
        self.characters = 0

    def add(self, outcome: Outcome) -> None:
        self.held.append(_row(outcome))
        self.characters += len(outcome.text)
        if len(self.held) == _MOST_ROWS or self.characters > _MOST_CHARACTERS:
            self.write()

    def write(self) -> None:
        if self.held:
            self.writer.write_table(pyarrow().Table.from_pylist(self.held, self.schema))
            self.held.clear()
            self.characters = 0


def _row(outcome: Outcome) -> dict[str, str | float | None]:
    """What is not known is null."""
    texts = {name: getattr(outcome, name) for name in COLUMNS if name not in _NUMBERS}
    row = {name: printable(value) if value or name == "text" else None for name, value in texts.items()}
    # As many digits as JSON has.
    return row | {"confidence": None if outcome.confidence is None else round(outcome.confidence, 6)}
