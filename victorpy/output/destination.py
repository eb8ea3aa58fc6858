"""Where texts go: a file for each page, one file for all, or standard output."""

import logging
import os
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import chain
from pathlib import Path, PurePath
from typing import IO

from victorpy.errors import UsageError, VictorError
from victorpy.foundation.compression import SUFFIXES as PACKED
from victorpy.foundation.compression import bare_name
from victorpy.foundation.files import sync_all, write_text, written_whole
from victorpy.foundation.optional import pyarrow
from victorpy.output.cleaned import CLEANED
from victorpy.output.escapes import in_one_line
from victorpy.output.format_options import DEFAULT_OPTIONS, FormatOptions
from victorpy.output.formats import BUNDLED, EXTENSIONS, HEADINGS, STREAMED, TABLES, check_options
from victorpy.output.outcome import Outcome
from victorpy.output.sinks import SINKS
from victorpy.sources import Inputs

log = logging.getLogger("victorpy")

# File systems allow 255 bytes for a part of a path, and 4096 for all of it; folder and ending need some of them.
_LONGEST_PART, _LONGEST_NAME = 200, 2_000


@dataclass(frozen=True)
class Destination:
    """A file, `-` for standard output, or a folder with a file for each page. With `is_shared`, several pages may share
    a file."""

    path: str
    format: str
    is_folder: bool
    options: FormatOptions = DEFAULT_OPTIONS
    is_shared: bool = False

    def target(self, id: str) -> Path:
        return Path(self.path, f"{_inside(id)}{EXTENSIONS[self.format]}") if self.is_folder else Path(self.path)

    def write(self, outcomes: Iterable[Outcome]) -> int:
        """Write all outcomes, and return the number that could not be written."""
        shown = (outcome for outcome in outcomes if self._has_place_for(outcome))
        if self.is_folder:
            written = set[str]()
            failed = sum(not self._is_written(outcome, written) for outcome in shown)
            sync_all()
            return failed
        if self.path == "-":
            sys.stdout.flush()
            self._write_to(sys.stdout.buffer, map(self._named, shown))
        else:
            self._write_whole(shown)
        return 0

    def _named(self, outcome: Outcome) -> Outcome:
        """The outcome with its name above its text, if people could not tell the pages apart."""
        heading = HEADINGS.get(self.format)
        if not (self.is_shared and heading and outcome.text):
            return outcome
        url = outcome.metadata.url
        name = in_one_line(f"{outcome.path} ({url})" if url else outcome.path)
        return replace(outcome, text=heading(name) + outcome.text)

    def _has_place_for(self, outcome: Outcome) -> bool:
        """Tables list the pages without a text, too."""
        return bool(outcome.text) or outcome.status in CLEANED or self.format in TABLES

    def _is_written(self, outcome: Outcome, written: set[str]) -> bool:
        name = _inside(outcome.id)
        if name in written:
            log.error("%s: not written: another page has the same name", self.target(outcome.id))
            return False
        written.add(name)
        try:
            write_text(self.target(outcome.id), outcome.text, is_durable=False)
        except VictorError as error:
            log.error("%s", error)
            return False
        return True

    def _write_whole(self, outcomes: Iterator[Outcome]) -> None:
        # Only if there is a text: an older file is worth more than an empty one.
        for first in outcomes:
            with written_whole(Path(self.path)) as file:
                self._write_to(file, chain([first], outcomes))

    def _write_to(self, file: IO[bytes], outcomes: Iterable[Outcome]) -> None:
        with SINKS[self.format](file, self.path, self.options) as write:
            for outcome in outcomes:
                write(outcome)


def write_text_to(path: str, text: str) -> None:
    """Write a text to a file, or for `-` to standard output."""
    if path == "-":
        sys.stdout.write(text)
    else:
        write_text(Path(path), text)


def write_lines_to(path: str, lines: Iterable[str]) -> None:
    """Write lines to a file, or for `-` to standard output, one after another."""
    if path == "-":
        sys.stdout.writelines(lines)
    else:
        with written_whole(Path(path)) as file:
            file.writelines(line.encode("utf-8", "replace") for line in lines)


def _inside(id: str) -> str:
    """The name of a page as a path that cannot leave its folder."""
    name = id.encode("utf-8", "replace").decode().replace("\0", "%00")
    if len(name.encode()) > _LONGEST_NAME:
        return _shortened(name).replace("/", "-")
    return "/".join(map(_part, name.split("/")))


def _part(part: str) -> str:
    if not part.strip("."):
        return "%2E" * len(part) or "%"
    return part if len(part.encode()) <= _LONGEST_PART else _shortened(part)


def _shortened(name: str) -> str:
    return f"{name[:40]}-{sha256(name.encode()).hexdigest()}"


def format_of(path: str) -> str:
    """The format that the ending of a file name stands for, or else `cleaneval`."""
    name = PurePath(bare_name(path)).name
    matching = [format for format, ending in EXTENSIONS.items() if name.endswith(ending)]
    return max(matching, key=lambda format: len(EXTENSIONS[format]), default="cleaneval")


def destination_for(path: str, format: str, inputs: Inputs, options: FormatOptions = DEFAULT_OPTIONS) -> Destination:
    """The destination that a path stands for. Refuse one that does not fit the format or overwrites an input."""
    check_options(format, options)
    is_folder = _means_folder(path, format, inputs)
    destination = Destination(path, format, is_folder, options, is_shared=inputs.count != 1)
    if destination.is_shared and not is_folder and not _holds_several(path, format):
        raise UsageError(
            f"{format} holds one page, got {inputs.count or 'many'}: name a folder with --output,"
            f" or use one of {', '.join(sorted(STREAMED))}"
        )
    if format in BUNDLED:
        _check_bundle(destination)
    if path != "-":
        _check_keeps_inputs(destination, inputs)
    return destination


def _holds_several(path: str, format: str) -> bool:
    return format in STREAMED or (path == "-" and format in HEADINGS)


def _check_bundle(destination: Destination) -> None:
    format = destination.format
    if destination.is_folder:
        raise UsageError(f"{format} holds all pages in one file: --output NAME{EXTENSIONS[format]}")
    if format != "parquet":
        return
    if destination.path == "-" or destination.path.lower().endswith(PACKED):
        raise UsageError(f"Parquet needs a file and compresses itself: --output NAME{EXTENSIONS['parquet']}")
    pyarrow()  # fail before any page is cleaned


def _means_folder(path: str, format: str, inputs: Inputs) -> bool:
    """An existing folder, or a name that ends in `/`. Else the inputs decide, unless the name ends as a stream's."""
    if path == "-":
        return False
    if Path(path).is_dir() or path.endswith("/"):
        return True
    is_stream = format in STREAMED and bare_name(path).endswith(EXTENSIONS[format])
    return not is_stream and inputs.has_folder


def _check_keeps_inputs(destination: Destination, inputs: Inputs) -> None:
    taken = {os.path.realpath(path) for path in inputs.paths}
    targets = (
        {destination.target(page.id) for page in inputs.locations}
        if destination.is_folder
        else {Path(destination.path)}
    )
    for target in sorted(targets):
        if os.path.realpath(target) in taken:
            raise UsageError("this input would be overwritten: name another --output", target)
