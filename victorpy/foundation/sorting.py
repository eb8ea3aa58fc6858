"""Sorting of data larger than memory: sorted runs in files, merged (Knuth, TAOCP 3, 5.4)."""

import heapq
import struct
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import chain
from operator import attrgetter
from pathlib import Path
from typing import IO, NamedTuple

# Every system allows so many open files; their buffers take 4 MB.
_FAN_IN = 64
_PIECE = 1 << 16

_FRAME = struct.Struct(">IQ")

# The memory of an item beside its bytes.
_COST = 250


class Sorted(NamedTuple):
    """An item and its key; read its pieces before the next item."""

    key: bytes
    size: int
    pieces: Iterator[bytes]


class Sorter:
    """Sorts items by their keys, which must differ, in files of a folder."""

    def __init__(self, folder: Path, max_memory: int):
        self.folder, self.max_memory = folder, max_memory
        self.held: list[tuple[bytes, bytes]] = []
        self.size = 0
        self.runs: list[Path] = []
        self.made = 0

    def add(self, key: bytes, pieces: Iterable[bytes]) -> None:
        """Add an item. If its pieces raise an error, nothing is added."""
        pieces, taken, size = iter(pieces), list[bytes](), _COST + len(key)
        for piece in pieces:
            taken.append(piece)
            size += len(piece)
            if self.size + size > self.max_memory:
                self._spill()
            if size > self.max_memory:
                self._write_large(key, chain(taken, pieces))
                return
        self.held.append((key, b"".join(taken)))
        self.size += size

    def merged(self) -> Iterator[Sorted]:
        """All items in the order of their keys."""
        self._spill()
        while len(self.runs) > _FAN_IN:
            first, self.runs = self.runs[:_FAN_IN], self.runs[_FAN_IN:]
            self._write_run(_merged(first))
            for path in first:
                path.unlink()
        return _merged(self.runs)

    def _spill(self) -> None:
        if self.held:
            self.held.sort()
            self._write_run(Sorted(key, len(data), iter([data])) for key, data in self.held)
            self.held.clear()
            self.size = 0

    def _write_run(self, items: Iterable[Sorted]) -> None:
        with self._next_run() as file:
            for item in items:
                file.write(_FRAME.pack(len(item.key), item.size) + item.key)
                file.writelines(item.pieces)

    def _write_large(self, key: bytes, pieces: Iterable[bytes]) -> None:
        """Write a run of one item, whose size is filled in at the end."""
        with self._next_run() as file:
            file.write(_FRAME.pack(len(key), 0) + key)
            size = sum(map(file.write, pieces))
            file.seek(0)
            file.write(_FRAME.pack(len(key), size))

    @contextmanager
    def _next_run(self) -> Iterator[IO[bytes]]:
        """A new run, which counts once it is complete."""
        path = self.folder / f"run-{self.made:06}"
        self.made += 1
        with path.open("xb") as file:
            yield file
        self.runs.append(path)


def _merged(runs: Iterable[Path]) -> Iterator[Sorted]:
    return heapq.merge(*map(_items, runs), key=attrgetter("key"))


def _items(run: Path) -> Iterator[Sorted]:
    with run.open("rb", _PIECE) as file:
        while head := file.read(_FRAME.size):
            length, size = _FRAME.unpack(head)
            pieces = _read(file, size)
            yield Sorted(file.read(length), size, pieces)
            for _ in pieces:
                pass


def _read(file: IO[bytes], size: int) -> Iterator[bytes]:
    while size:
        piece = file.read(min(size, _PIECE))
        size -= len(piece)
        yield piece
