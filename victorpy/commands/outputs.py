"""Where commands print texts to: a file for each, or all of them one after another."""

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from victorpy.errors import UsageError
from victorpy.files import write_text, written_whole
from victorpy.formats import EXTENSIONS, STREAMED


class Text(NamedTuple):
    """What is printed of a page."""

    id: str
    content: str


def is_folder(output: str, inputs: Sequence[str]) -> bool:
    """Where a folder is there, is named as such, or inputs are folders."""
    if output == "-":
        return False
    return Path(output).is_dir() or output.endswith("/") or any(Path(name).is_dir() for name in inputs)


def check_one_page_a_file(format: str, count: int, *, into_folder: bool) -> None:
    if count > 1 and not into_folder and format not in STREAMED:
        raise UsageError(
            f"{format} holds one page, and there are {count}: name a folder with --output,"
            f" or take {', '.join(sorted(STREAMED))}"
        )


def print_texts(texts: Iterable[Text], output: str, format: str, *, into_folder: bool) -> None:
    """Into a file or standard output, or into a folder under the names of the pages."""
    if into_folder:
        for text in texts:
            write_text(Path(output, f"{text.id}{EXTENSIONS[format]}"), text.content)
    elif output == "-":
        sys.stdout.flush()
        sys.stdout.buffer.writelines(map(_encoded, texts))
    else:
        with written_whole(Path(output)) as file:
            file.writelines(map(_encoded, texts))


def _encoded(text: Text) -> bytes:
    return text.content.encode("utf-8", "replace")
