"""Groups blocks by the nearest div, or table cell, around them, and finds each group's share of the page's words."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from victorpy.features.characters import characters
from victorpy.features.tags import are_inside
from victorpy.features.tokens import words, words_from
from victorpy.page.blocks import Page, nearest, once_per_page
from victorpy.page.elements import Ints

Shares = NDArray[np.floating[Any]]


def word_ratio(tag: str, page: Page) -> Shares:
    """The share of the page's words outside links that are in the block's group."""
    return _ratios(page, tag)


@once_per_page
def _ratios(page: Page, tag: str) -> Shares:
    words = unlinked_words(page)
    groups = _groups(page, tag)
    sums = np.bincount(groups, words, minlength=1)
    shares: Shares = sums[groups] / max(words.sum(), 1)
    return shares


def _groups(page: Page, tag: str) -> Ints:
    if not are_inside(tag, page, page.element).any():
        return np.zeros(len(page), np.int32)
    return nearest(page, tag).take(page.element)


@once_per_page
def unlinked_words(page: Page) -> Ints:
    """The words of each block that begin outside links."""
    runs = page.runs
    is_linked = are_inside("a", page, runs.element)
    if len(runs.block) == len(page):
        return np.where(is_linked, 0, words(page))
    unlinked = np.where(is_linked, 0, words_from(page, characters(page).begins[runs.block] + runs.start))
    return np.bincount(runs.block, unlinked, minlength=len(page))
