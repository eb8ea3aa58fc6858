"""The words of short blocks: `Related stories`, `Leave a comment`, `Photo: …`.

In scripts without spaces between words, such as Chinese, a word is the text between signs, often a whole short block.
"""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from victorpy.features.feature_rows import Table
from victorpy.features.vocabulary import WordCounts, counted, known_words, sums_of
from victorpy.page.blocks import Page
from victorpy.page.elements import Ints


class Wording(NamedTuple):
    """The words of short blocks, with an end mark after each block, and the numbers of these blocks."""

    words: list[str]
    blocks: Ints


def wording(page: Page) -> Wording:
    words, blocks = page.core.short_words()
    return Wording(words, np.frombuffer(blocks, np.int32))


def sums(wording: Wording, known: Mapping[str, int], short: Table, blocks: int) -> Table:
    """The summed rows of the known words of each short block (block × columns of `short`); other blocks have zeros.

    The table has a row for each known word.
    """
    sums = np.zeros((blocks, short.shape[1]), np.float32)
    sums[wording.blocks] = sums_of(known_words(wording.words, known), short)
    return sums


def counts(wording: Wording, known: Mapping[str, int]) -> WordCounts:
    """How often known words occur in each short block."""
    found = known_words(wording.words, known)
    blocks = np.repeat(wording.blocks, np.diff(found.bounds))
    return counted(blocks * len(known) + found.words, len(known))
