"""Where commands print texts to: a file for each, or all of them one after another."""

import logging
import os
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from itertools import chain
from pathlib import Path, PurePath
from typing import IO

from victorpy.errors import UsageError, VictorError
from victorpy.foundation.compression import SUFFIXES as PACKED
from victorpy.foundation.compression import bare_name
from victorpy.foundation.files import write_text, written_whole
from victorpy.foundation.optional import pyarrow
from victorpy.output.cleaned import CLEANED
from victorpy.output.formats import BUNDLED, EXTENSIONS, STREAMED, TABLES
from victorpy.output.outcome import Outcome
from victorpy.output.sinks import SINKS
from victorpy.sources import Inputs

log = logging.getLogger("victorpy")


@dataclass(frozen=True)
class Output:
    """A file, `-` for standard output, or a folder where texts lie under the names of their pages."""

    path: str
    format: str
    is_folder: bool

    def target(self, id: str) -> Path:
        return Path(self.path, f"{_inside(id)}{EXTENSIONS[self.format]}") if self.is_folder else Path(self.path)

    def print(self, outcomes: Iterable[Outcome]) -> int:
        """Writes all that can be written, and returns how many could not."""
        shown = (outcome for outcome in outcomes if self._has_place_for(outcome))
        if self.is_folder:
            written = set[str]()
            return sum(not self._is_written(outcome, written) for outcome in shown)
        if self.path == "-":
            sys.stdout.flush()
            self._write(sys.stdout.buffer, shown)
        else:
            self._print_whole(shown)
        return 0

    def _has_place_for(self, outcome: Outcome) -> bool:
        """A table tells of pages without a text, too."""
        return bool(outcome.text) or outcome.status in CLEANED or self.format in TABLES

    def _is_written(self, outcome: Outcome, written: set[str]) -> bool:
        name = _inside(outcome.id)
        if name in written:
            log.error("%s: not written: another page of this name is there", self.target(outcome.id))
            return False
        written.add(name)
        try:
            write_text(self.target(outcome.id), outcome.text)
        except VictorError as error:
            log.error("%s", error)
            return False
        return True

    def _print_whole(self, outcomes: Iterator[Outcome]) -> None:
        # Only when there is a first text: an older file is worth more than an empty one.
        for first in outcomes:
            with written_whole(Path(self.path)) as file:
                self._write(file, chain([first], outcomes))

    def _write(self, file: IO[bytes], outcomes: Iterable[Outcome]) -> None:
        with SINKS[self.format](file, self.path) as write:
            for outcome in outcomes:
                write(outcome)


def print_text(text: str, path: str) -> None:
    """Into a file, or, for `-`, to standard output."""
    if path == "-":
        sys.stdout.write(text)
    else:
        write_text(Path(path), text)


def _inside(id: str) -> str:
    """A name that stays in its folder, whatever a record calls itself."""
    parts = id.encode("utf-8", "replace").decode().replace("\0", "%00").split("/")
    return "/".join(_part(part) for part in parts)


def _part(part: str) -> str:
    if not part.strip("."):
        return "%2E" * len(part) or "%"
    # File systems take 255 bytes, and an ending has to go in.
    return part if len(part.encode()) <= 200 else f"{part[:40]}-{sha256(part.encode()).hexdigest()}"


def format_of(path: str) -> str:
    """The format that a name of an output means: `cleaneval` where it means none."""
    ending = PurePath(bare_name(path)).suffix
    return next((format for format, extension in EXTENSIONS.items() if extension == ending), "cleaneval")


def output_for(path: str, format: str, inputs: Inputs) -> Output:
    """The output that a path means."""
    is_folder = _means_folder(path, format, inputs)
    output = Output(path, format, is_folder)
    if inputs.count != 1 and not is_folder and format not in STREAMED:
        raise UsageError(
            f"{format} holds one page, and there are {inputs.count or 'many'}: name a folder with --output,"
            f" or take {', '.join(sorted(STREAMED))}"
        )
    if format in BUNDLED:
        _check_bundle(output)
    if path != "-":
        _check_keeps_inputs(output, inputs)
    return output


def _check_bundle(output: Output) -> None:
    if output.is_folder:
        raise UsageError(f"{output.format} holds all pages in one file: --output NAME{EXTENSIONS[output.format]}")
    if output.format != "parquet":
        return
    if output.path == "-" or output.path.lower().endswith(PACKED):
        raise UsageError(f"Parquet is a file, and packs itself: --output NAME{EXTENSIONS['parquet']}")
    pyarrow()  # what is not installed is told before any page is cleaned


def _means_folder(path: str, format: str, inputs: Inputs) -> bool:
    """Where one is there or named as such; else, where inputs are folders, unless the name ends as a stream would."""
    if path == "-":
        return False
    if Path(path).is_dir() or path.endswith("/"):
        return True
    is_stream = format in STREAMED and bare_name(path).endswith(EXTENSIONS[format])
    return not is_stream and inputs.has_folder


def _check_keeps_inputs(output: Output, inputs: Inputs) -> None:
    taken = {os.path.realpath(path) for path in inputs.paths}
    targets = {output.target(page.id) for page in inputs.locations} if output.is_folder else {Path(output.path)}
    for target in sorted(targets):
        if os.path.realpath(target) in taken:
            raise UsageError("is an input, and would be overwritten: name another --output", target)
