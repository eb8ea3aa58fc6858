"""Where raw pages come from: files that are a page each, and files of many pages."""

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import IO, NamedTuple

from victorpy.errors import UsageError, VictorError
from victorpy.foundation.compression import SUFFIXES as PACKED
from victorpy.sources import arc_files, jsonl_files, parquet_files, warc_files
from victorpy.sources.decoded_pages import DecodedPage, decoded_page
from victorpy.sources.raw_pages import (
    ANNOTATION_SUFFIXES,
    MAX_BYTES,
    STDIN,
    SUFFIXES,
    TEXT_SUFFIXES,
    Location,
    RawPage,
    Suffixes,
    distinct,
    find_pages,
    locations,
    matching,
    page_id,
    read_page,
    read_problem,
    too_large,
)
from victorpy.sources.table_columns import COLUMNS, PageColumns

__all__ = [
    "ANNOTATION_SUFFIXES",
    "ARCHIVES",
    "COLUMNS",
    "MAX_BYTES",
    "SOURCES",
    "STDIN",
    "SUFFIXES",
    "TEXT_SUFFIXES",
    "Container",
    "DecodedPage",
    "Found",
    "Inputs",
    "Location",
    "PageColumns",
    "PathList",
    "RawPage",
    "Suffixes",
    "decoded_page",
    "find_inputs",
    "find_pages",
    "read_page",
    "too_large",
]


# A page, as a place to read it from or as it is, or what could not be read.
Found = Location | RawPage | VictorError


class Source(NamedTuple):
    """A kind of file that holds many pages; `read` yields errors, too: what is damaged behind the pages."""

    suffixes: Suffixes
    read: Callable[[str, PageColumns, int], Iterator[RawPage | VictorError]]


def _with_packed(*suffixes: str) -> Suffixes:
    return (*suffixes, *(f"{suffix}{packing}" for suffix in suffixes for packing in PACKED))


SOURCES: dict[str, Source] = {
    "arc": Source(_with_packed(".arc"), arc_files.read),
    "jsonl": Source(_with_packed(".jsonl", ".ndjson"), jsonl_files.read),
    "parquet": Source((".parquet",), parquet_files.read),
    "warc": Source(_with_packed(".warc"), warc_files.read),
}


# Paths of no system are as long, and addresses of no page.
_LONGEST_LINE = 1 << 16

# Files of records, which tell of each where it was found.
ARCHIVES = (*SOURCES["warc"].suffixes, *SOURCES["arc"].suffixes)


class Container(NamedTuple):
    """A file of many pages."""

    path: str
    source: Source


@dataclass(frozen=True)
class PathList:
    """A file that lists paths, a line each, behind a tab the address where there is one."""

    path: str


@dataclass(frozen=True)
class Inputs:
    """All that is to be cleaned, in order; how much it is shows only when it is read."""

    parts: Sequence[Location | Container | PathList]
    columns: PageColumns = COLUMNS
    has_folder: bool = False

    @property
    def locations(self) -> list[Location]:
        """The pages that are known without reading anything."""
        return [part for part in self.parts if isinstance(part, Location)]

    @property
    def paths(self) -> list[str]:
        return [part.path for part in self.parts]

    @property
    def count(self) -> int | None:
        """How many pages there are, where that is known."""
        found = self.locations
        return len(found) if len(found) == len(self.parts) else None

    def files(self) -> Iterator[Location | Container | VictorError]:
        """Every file, also those of the lists."""
        for part in self.parts:
            if isinstance(part, PathList):
                yield from _files_of_list(part)
            else:
                yield part

    def pages(self, max_bytes: int = MAX_BYTES) -> Iterator[Found]:
        """Every page, as a place to read it from or as it is, and between them what could not be read."""
        for file in self.files():
            if isinstance(file, Container):
                yield from file.source.read(file.path, self.columns, max_bytes)
            else:
                yield file


def find_inputs(
    names: Sequence[str],
    lists: Sequence[str] = (),
    format: str | None = None,
    columns: PageColumns = COLUMNS,
    *,
    keeps_missing: bool = False,
) -> Inputs:
    """What the names mean: by their endings, or all of them of the given format."""
    for path in lists:
        _readable(path)
    parts = [part for path in matching(names, keeps_missing=keeps_missing) for part in _parts(path, format)]
    numbered = {location.path: location for location in distinct(part for part in parts if isinstance(part, Location))}
    # Of a file that was named in two ways, the second is not among them.
    once = dict.fromkeys(numbered.get(part.path) if isinstance(part, Location) else part for part in parts)
    return Inputs(
        [*(part for part in once if part), *map(PathList, lists)], columns, any(os.path.isdir(name) for name in names)
    )


def _parts(path: str, format: str | None) -> list[Location | Container]:
    if path == STDIN:
        return [Location(STDIN, "stdin")]
    if format in SOURCES:
        source = SOURCES[format]
        return [Container(found.path, source) for found in locations(path, source.suffixes)]
    source_of_path = None if format == "html" else _source(path)
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
            yield from _of_lines(sys.stdin.buffer, part.path)
        else:
            with open(part.path, "rb") as file:
                yield from _of_lines(file, part.path)
    except OSError as error:
        yield VictorError(read_problem(error), part.path)


def _lines(file: IO[bytes]) -> Iterator[bytes]:
    """Line by line; of one that no path is as long as, only its beginning."""
    while line := file.readline(_LONGEST_LINE):
        yield line
        while len(line) == _LONGEST_LINE and not line.endswith(b"\n"):
            line = file.readline(_LONGEST_LINE)


def _of_lines(file: IO[bytes], place: str) -> Iterator[Location | Container | VictorError]:
    """Nothing is kept of one line for the next; so a page's id is all of its path."""
    for number, line in enumerate(_lines(file), 1):
        if b"\0" in line or len(line) == _LONGEST_LINE:
            reason = "there is a NUL in it" if b"\0" in line else f"it is longer than {_LONGEST_LINE:,} bytes"
            yield VictorError(f"no path, because {reason}: each is to stand on a line of its own", place, number)
            continue
        path, _, url = line.decode("utf-8", "surrogateescape").rstrip("\r\n").partition("\t")
        source = _source(path)
        if source:
            yield Container(path, source)
        elif path:
            yield Location(path, page_id(path, SUFFIXES), url or None)
