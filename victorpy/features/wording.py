"""The words of short blocks: `Related stories`, `Leave a comment`, `Photo: …`.

Where no blanks part words, as in Chinese, a word is what stands between signs: often a whole short block.
"""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from victorpy.blocks import Ints, Page
from victorpy.features.rows import Table
from victorpy.features.vocabulary import Counts, counted, listed, sums_of, together

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
    found = listed(wording.words, known)
    of_texts = sums_of(found, short)
    of_texts[found.lengths > _WORDS] = 0
    sums = np.zeros((blocks, short.shape[1]), np.float32)
    sums[wording.blocks] = of_texts
    return sums


def counts(wording: Wording, known: Mapping[str, int]) -> Counts:
    """How often known words stand in each short block."""
    found = listed(wording.words, known)
    texts = np.repeat(np.arange(len(found.lengths)), np.diff(found.bounds))
    is_short = (found.lengths <= _WORDS)[texts]
    blocks, words = wording.blocks[texts[is_short]], found.words[is_short]
    return counted(blocks.astype(np.int64) * len(known) + words, len(known))
