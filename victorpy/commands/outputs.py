"""Where commands print texts to: a file for each, or all of them one after another."""

import logging
import os
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from itertools import chain
from pathlib import Path, PurePath
from typing import NamedTuple

from victorpy.compression import bare_name, packing
from victorpy.errors import UsageError, VictorError
from victorpy.files import write_text, written_whole
from victorpy.formats import EXTENSIONS, STREAMED
from victorpy.formats.streams import one_after_another
from victorpy.sources import Inputs

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
        return Path(self.path, f"{_inside(id)}{EXTENSIONS[self.format]}") if self.is_folder else Path(self.path)

    def print(self, texts: Iterable[Text]) -> int:
        """Writes all that can be written, and returns how many could not."""
        if self.is_folder:
            written = set[str]()
            return sum(not self._is_written(text, written) for text in texts)
        if self.path == "-":
            sys.stdout.flush()
            sys.stdout.buffer.writelines(self._stream(texts))
        else:
            self._print_whole(iter(texts))
        return 0

    def _stream(self, texts: Iterable[Text]) -> Iterator[bytes]:
        return one_after_another((text.content for text in texts), self.format)

    def _is_written(self, text: Text, written: set[str]) -> bool:
        if text.id in written:
            log.error("%s: not written: another page of this id is there", self.target(text.id))
            return False
        written.add(text.id)
        try:
            write_text(self.target(text.id), text.content)
        except VictorError as error:
            log.error("%s", error)
            return False
        return True

    def _print_whole(self, texts: Iterator[Text]) -> None:
        # Only when there is a first text: an older file is worth more than an empty one.
        for first in texts:
            with written_whole(Path(self.path)) as file, packing(file, self.path) as packer:
                for piece in self._stream(chain([first], texts)):
                    packer.write(piece)


def print_text(text: str, path: str) -> None:
    """Into a file, or, for `-`, to standard output."""
    if path == "-":
        sys.stdout.write(text)
    else:
        write_text(Path(path), text)


def _inside(id: str) -> str:
    """A name that stays in its folder, whatever a record calls itself."""
    parts = id.replace("\0", "%00").split("/")
    return "/".join(_part(part) for part in parts)


def _part(part: str) -> str:
    if not part.strip("."):
        return "%2E" * len(part) or "%"
    # File systems take 255 bytes, and an ending has to go in.
    return part if len(part.encode("utf-8", "replace")) <= 200 else f"{part[:40]}-{sha256(part.encode()).hexdigest()}"


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
    if path != "-":
        _check_keeps_inputs(output, inputs)
    return output


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
