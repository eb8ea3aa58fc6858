"""Files of many pages, as other programs have written them."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from random import Random
from typing import Any

from fuzzing import archives
from fuzzing.mutation import chance_of, plain
from fuzzing.promises import promise
from fuzzing.reading import FOLDER, Target, chances, written
from victorpy.errors import VictorError
from victorpy.pipeline import grouping
from victorpy.sources import COLUMNS, SOURCES, PageColumns, RawPage, archive_records

LARGEST_PAGE = 1 << 20


def check_raw(page: RawPage) -> None:
    promise(page.data is not None or page.problem, f"neither data nor a problem: {replace(page, data=None)}")
    promise(page.data is None or len(page.data) <= LARGEST_PAGE, "more data than was asked for")
    promise(isinstance(page.id, str) and isinstance(page.path, str), "an id or path that is none")
    promise(page.url is None or isinstance(page.url, str), "an address that is none")
    promise(page.charset is None or isinstance(page.charset, str), "an encoding that is none")


def _check_source(name: str, data: bytes) -> None:
    columns = chance_of(data).choice((COLUMNS, COLUMNS, PageColumns("content", "address", "name")))
    _check_read(name, str(written(f"x.{name}", data)), columns)


def _check_read(name: str, path: str, columns: PageColumns = COLUMNS) -> None:
    for page in SOURCES[name].read(path, columns, LARGEST_PAGE):
        if isinstance(page, VictorError):
            promise(page.place, "an error without a place")
        else:
            check_raw(page)


def _check_records(data: bytes) -> None:
    path = str(written("x.archive", data))
    for number, record in enumerate(archive_records.records(path)):
        promise(number <= 2 * len(data) + 1, "records without an end")
        if isinstance(record, archive_records.DamageError):
            promise(record.place, "an error without a place")
            continue
        with suppress(archive_records.IncompleteError):
            promise(sum(map(len, record.pieces())), "a record of nothing")


def _check_grouping(data: bytes) -> None:
    """All that is read is there, or told of."""
    path, folder = written("x.archive", data), FOLDER / "grouped"
    for file in folder.glob("*"):
        file.unlink()
    by = chance_of(data).choice(grouping.GROUPS)
    totals = grouping.group([str(path)], folder, grouping.Grouping(by, 2, 100_000))
    there = sum(1 for file in sorted(folder.glob("*.warc.gz")) for _ in archive_records.records(str(file)))
    promise(there == totals.written, "records that were written are not read again")


def _check_rows(data: bytes) -> None:
    """A table whose columns are of any types."""
    import pyarrow  # noqa: PLC0415
    from pyarrow import parquet  # noqa: PLC0415

    chance = chance_of(data)
    names = [chance.choice(("html", "url", "id", "other")) for _ in range(chance.choice((1, 2, 3, 4)))]
    rows = chance.choice((0, 1, 3, 100))
    try:
        path = written("x.parquet", b"")
        parquet.write_table(pyarrow.table([_column(chance, rows) for _ in names], names), path)
    except (pyarrow.ArrowException, ValueError, OverflowError):
        return  # what cannot be written nobody has to read
    _check_read("parquet", str(path))


def _column(chance: Random, rows: int) -> Any:
    import pyarrow as arrow  # noqa: PLC0415

    text, number = arrow.string(), chance.randrange(1 << 62)
    values, kinds = chance.choice(
        (
            (
                (None, "", "<p>a", "\N{PILE OF POO}"),
                (text, arrow.large_string(), arrow.dictionary(arrow.int32(), text)),
            ),
            ((None, b"", b"<p>a", b"\xff"), (arrow.binary(), arrow.large_binary())),
            ((None, 0, -1, number), (arrow.int64(), arrow.duration("ns"), arrow.date64(), arrow.time64("ns"))),
            ((None, 0, -1, number), (arrow.timestamp("s"), arrow.timestamp("ns"), arrow.timestamp("us", "+99:00"))),
            ((None, 0, -1, number >> 31), (arrow.int32(), arrow.date32(), arrow.time32("s"))),
            ((None, 0.5, float("nan"), 1e300), (arrow.float64(), arrow.float32())),
            ((None, [], ["a", None]), (arrow.list_(text), arrow.large_list(text))),
            ((None, {"html": "a", "url": 1}), (arrow.struct([("html", text), ("url", arrow.int8())]),)),
            ((None, [("a", 1)]), (arrow.map_(text, arrow.int64()),)),
            ((None, True), (arrow.bool_(),)),
            ((None,), (arrow.null(), arrow.decimal128(38, 10), text)),
        )
    )
    return arrow.array([chance.choice(values) for _ in range(rows)], chance.choice(kinds))


def _source(name: str, seeds: Callable[[], list[bytes]], kind: str = "") -> Target:
    return Target(partial(_check_source, name), seeds, plain, kind)


def _both() -> list[bytes]:
    return [*archives.warcs(), *archives.arcs()]


FILES: dict[str, Target] = {
    "warc": _source("warc", archives.warcs, "archives"),
    "arc": _source("arc", archives.arcs, "archives"),
    "jsonl": _source("jsonl", archives.tables),
    "parquet": _source("parquet", archives.parquets),
    "rows": Target(_check_rows, chances, is_chance=True),
    "records": Target(_check_records, _both, plain, "archives"),
    "grouping": Target(_check_grouping, _both, plain, "archives"),
}
