"""A disk that loses, when its power fails, whatever nobody made sure of."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from stat import S_ISDIR

import pytest


@dataclass
class Disk:
    """The folders and files below a folder as they are after a power failure, by their numbers.

    A folder has the names that it had when it was last synced, and a file the content. All else is gone.
    """

    root: Path
    folders: dict[int, dict[str, int]] = field(default_factory=dict)
    files: dict[int, bytes] = field(default_factory=dict)
    held: list[int] = field(default_factory=list)
    past: list[tuple[dict, dict]] = field(default_factory=list)

    def sync(self, number: int) -> None:
        self.held.append(os.dup(number))  # so that no other file gets its number
        found = os.fstat(number)
        if S_ISDIR(found.st_mode):
            with os.scandir(number) as entries:
                self.folders[found.st_ino] = {entry.name: entry.inode() for entry in entries}
        else:
            self.files[found.st_ino] = Path(f"/proc/self/fd/{number}").read_bytes()
        self.past.append((dict(self.folders), dict(self.files)))

    def sync_all(self) -> None:
        for path in [self.root, *self.root.rglob("*")]:
            number = os.open(path, os.O_RDONLY)
            self.sync(number)
            os.close(number)

    def fails(self, target: Path, state: tuple[dict, dict] | None = None) -> None:
        """Put there what is left of the root."""
        shutil.rmtree(target, ignore_errors=True)
        self._put(self.root.stat().st_ino, target, *(state or (self.folders, self.files)))

    def _put(self, number: int, target: Path, folders: dict, files: dict) -> None:
        if number in files:
            target.write_bytes(files[number])
        elif number in folders:
            target.mkdir()
            for name, inner in folders[number].items():
                self._put(inner, target / name, folders, files)
        # Nothing of it is left but the name: an empty file for who looks for one.
        elif target.parent.exists():
            target.write_bytes(b"")


@contextmanager
def disk_of(root: Path) -> Iterator[Disk]:
    """Records what is synced below the root from now on; what is there is on the disk."""
    disk, fsync, fdatasync = Disk(root), os.fsync, os.fdatasync
    disk.sync_all()
    disk.past.clear()

    def both(real):
        def sync(number: int) -> None:
            real(number)
            disk.sync(number)

        return sync

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", both(fsync))
        patch.setattr(os, "fdatasync", both(fdatasync))
        patch.setattr(os, "sync", disk.sync_all)
        yield disk
    for number in disk.held:
        os.close(number)
