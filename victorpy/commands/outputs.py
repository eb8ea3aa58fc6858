"""Where commands print texts to: a file for each, or all of them one after another."""

import logging
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from victorpy.errors import UsageError, VictorError
from victorpy.files import write_text, written_whole
from victorpy.formats import EXTENSIONS, STREAMED
from victorpy.sources import Location

log = logging.getLogger("victorpy")


class Text(NamedTuple):
    """What is printed of a page."""

    id: str
    content: str


@dataclass(frozen=True)
class Output:
    """A file, `-` for standard output, or a folder where texts lie under the names of their pages."""

    path: str
    format: str
    is_folder: bool

    def target(self, id: str) -> Path:
        return Path(self.path, f"{id}{EXTENSIONS[self.format]}") if self.is_folder else Path(self.path)

    def print(self, texts: Iterable[Text]) -> int:
        """Writes all that can be written, and returns how many could not."""
        if self.is_folder:
            return sum(not self._is_written(text) for text in texts)
        if self.path == "-":
            sys.stdout.flush()
            sys.stdout.buffer.writelines(self._stream(texts))
        else:
            self._print_whole(iter(texts))
        return 0

    def _stream(self, texts: Iterable[Text]) -> Iterator[bytes]:
        """What tells the pages apart stands between them: an empty line, where a line is not a page."""
        gap = b""
        for text in texts:
            if text.content:
                yield gap + text.content.encode("utf-8", "replace")
                gap = b"" if self.format == "jsonl" else b"\n"

    def _is_written(self, text: Text) -> bool:
        try:
            write_text(self.target(text.id), text.content)
        except VictorError as error:
            log.error("%s", error)
            return False
        return True

    def _print_whole(self, texts: Iterator[Text]) -> None:
        # Only when there is a first text: an older file is worth more than an empty one.
        for first in texts:
            with written_whole(Path(self.path)) as file:
                file.writelines(self._stream(chain([first], texts)))


def print_text(text: str, path: str) -> None:
    """Into a file, or, for `-`, to standard output."""
    if path == "-":
        sys.stdout.write(text)
    else:
        write_text(Path(path), text)


def output_for(path: str, format: str, inputs: Sequence[str], pages: Sequence[Location]) -> Output:
    """The output that a path means."""
    is_folder = _means_folder(path, format, inputs)
    output = Output(path, format, is_folder)
    if len(pages) > 1 and not is_folder and format not in STREAMED:
        raise UsageError(
            f"{format} holds one page, and there are {len(pages)}: name a folder with --output,"
            f" or take {', '.join(sorted(STREAMED))}"
        )
    if path != "-":
        _check_keeps_inputs(output, pages)
    return output


def _means_folder(path: str, format: str, inputs: Sequence[str]) -> bool:
    """Where one is there or named as such; else, where inputs are folders, unless the name ends as a stream would."""
    if path == "-":
        return False
    if Path(path).is_dir() or path.endswith("/"):
        return True
    is_stream = format in STREAMED and path.endswith(EXTENSIONS[format])
    return not is_stream and any(Path(name).is_dir() for name in inputs)


def _check_keeps_inputs(output: Output, pages: Sequence[Location]) -> None:
    inputs = {os.path.realpath(page.path) for page in pages}
    for target in (output.target(page.id) for page in pages):
        if os.path.realpath(target) in inputs:
            raise UsageError("is an input, and would be overwritten: name another --output", target)
