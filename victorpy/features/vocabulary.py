"""The words that a network knows, each by its row, and how often each stands at each block."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import repeat
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from victorpy.features.feature_rows import Table
from victorpy.page.elements import Ints

# Behind the words of each of several texts: nothing in a page can hold it.
END = "\0"
_IS_END = -1
_UNKNOWN = -2


def learnable(words: Iterable[str]) -> set[str]:
    """All that a network could know: numbers say of when and of what a page is, not of what its parts are."""
    return {word for word in words if not word.isdecimal()} - {END}


def row_by_word(words: Iterable[str]) -> Mapping[str, int]:
    """The row of each word, and what stands for an end."""
    return {END: _IS_END, **{word: row for row, word in enumerate(words)}}


class KnownWords(NamedTuple):
    """The known words of several texts, one text after the other, and where each begins and the last ends."""

    words: Ints
    bounds: Ints


def known_words(words: Sequence[str], known: Mapping[str, int]) -> KnownWords:
    rows = np.fromiter(map(known.get, words, repeat(_UNKNOWN)), np.int32, len(words))
    is_known, ends = rows >= 0, np.flatnonzero(rows == _IS_END)
    return KnownWords(rows[is_known], np.append(0, np.cumsum(is_known)[ends]))


def sums_of(listed: KnownWords, table: Table) -> Table:
    """What the known words of each text say together, of which the table has a row for each."""
    begins, ends = listed.bounds[:-1], listed.bounds[1:]
    sums = np.zeros((len(begins), table.shape[1]), np.float32)
    has_any = ends > begins
    if len(listed.words):
        sums[has_any] = np.add.reduceat(table[listed.words], begins[has_any], axis=0)
    return sums


class WordCounts(NamedTuple):
    """How often known words stand at blocks: a column for each block, word (by its row) and count over 0, in order."""

    blocks: Ints
    words: Ints
    counts: Ints | NDArray[np.float32]


def counted(pairs: NDArray[np.int64], known: int) -> WordCounts:
    """Of pairs of a block and a word, each as one number: block × known + word."""
    distinct, many = np.unique(pairs, return_counts=True)
    blocks, words = np.divmod(distinct, known)
    return WordCounts(blocks.astype(np.int32), words.astype(np.int32), many.astype(np.int32))
