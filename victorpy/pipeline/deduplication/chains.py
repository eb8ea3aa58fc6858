"""A hash table from keys to entries: chains in arrays of plain numbers, 8 to 12 bytes an entry."""

from array import array
from collections.abc import Iterable, Iterator

import numpy as np

from victorpy.foundation.hashing import Hashes

_FIRST_SIZE = 1 << 10


class Chains:
    """Entries are numbered in the order in which they are added. 0 ends a chain, so entry n is stored as n + 1.

    A chain also holds the entries of other keys with the same lowest bits. The caller must compare the keys.
    """

    def __init__(self) -> None:
        self._empty(_FIRST_SIZE)

    def _empty(self, size: int) -> None:
        self._heads = array("I", bytes(4 * size))
        self._nexts = array("I", [0])

    def __len__(self) -> int:
        return len(self._nexts) - 1

    @property
    def is_full(self) -> bool:
        return len(self) >= len(self._heads)

    def entries(self, key: int) -> Iterator[int]:
        """The entries in the chain of a key, newest first."""
        entry = self._heads[key & (len(self._heads) - 1)]
        while entry:
            yield entry - 1
            entry = self._nexts[entry]

    def add(self, key: int) -> None:
        slot = key & (len(self._heads) - 1)
        self._nexts.append(self._heads[slot])
        self._heads[slot] = len(self)

    def widen(self, keys: Iterable[Hashes]) -> None:
        """Doubles the number of chains. `keys` are the keys of all entries, in any number of pieces."""
        self._empty(2 * len(self._heads))
        for piece in keys:
            self._extend(piece)

    def _extend(self, keys: Hashes) -> None:
        """Adds several keys at once."""
        slots = (keys & np.uint64(len(self._heads) - 1)).astype(np.int64)
        order = np.argsort(slots, kind="stable")
        ordered, numbers = slots.take(order), (order + len(self) + 1).astype(np.uint32)
        is_first = np.ones(len(keys), np.bool_)
        np.not_equal(ordered[1:], ordered[:-1], out=is_first[1:])
        heads, nexts = np.frombuffer(self._heads, np.uint32), np.empty(len(keys), np.uint32)
        nexts[order] = np.where(is_first, heads.take(ordered), np.roll(numbers, 1))
        is_last = np.roll(is_first, -1)
        heads[ordered[is_last]] = numbers[is_last]
        self._nexts.frombytes(nexts.tobytes())
