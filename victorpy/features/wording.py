"""The words of short blocks: `Related stories`, `Leave a comment`, `Photo: …`.

Where no blanks part words, as in Chinese, a word is what stands between signs: often a whole short block.
"""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from victorpy.blocks import Ints, Page
from victorpy.features.rows import Table
from victorpy.features.vocabulary import IS_END, Counts, counted, rows_of, together

# A short block has at most so many characters and words.
_CHARACTERS = 120
_WORDS = 12

_SIGNS = ".,:;!?()|/…"


class Wording(NamedTuple):
    """The words of blocks of few characters, with an end behind each block; and the numbers of these blocks."""

    words: list[str]
    blocks: Ints


def wording(page: Page) -> Wording:
    blocks = np.flatnonzero(page.lengths <= _CHARACTERS)
    return Wording(together(map(page.texts.__getitem__, blocks.tolist()), _SIGNS), blocks)


def sums(wording: Wording, known: Mapping[str, int], short: Table, blocks: int) -> Table:
    """What the known words of each of so many blocks say together, where it is short: block × columns of short.

    The table has a row for each known word.
    """
    found = _found(wording, known)
    sums = np.zeros((blocks, short.shape[1]), np.float32)
    if len(found.blocks):
        starts = np.flatnonzero(np.append(True, found.blocks[1:] != found.blocks[:-1]))
        sums[found.blocks[starts]] = np.add.reduceat(short[found.words], starts, axis=0)
    return sums


def counts(wording: Wording, known: Mapping[str, int]) -> Counts:
    """How often known words stand in each short block."""
    found = _found(wording, known)
    return counted(found.blocks.astype(np.int64) * len(known) + found.words, len(known))


class _Found(NamedTuple):
    """A column for each known word: the block that it stands in, and its row."""

    blocks: Ints
    words: Ints


def _found(wording: Wording, known: Mapping[str, int]) -> _Found:
    rows = rows_of(wording.words, known)
    ends = np.flatnonzero(rows == IS_END)
    is_short = np.diff(ends, prepend=-1) <= _WORDS + 1
    places = np.flatnonzero(rows >= 0)
    among = np.searchsorted(ends, places)
    within = is_short[among]
    return _Found(wording.blocks[among[within]], rows[places[within]])
