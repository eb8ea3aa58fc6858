"""A file that one process at a time has for itself."""

import fcntl
import os
from pathlib import Path
from typing import IO


class LockedError(Exception):
    """Another process has the file, in which stands `content`."""

    def __init__(self, content: bytes):
        super().__init__()
        self.content = content


def locked(path: Path) -> IO[bytes]:
    """The file, made if need be, and ours until we close it or end, even by a kill."""
    while True:
        file = path.open("a+b")
        file.seek(0)
        try:
            lock(file)
        except BlockingIOError:
            with file:
                raise LockedError(file.read()) from None
        if is_at(path, file):
            return file
        file.close()  # whoever had it has just replaced or removed it


def lock(file: IO[bytes]) -> None:
    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def is_at(path: Path, file: IO[bytes]) -> bool:
    """Is this still the file of that name?"""
    try:
        return os.path.samestat(path.stat(), os.fstat(file.fileno()))
    except OSError:
        return False
