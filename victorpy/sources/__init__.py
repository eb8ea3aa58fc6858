"""Sources of raw pages: files with one page each, and files of many pages."""

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import IO, NamedTuple

from victorpy.errors import UsageError, VictorError
from victorpy.foundation.compression import SUFFIXES as PACKED
from victorpy.foundation.deferred import Deferred
from victorpy.foundation.files import is_device
from victorpy.sources.raw_pages import (
    ANNOTATION_SUFFIXES,
    MAX_BYTES,
    NOT_FETCHED,
    STDIN,
    SUFFIXES,
    TEXT_SUFFIXES,
    Location,
    RawPage,
    Suffixes,
    distinct,
    find_pages,
    is_page_name,
    locations,
    matching,
    page_id,
    read_page,
    read_problem,
    too_large,
    web_location,
)
from victorpy.sources.table_columns import COLUMNS, PageColumns
from victorpy.sources.web_addresses import is_address

__all__ = [
    "ANNOTATION_SUFFIXES",
    "ARCHIVES",
    "COLUMNS",
    "MAX_BYTES",
    "SINGLE",
    "SOURCES",
    "STDIN",
    "SUFFIXES",
    "TEXT",
    "TEXT_SUFFIXES",
    "Container",
    "Found",
    "Inputs",
    "Location",
    "PageColumns",
    "PathList",
    "RawPage",
    "Suffixes",
    "find_inputs",
    "find_pages",
    "pages_and_texts",
    "read_page",
    "too_large",
]


# A page to read, a page that has been read, or what could not be read.
Found = Location | RawPage | VictorError


class Source(NamedTuple):
    """A kind of file with many pages; `read` yields pages, and errors where the file is damaged.

    It counts the records that are not pages, by the reason.
    """

    suffixes: Suffixes
    read: Callable[[str, PageColumns, int, Counter[str]], Iterator[RawPage | VictorError]]


def _with_packed(*suffixes: str) -> Suffixes:
    return (*suffixes, *(f"{suffix}{packing}" for suffix in suffixes for packing in PACKED))


SOURCES: dict[str, Source] = {
    "arc": Source(_with_packed(".arc"), Deferred("sources.archive_pages:read")),
    "jsonl": Source(_with_packed(".jsonl", ".ndjson"), Deferred("sources.jsonl_files:read")),
    "parquet": Source((".parquet",), Deferred("sources.parquet_files:read")),
    "warc": Source(_with_packed(".warc"), Deferred("sources.archive_pages:read")),
}


# Formats of files that hold one page.
TEXT = "text"
SINGLE = ("html", TEXT)

# No path and no address is as long.
_LONGEST_LINE = 1 << 16

# Archives of records, which hold the addresses of their pages.
ARCHIVES = (*SOURCES["warc"].suffixes, *SOURCES["arc"].suffixes)


class Container(NamedTuple):
    """A file of many pages."""

    path: str
    source: Source


@dataclass(frozen=True)
class PathList:
    """A file with a path on each line, and after a tab its address, if it has one; `is_text` says that all are text.

    With `takes_addresses`, a line may also be the address of a page.
    """

    path: str
    is_text: bool = False
    takes_addresses: bool = False


@dataclass(frozen=True)
class Inputs:
    """All inputs in their order. The number of pages may be unknown until they are read.

    `head` is what has been read of standard input, to see what it is.
    """

    parts: Sequence[Location | Container | PathList]
    columns: PageColumns = COLUMNS
    has_folder: bool = False
    head: bytes = b""

    @property
    def locations(self) -> list[Location]:
        """The pages that are known without reading anything."""
        return [part for part in self.parts if isinstance(part, Location)]

    @property
    def paths(self) -> list[str]:
        return [part.path for part in self.parts]

    @property
    def count(self) -> int | None:
        """The number of pages, if it is known."""
        found = self.locations
        return len(found) if len(found) == len(self.parts) else None

    def with_known_stdin(self) -> "Inputs":
        """The same inputs after a look at the beginning of standard input, which may hold many pages."""
        if not any(location.path == STDIN for location in self.locations):
            return self
        from victorpy.sources.standard_input import beginning, format_of_beginning  # noqa: PLC0415

        head = beginning()
        kind = format_of_beginning(head)
        known = Container(STDIN, SOURCES[kind]) if kind else None
        parts = [known if known and part.path == STDIN else part for part in self.parts]
        return replace(self, parts=parts, head=head)

    def files(self) -> Iterator[Location | Container | VictorError]:
        """Every file, including those of lists."""
        for part in self.parts:
            if isinstance(part, PathList):
                yield from _files_of_list(part)
            else:
                yield part

    def pages(self, max_bytes: int = MAX_BYTES) -> Iterator[Found]:
        """Every page, as a location or with its bytes, and errors for what could not be read."""
        for file in self.files():
            if isinstance(file, Container):
                yield from self._pages_of(file, max_bytes)
            elif isinstance(file, Location) and file.path == STDIN and self.head:
                from victorpy.sources.standard_input import standard_page  # noqa: PLC0415

                yield replace(standard_page(self.head, file.id, max_bytes), url=file.url, is_text=file.is_text)
            else:
                yield file

    def _pages_of(self, file: Container, max_bytes: int) -> Iterator[Found]:
        if is_device(file.path):
            yield VictorError("expected a file, got a device or a pipe: send it to standard input (-)", file.path)
            return
        if file.path != STDIN:
            yield from file.source.read(file.path, self.columns, max_bytes, Counter())
            return
        from victorpy.sources.standard_input import kept_in_a_file  # noqa: PLC0415

        with kept_in_a_file(self.head) as path:
            for found in file.source.read(path, self.columns, max_bytes, Counter()):
                if isinstance(found, VictorError):
                    yield VictorError(str(found).replace(path, STDIN))
                else:
                    yield replace(found, path=found.path.replace(path, STDIN))


