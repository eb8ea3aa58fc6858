"""Files that one process at a time owns, until it closes them or ends, even by a kill."""

import fcntl
import os
from pathlib import Path
from typing import IO


class LockedError(Exception):
    """Another process owns the file; `content` is what the file holds."""

    def __init__(self, content: bytes):
        super().__init__()
        self.content = content


def locked(path: Path) -> IO[bytes]:
    """The file, made if it is missing, and locked."""
    while True:
        file = path.open("a+b")
        file.seek(0)
        try:
            lock(file)
        except BlockingIOError:
            with file:
                raise LockedError(file.read()) from None
        if is_at(path, file.fileno()):
            return file
        file.close()  # its owner has just replaced or removed it


def lock(file: int | IO[bytes]) -> None:
    """Lock an open file or folder, or raise BlockingIOError."""
    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def lock_without_children(file: IO[bytes]) -> None:
    """Lock a file for a process that forks, or raise BlockingIOError or PermissionError.

    Forked children share a lock of `lock`, and hold it for a while after their parent is killed. This lock is not
    shared; but it needs a file open for writing, and does not keep out the same process.
    """
    fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def is_at(path: Path, number: int) -> bool:
    """Is the open file still the file at this path?"""
    try:
        return os.path.samestat(path.stat(), os.fstat(number))
    except OSError:
        return False
