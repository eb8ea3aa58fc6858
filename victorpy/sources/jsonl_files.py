"""JSON Lines: each line is an object with a page."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import IO, Any

from victorpy.errors import VictorError
from victorpy.foundation.compression import STREAM_ERRORS, bare_name, unpacked
from victorpy.sources.raw_pages import MAX_BYTES, RawPage, read_problem, too_large
from victorpy.sources.table_columns import COLUMNS, PageColumns

# Space for other fields. JSON may make the page itself six times as long.
_REST = 1 << 20
_STEP = 1 << 20
# A line with more values is not a page with its metadata, and would take gigabytes.
_MOST_VALUES = 10_000_000
# If so many lines at the beginning have no such column, the column has another name.
_ENOUGH = 10
_NO_COLUMN = "no column"


def read(
    path: str, columns: PageColumns = COLUMNS, max_bytes: int = MAX_BYTES, _: Counter[str] | None = None
) -> Iterator[RawPage | VictorError]:
    """A page for each line; a line without a page gives a page with a problem.

    If no line of the first ones has a column that is named, the file gives one error instead.
    """
    found = _read(path, columns, max_bytes)
    lacking = list[RawPage]()
    for page in found:
        if isinstance(page, RawPage) and page.problem.startswith(_NO_COLUMN):
            lacking.append(page)
            if len(lacking) < _ENOUGH:
                continue
            break
        yield from lacking
        yield page
        yield from found
        return
    if lacking:
        yield VictorError(f"{lacking[0].problem}: name the right one with --html-column and the like", path)


def _read(path: str, columns: PageColumns, max_bytes: int) -> Iterator[RawPage | VictorError]:
    number = 0
    try:
        with open(path, "rb") as file:
            for number, line in enumerate(_lines(unpacked(file), 6 * max_bytes + _REST), 1):
                if len(line) > 6 * max_bytes + _REST or _has_too_many_values(line):
                    yield replace(_named(path, number), problem=too_large(max_bytes), is_too_large=True)
                elif line.strip():
                    yield replace(_page(path, number, line, columns, max_bytes), offset=file.tell())
            if not number:
                yield VictorError("the file is empty", path)
    except STREAM_ERRORS as error:
        yield VictorError(f"{read_problem(error)}, after line {number}" if number else read_problem(error), path)


def _lines(stream: IO[bytes], longest: int) -> Iterator[bytes]:
    """The lines of a stream; a line that is too long is cut off after one byte too many."""
    while line := stream.readline(longest + 1):
        is_too_long = len(line) > longest and not line.endswith(b"\n")
        yield line
        while is_too_long and (line := stream.readline(_STEP)):
            is_too_long = not line.endswith(b"\n")


def _has_too_many_values(line: bytes) -> bool:
    """Count what precedes each value: a comma or an opening bracket. Text adds some, but a page is not made of them."""
    return len(line) > _MOST_VALUES and sum(map(line.count, (b",", b"[", b"{"))) > _MOST_VALUES


def _named(path: str, number: int) -> RawPage:
    return RawPage(id=f"{bare_name(path).partition('.')[0]}-{number}", path=f"{path}:{number}")


def _page(path: str, number: int, line: bytes, columns: PageColumns, max_bytes: int) -> RawPage:
    page = _named(path, number)
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        return replace(page, problem=f"not JSON: {error}")
    if not isinstance(row, dict):
        return replace(page, problem="not a JSON object")
    return of_row(page, row, columns, max_bytes)


def of_row(page: RawPage, row: dict[str, Any], columns: PageColumns, max_bytes: int = MAX_BYTES) -> RawPage:
    """The page with the values in a row of a table."""
    if missing := columns.missing(row):
        return replace(page, problem=f"{_NO_COLUMN} '{missing}'; there are {', '.join(sorted(row)) or 'none'}")
    html, url, id = (row.get(name) for name in columns.names)
    page = replace(page, id=page.id if id is None else _text(id), url=None if url is None else _text(url))
    if not isinstance(html, str | bytes):
        return replace(page, problem=f"the column '{columns.html}' contains no text")
    data = html if isinstance(html, bytes) else b"" if len(html) > max_bytes else html.encode("utf-8", "replace")
    if max(len(html), len(data)) > max_bytes:
        return replace(page, problem=too_large(max_bytes), is_too_large=True)
    return replace(page, data=data, charset=None if isinstance(html, bytes) else "utf-8")


def _text(value: Any) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