def find_inputs(  # noqa: PLR0913
    names: Sequence[str],
    lists: Sequence[str] = (),
    format: str | None = None,
    columns: PageColumns = COLUMNS,
    *,
    keeps_missing: bool = False,
    takes_addresses: bool = False,
) -> Inputs:
    """The inputs that the names stand for, by their endings or in the given format."""
    for path in lists:
        _readable(path)
    found = matching(names, keeps_missing=keeps_missing, takes_addresses=takes_addresses)
    parts = [part for path in found for part in _parts(path, format)]
    numbered = {location.path: location for location in distinct(part for part in parts if isinstance(part, Location))}
    # If two names stand for the same file, the second one is not among the numbered ones.
    once = dict.fromkeys(numbered.get(part.path) if isinstance(part, Location) else part for part in parts)
    return Inputs(
        [*(part for part in once if part), *(PathList(path, format == TEXT, takes_addresses) for path in lists)],
        columns,
        any(os.path.isdir(name) for name in names),
    )


def pages_and_texts(names: Sequence[str]) -> Inputs:
    """Pages and plain texts: files with a page's ending are pages, all others, and standard input, are texts."""
    found = find_pages(names, (*SUFFIXES, *TEXT_SUFFIXES))
    parts = [file if is_page_name(file.path, SUFFIXES) else file._replace(is_text=True) for file in found]
    return Inputs(parts, has_folder=any(os.path.isdir(name) for name in names))


def _parts(path: str, format: str | None) -> list[Location | Container]:
    if path == STDIN and format not in SOURCES:
        return [Location(STDIN, "stdin", is_text=format == TEXT)]
    if path == STDIN and format:
        return [Container(STDIN, SOURCES[format])]
    if is_address(path):
        return [web_location(path)]
    if format in SOURCES:
        source = SOURCES[format]
        return [Container(found.path, source) for found in locations(path, source.suffixes)]
    if format == TEXT:
        return [location._replace(is_text=True) for location in locations(path, TEXT_SUFFIXES)]
    source_of_path = None if format == "html" or os.path.isdir(path) else _source(path)
    return [Container(path, source_of_path)] if source_of_path else [*locations(path, SUFFIXES)]


def _source(path: str) -> Source | None:
    return next((source for source in SOURCES.values() if path.lower().endswith(source.suffixes)), None)


def _readable(path: str) -> None:
    if path == STDIN:
        return
    try:
        with open(path, "rb"):
            pass
    except OSError as error:
        raise UsageError(read_problem(error), path) from error


def _files_of_list(part: PathList) -> Iterator[Location | Container | VictorError]:
    try:
        if part.path == STDIN:
            yield from _of_lines(sys.stdin.buffer, part)
        else:
            with open(part.path, "rb") as file:
                yield from _of_lines(file, part)
    except OSError as error:
        yield VictorError(read_problem(error), part.path)


def _lines(file: IO[bytes]) -> Iterator[bytes]:
    """The lines of a file; a line that is too long for a path is cut off."""
    while line := file.readline(_LONGEST_LINE):
        yield line
        while len(line) == _LONGEST_LINE and not line.endswith(b"\n"):
            line = file.readline(_LONGEST_LINE)


def _of_lines(file: IO[bytes], part: PathList) -> Iterator[Location | Container | VictorError]:
    """The files of a list. No state is kept from line to line, so the id of a page is its whole path."""
    for number, line in enumerate(_lines(file), 1):
        if b"\0" in line or len(line) == _LONGEST_LINE:
            reason = "it contains a NUL" if b"\0" in line else f"it is longer than {_LONGEST_LINE:,} bytes"
            yield VictorError(f"not a path, because {reason}: write each path on a line of its own", part.path, number)
            continue
        path, _, url = line.decode("utf-8", "surrogateescape").rstrip("\r\n").partition("\t")
        source = None if part.is_text else _source(path)
        if is_address(path):
            yield web_location(path) if part.takes_addresses else VictorError(NOT_FETCHED, part.path, number)
        elif source:
            yield Container(path, source)
        elif path:
            suffixes = TEXT_SUFFIXES if part.is_text else SUFFIXES
            yield Location(path, page_id(path, suffixes), url or None, part.is_text)
