"""The words that a network knows, each by its row: what is a word, and how often each stands at each block."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import repeat
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from victorpy.blocks import Ints

# Behind each of several texts when all are cut at once: nothing in a page can hold it.
END = "\0"
IS_END = -1
_UNKNOWN = -2


def together(texts: Iterable[str], parting: str) -> list[str]:
    """The words of all, in small letters, and an end behind each text: what stands between blanks and these signs.

    Nothing else is done to a word, because most of those of a page are nowhere else: each would be done to anew.
    """
    joined = f" {END} ".join([*texts, ""]).lower()
    for sign in parting:
        joined = joined.replace(sign, " ")
    return joined.split()


def learnable(words: Iterable[str]) -> set[str]:
    """All that a network could know: numbers say of when and of what a page is, not of what its parts are."""
    return {word for word in words if not word.isdecimal()} - {END}


def numbered(words: Iterable[str]) -> Mapping[str, int]:
    """The row of each word, and what stands for an end."""
    return {END: IS_END, **{word: row for row, word in enumerate(words)}}


def rows_of(words: Sequence[str], known: Mapping[str, int]) -> Ints:
    """Of each word; less than nothing at ends, and where it is not known."""
    return np.fromiter(map(known.get, words, repeat(_UNKNOWN)), np.int32, len(words))


class Counts(NamedTuple):
    """How often known words stand at blocks: a column for each block, word (by its row) and count over 0, in order."""

    blocks: Ints
    words: Ints
    counts: Ints | NDArray[np.float32]


def counted(pairs: NDArray[np.int64], known: int) -> Counts:
    """Of pairs of a block and a word, each as one number: block × known + word."""
    distinct, many = np.unique(pairs, return_counts=True)
    blocks, words = np.divmod(distinct, known)
    return Counts(blocks.astype(np.int32), words.astype(np.int32), many.astype(np.int32))
