"""The words that a network knows, by their rows, and how often each occurs at each block."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import repeat
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from victorpy.features.feature_rows import Table
from victorpy.page.elements import Ints

# The mark after the words of each of several texts. It cannot occur in a page.
END = "\0"
_IS_END = -1
_UNKNOWN = -2


def learnable(words: Iterable[str]) -> set[str]:
    """The words that a network may learn. Numbers are left out: they depend on date and topic."""
    return {word for word in words if not word.isdecimal()} - {END}


def row_by_word(words: Iterable[str]) -> Mapping[str, int]:
    """The row of each word, and the number of the end mark."""
    return {END: _IS_END, **{word: row for row, word in enumerate(words)}}


class KnownWords(NamedTuple):
    """The rows of the known words of several texts, and the bounds of each text."""

    words: Ints
    bounds: Ints


def known_words(words: Sequence[str], known: Mapping[str, int]) -> KnownWords:
    rows = np.fromiter(map(known.get, words, repeat(_UNKNOWN)), np.int32, len(words))
    is_known, ends = rows >= 0, np.flatnonzero(rows == _IS_END)
    return KnownWords(rows[is_known], np.append(0, np.cumsum(is_known)[ends]))


def sums_of(found: KnownWords, table: Table) -> Table:
    """The sum of the table's rows over the known words of each text."""
    begins, ends = found.bounds[:-1], found.bounds[1:]
    sums = np.zeros((len(begins), table.shape[1]), np.float32)
    has_any = ends > begins
    if len(found.words):
        sums[has_any] = np.add.reduceat(table[found.words], begins[has_any], axis=0)
    return sums


class WordCounts(NamedTuple):
    """How often known words occur at blocks: three columns with block, row of the word and count, in order."""

    blocks: Ints
    words: Ints
    counts: Ints | NDArray[np.float32]


def counted(pairs: NDArray[np.int64], known: int) -> WordCounts:
    """Counts pairs of a block and a word, each coded as block × known + word."""
    distinct, many = np.unique(pairs, return_counts=True)
    blocks, words = np.divmod(distinct, known)
    return WordCounts(blocks.astype(np.int32), words.astype(np.int32), many.astype(np.int32))
