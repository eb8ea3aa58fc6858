"""Counts n-grams piece by piece, over a stream of text of any length."""

from collections.abc import Iterable
from functools import reduce
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from victorpy.features.language.symbols import Keys, Symbols, longer

Numbers = NDArray[np.int64]


class NgramCounts(NamedTuple):
    """N-grams of one order, by ascending keys: their keys without the last symbol, without the first, and counts."""

    keys: Keys
    contexts: Keys
    endings: Keys
    counts: Numbers


def counts(pieces: Iterable[Symbols], order: int) -> list[NgramCounts]:
    """The counts of all pieces, for n-grams of order 1, 2, …"""
    heaps: list[list[NgramCounts]] = [[] for _ in range(order)]
    for piece in pieces:
        for heap, found in zip(heaps, counted(piece, order), strict=True):
            heap.append(found)
            _merge_equals(heap)
    return [reduce(merged, reversed(heap)) if heap else merged(_NOTHING, _NOTHING) for heap in heaps]


_NO_KEYS = np.zeros(0, np.uint64)
_NOTHING = NgramCounts(_NO_KEYS, _NO_KEYS, _NO_KEYS, np.zeros(0, np.int64))


def _merge_equals(heap: list[NgramCounts]) -> None:
    """Merges counts of similar size only: each n-gram is merged only a few times, even in a long stream."""
    while len(heap) > 1 and len(heap[-2].keys) < 2 * len(heap[-1].keys):
        heap[-2:] = [merged(heap[-2], heap[-1])]


def counted(piece: Symbols, order: int) -> list[NgramCounts]:
    """The counts of one piece. The beginning of a text is part of contexts, but is not counted by itself."""
    offsets = piece.offsets()
    keys, before = piece.symbols, np.zeros_like(piece.symbols)
    found = []
    for size in range(1, order + 1):
        places = np.flatnonzero(offsets >= max(1, size - 1))
        contexts = before[places - 1] if size > 1 else before[places]
        found.append(_summed(keys[places], contexts, before[places], np.ones(len(places), np.int64)))
        before, keys = keys, longer(keys, piece.symbols)
    return found


def merged(one: NgramCounts, other: NgramCounts) -> NgramCounts:
    return _summed(
        np.concatenate((one.keys, other.keys)),
        np.concatenate((one.contexts, other.contexts)),
        np.concatenate((one.endings, other.endings)),
        np.concatenate((one.counts, other.counts)),
    )


def _summed(keys: Keys, contexts: Keys, endings: Keys, counts: Numbers) -> NgramCounts:
    order = np.argsort(keys, kind="stable")
    in_order = keys[order]
    firsts = np.flatnonzero(in_order[1:] != in_order[:-1]) + 1
    firsts = np.concatenate((np.zeros(min(1, len(keys)), np.intp), firsts))
    totals = np.add.reduceat(counts[order], firsts) if len(firsts) else counts
    representatives = order[firsts]
    return NgramCounts(keys[representatives], contexts[representatives], endings[representatives], totals)
