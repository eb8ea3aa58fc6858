"""Parquet: each row is a page."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from victorpy.errors import VictorError
from victorpy.foundation.compression import bare_name
from victorpy.foundation.optional import pyarrow
from victorpy.sources.jsonl_files import of_row
from victorpy.sources.raw_pages import MAX_BYTES, RawPage, read_problem, too_large
from victorpy.sources.table_columns import COLUMNS, PageColumns

# Arrow's bytes for a cell beside its content: its offsets and its validity.
_BESIDE = 64


def read(
    path: str, columns: PageColumns = COLUMNS, max_bytes: int = MAX_BYTES, _: Counter[str] | None = None
) -> Iterator[RawPage | VictorError]:
    """A page for each row."""
    arrow = pyarrow()
    number = 0
    try:
        with arrow.parquet.ParquetFile(path, pre_buffer=False) as table:
            existing = table.schema_arrow.names
            if missing := columns.missing(existing):
                yield VictorError(f"no column '{missing}'; there are {', '.join(existing)}", path)
                return
            if doubled := next((name for name in columns.names if existing.count(name) > 1), None):
                yield VictorError(f"several columns are named '{doubled}'", path)
                return
            for number, row in enumerate(_rows(table, [name for name in columns.names if name in existing]), 1):
                page = RawPage(id=f"{_stem(path)}-{number}", path=f"{path}, row {number}")
                yield _page(page, row, columns, max_bytes)
    except (arrow.ArrowException, UnicodeDecodeError) as error:  # UnicodeDecodeError: a name
        yield VictorError(_cause(error, number), path)
    except OSError as error:
        yield VictorError(read_problem(error) if error.errno else _cause(error, number), path)


def _rows(table: Any, names: list[str]) -> Iterator[dict[str, Any]]:
    """For each row, columns of one cell by name, as they are in memory."""
    # One row at a time, because a dictionary can make each row as large as the file. Arrow's threads would not make it
    # faster, and they prevent forks.
    for row in table.iter_batches(1, columns=names, use_threads=False):
        if len(row):
            yield {name: _as_python_can(row.column(name)) for name in names}


def _as_python_can(column: Any) -> Any:
    """A column that Python can read: it knows neither the year 10000 nor nanoseconds. Nested values become null."""
    arrow = pyarrow()
    types, kind = arrow.types, column.type
    if types.is_dictionary(kind):
        return _as_python_can(column.dictionary_decode())
    if types.is_nested(kind) or types.is_duration(kind):
        return arrow.nulls(len(column))
    plain = column.view(arrow.timestamp(kind.unit)) if types.is_timestamp(kind) else column
    return plain.cast(arrow.string()) if types.is_temporal(kind) else plain


def _value(column: Any) -> Any:
    """The value of a cell. Text that is not UTF-8 stays bytes, because one bad page must not end the file."""
    cell = column[0]
    try:
        return cell.as_py()
    except UnicodeDecodeError:
        return cell.as_buffer().to_pybytes()


def _page(page: RawPage, row: dict[str, Any], columns: PageColumns, max_bytes: int) -> RawPage:
    large = {name for name, column in row.items() if column.nbytes > max_bytes + _BESIDE}
    # Taking a cell out of its column copies it.
    small = {name: None if name in large else _value(column) for name, column in row.items()}
    found = of_row(page, small, columns, max_bytes)
    return replace(found, data=None, problem=too_large(max_bytes), is_too_large=True) if large else found


def _stem(path: str) -> str:
    return bare_name(path).partition(".")[0]


def _cause(error: Exception, rows: int) -> str:
    said = str(error).splitlines()[0]
    return f"damaged after row {rows} ({said})" if rows else f"not a whole Parquet file ({said})"
