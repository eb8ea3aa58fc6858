"""Files that are whole or not there at all."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from victorpy.errors import VictorError


@contextmanager
def written_whole(path: Path) -> Iterator[IO[bytes]]:
    """A file to write to, which takes the place of `path` once all is written; else nothing has happened."""
    part = path.with_name(f".{path.name[:200]}.{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with part.open("wb") as file:
            yield file
        part.replace(path)
    except OSError as error:
        raise VictorError(f"cannot be written: {error.strerror}", path) from error
    finally:
        with suppress(OSError):
            part.unlink()


def write_text(path: Path, text: str) -> None:
    with written_whole(path) as file:
        file.write(text.encode("utf-8", "replace"))


def read_text(path: Path) -> str:
    """A text file of the user's, line ends as they are."""
    try:
        return path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise VictorError(f"cannot be read: {error.strerror}", path) from error
    except UnicodeDecodeError as error:
        raise VictorError(f"is not UTF-8: byte {error.start} is {error.object[error.start]:#04x}", path) from error
