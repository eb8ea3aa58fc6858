"""Text files, and files that are written completely or not at all."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

from victorpy.errors import VictorError

_NUMBERS = count()


@contextmanager
def written_whole(path: Path, *, is_durable: bool = False) -> Iterator[IO[bytes]]:
    """A file that replaces `path` when the block ends; after an error `path` is unchanged.

    A durable file survives a power failure. The next write overwrites what a killed process leaves of it.
    """
    target = Path(os.path.realpath(path))  # a link stays a link
    is_device = os.path.exists(target) and not target.is_file() and not target.is_dir()
    name = f".{target.name}.part" if is_durable else f".victorpy-{os.getpid()}-{next(_NUMBERS)}.part"
    part = target if is_device else target.with_name(name)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with part.open("wb") as file:
            yield file
            if is_durable:
                file.flush()
                os.fsync(file.fileno())
        if part != target:
            part.replace(target)
        if is_durable:
            _sync_folder(target.parent)
    except (FileExistsError, NotADirectoryError) as error:
        raise VictorError(f"cannot be written: {_nearest(target.parent)} is a file, not a folder", path) from error
    except OSError as error:
        raise VictorError(f"cannot be written: {error.strerror}", path) from error
    finally:
        if part != target:
            with suppress(OSError):
                part.unlink()


def _sync_folder(folder: Path) -> None:
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def write_text(path: Path, text: str) -> None:
    with written_whole(path) as file:
        file.write(text.encode("utf-8", "replace"))


def check_writable(folder: Path) -> None:
    """Fail before long work if its result could not be written."""
    existing = _nearest(Path(os.path.realpath(folder)))
    try:
        with TemporaryFile(dir=existing):
            pass
    except NotADirectoryError as error:
        raise VictorError(f"cannot be written: {existing} is a file, not a folder", folder) from error
    except OSError as error:
        raise VictorError(f"cannot be written: {error.strerror}", folder) from error


def _nearest(path: Path) -> Path:
    """The path, or its nearest parent that exists."""
    return next(parent for parent in (path, *path.parents) if parent.exists())


def read_text(path: Path) -> str:
    """The text of a UTF-8 file; line ends stay as they are."""
    try:
        return path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise VictorError(f"cannot be read: {error.strerror}", path) from error
    except UnicodeDecodeError as error:
        raise VictorError(f"is not UTF-8: byte {error.start} is {error.object[error.start]:#04x}", path) from error
