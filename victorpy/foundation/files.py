"""Text files, and files that are written completely or not at all."""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache, partial
from itertools import chain, takewhile
from pathlib import Path
from typing import IO

from victorpy.errors import UsageError, VictorError

# Nobody can guess the name of a draft, so nobody can put a file or a link there before.
_DRAFT = re.compile(r"\.victorpy-[0-9a-f]{16}\.part")
_NEW = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)


@contextmanager
def written_whole(path: Path, *, is_durable: bool = True) -> Iterator[IO[bytes]]:
    """A file that replaces `path` when the block ends; after an error `path` is unchanged.

    A durable file survives a power failure. The first write of another process removes the draft of a killed one.
    """
    target = Path(os.path.realpath(path))  # a link stays a link
    try:
        if is_device(target):
            with target.open("wb") as file:
                yield file
            return
        make_folder(target.parent)
        _remove_drafts(target.parent)
        with _draft(target.parent) as (part, file):
            yield file
            file.flush()
            if is_durable:
                os.fsync(file.fileno())
            file.close()  # Windows cannot rename an open file
            os.replace(part, target)
        if is_durable:
            sync_folder(target.parent)
    except (FileExistsError, NotADirectoryError) as error:
        raise VictorError(f"cannot be written: {_nearest(target.parent)} is a file, not a folder", path) from error
    except OSError as error:
        raise VictorError(f"cannot be written: {error.strerror}", path) from error


@contextmanager
def _draft(folder: Path) -> Iterator[tuple[Path, IO[bytes]]]:
    """A new file, locked while it is open. It is removed unless it gets another name."""
    while True:
        part = folder / f".victorpy-{os.urandom(8).hex()}.part"
        is_taken = False
        try:
            try:
                number = os.open(part, _NEW, 0o666)
            except FileExistsError:
                is_taken = True
                continue
            with os.fdopen(number, "w+b") as file:
                if _is_held(part, file):
                    yield part, file
                    return
        finally:  # Ctrl-C may come after any call: there is none between the file and its removal
            try:
                if not is_taken:
                    os.unlink(part)
            except OSError:  # it has another name now
                pass


def _is_held(part: Path, file: IO[bytes]) -> bool:
    """Lock a draft, and check that no other process has just removed it as the draft of a killed one."""
    if os.name == "nt":  # which removes no open file
        return True
    from victorpy.foundation.locking import is_at, lock  # noqa: PLC0415 - not on Windows

    try:
        lock(file)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks
        return True
    return is_at(part, file.fileno())


@cache  # drafts of killed processes are from before this process
def _remove_drafts(folder: Path) -> None:
    """Remove the drafts in a folder that no process holds."""
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if _DRAFT.fullmatch(entry.name):
                _remove_if_free(Path(entry.path))


def _remove_if_free(part: Path) -> None:
    with suppress(OSError):  # a living process writes it, or another one has removed it
        number = os.open(part, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0))
        with os.fdopen(number, "r+b") as file:
            if _is_held(part, file):
                part.unlink()


def make_folder(folder: Path) -> None:
    """Make a folder and its parents so that they survive a power failure."""
    missing = [*takewhile(lambda path: not os.path.isdir(path), chain([folder], folder.parents))]
    folder.mkdir(parents=True, exist_ok=True)
    for path in reversed(missing):
        sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Make the names in a folder survive a power failure."""
    if os.name == "nt":  # where folders cannot be opened
        return
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def create(path: Path, content: bytes) -> bool:
    """Write a file that survives a power failure; False if it exists. Of several processes, one creates it."""
    try:
        make_folder(path.parent)
        with _draft(path.parent) as (part, file):
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
            os.link(part, path)
        sync_folder(path.parent)
    except FileExistsError:
        return False
    except OSError as error:
        raise VictorError(f"cannot be written: {error.strerror}", path) from error
    return True


def sync_all() -> None:
    """Make all files survive a power failure: faster than one by one, if they are many."""
    if os.name != "nt":
        os.sync()


def write_text(path: Path, text: str, *, is_durable: bool = True) -> None:
    with written_whole(path, is_durable=is_durable) as file:
        file.write(text.encode("utf-8", "replace"))


def check_writable(folder: Path) -> None:
    """Fail before long work if its result could not be written."""
    from tempfile import TemporaryFile  # noqa: PLC0415 - few commands need it

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
    return next(parent for parent in (path, *path.parents) if os.path.exists(parent))


def check_no_device(path: str | Path) -> None:
    """Refuse devices and pipes, which have no end or cannot be read again."""
    if is_device(path):
        raise UsageError("expected a file, got a device or a pipe", path)


def is_device(path: str | Path) -> bool:
    """A device, a pipe or a socket."""
    return os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path)


# The largest file that is read at once. Devices have no end.
MAX_BYTES = 1 << 30
# Memory is reserved for a piece, not for the largest file: a process with little memory reads small files, too.
_PIECE = 1 << 20


def read_bytes(path: Path) -> bytes:
    pieces, size = [], 0
    with path.open("rb") as file:
        while piece := file.read(_PIECE):
            pieces.append(piece)
            size += len(piece)
            if size > MAX_BYTES:
                raise VictorError(f"larger than {MAX_BYTES:,} bytes", path)
    return b"".join(pieces)


def lines_of(file: IO[bytes], path: str | Path) -> Iterator[bytes]:
    """The lines of an open file. None may be longer than the largest file that is read at once."""
    for number, line in enumerate(iter(partial(file.readline, MAX_BYTES + 1), b""), 1):
        if len(line) > MAX_BYTES:
            raise VictorError(f"a line of more than {MAX_BYTES:,} bytes", path, number)
        yield line


def read_text(path: Path) -> str:
    """The text of a UTF-8 file; line ends stay as they are."""
    try:
        return read_bytes(path).decode("utf-8-sig")
    except OSError as error:
        raise VictorError(f"cannot be read: {error.strerror}", path) from error
    except UnicodeDecodeError as error:
        raise VictorError(f"is not UTF-8: byte {error.start} is {error.object[error.start]:#04x}", path) from error
