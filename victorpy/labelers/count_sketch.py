"""Counts of more things than fit into memory: a count-min sketch (Cormode & Muthukrishnan 2005).

Things are random-looking numbers of 64 bits. With conservative update (Estan & Varghese 2002) a count is never too low,
and rarely too high while many cells are empty.
"""

import numpy as np
from numpy.typing import NDArray

from victorpy.foundation.hashing import GOLDEN, SPECTRAL, SPLIT_MIX
from victorpy.page.elements import Ints

Keys = NDArray[np.uint64]
Cells = NDArray[np.uint16]

MOST = int(np.iinfo(np.uint16).max)

# One for each row (multiply-shift: Dietzfelbinger et al. 1997).
_MULTIPLIERS = np.array([GOLDEN, SPECTRAL, *SPLIT_MIX], np.uint64)
_ROWS = len(_MULTIPLIERS)

# With so few cells in use, a sketch mistakes one new thing in a million for a counted one.
_FULL_ENOUGH = 1 / 32


def empty(megabytes: int) -> Cells:
    """The cells of a new sketch, row × cell: the largest power of two that fits."""
    cells = (megabytes << 20) // (_ROWS * np.dtype(np.uint16).itemsize)
    return np.zeros((_ROWS, 1 << (cells.bit_length() - 1)), np.uint16)


def are_cells(cells: NDArray[np.generic]) -> bool:
    return cells.dtype == np.uint16 and cells.ndim == 2 and len(cells) == _ROWS and cells.shape[1].bit_count() == 1


def counts(cells: Cells, keys: Keys) -> Ints:
    """How often each key was counted."""
    found = np.array([row.take(places) for row, places in zip(cells, _places(cells, keys), strict=True)], np.int32)
    least: Ints = found.min(axis=0)
    return least


def count(cells: Cells, keys: Keys) -> None:
    """Counts each key once, in place. A cell never decreases."""
    counted = np.minimum(counts(cells, keys) + 1, MOST).astype(np.uint16)
    for row, places in zip(cells, _places(cells, keys), strict=True):
        np.maximum.at(row, places, counted)


def folded(cells: Cells) -> Cells:
    """The same counts in fewer cells if most are empty: two neighbouring cells become one."""
    while cells.shape[1] > 2 and np.count_nonzero(cells) <= _FULL_ENOUGH * cells.size:
        cells = np.minimum(cells[:, ::2].astype(np.uint32) + cells[:, 1::2], MOST).astype(np.uint16)
    return cells


def chance_of_mistake(cells: Cells) -> float:
    """The probability that the sketch reports a count for a key that was never counted."""
    return float(np.prod(np.count_nonzero(cells, axis=1) / cells.shape[1]))


def _places(cells: Cells, keys: Keys) -> list[Ints]:
    shift = np.uint64(65 - cells.shape[1].bit_length())
    return [((keys * multiplier) >> shift).astype(np.int64) for multiplier in _MULTIPLIERS]
