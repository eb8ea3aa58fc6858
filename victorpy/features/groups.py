"""Blocks are grouped by the nearest div, or table cell, around them: which share of the page's words has a group?"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from victorpy.blocks import Ints, Page, nearest, once_per_page
from victorpy.features.characters import characters
from victorpy.features.tokens import words_from

Shares = NDArray[np.floating[Any]]


def word_ratio(tag: str, page: Page) -> Shares:
    """The words outside links in the block's group, of all such words of the page."""
    groups = nearest(page, tag)[page.element]
    words = _unlinked_words(page)
    sums = np.bincount(groups, words, minlength=1)
    shares: Shares = sums[groups] / max(words.sum(), 1)
    return shares


@once_per_page
def _unlinked_words(page: Page) -> Ints:
    """Of each block the words that begin in a run outside of links."""
    runs = page.runs
    words = words_from(page, characters(page).begins[runs.block] + runs.start)
    link = nearest(page, "a")[runs.element]
    words[page.elements.codes[link] == page.markup.codes["a"]] = 0
    return np.bincount(runs.block, words, minlength=len(page))
