"""The position of a block on its page, and figures of the page that all its blocks share."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from victorpy.features.groups import word_ratio
from victorpy.features.sentence_figures import sentences
from victorpy.features.tokens import words
from victorpy.page.blocks import Page
from victorpy.page.elements import Ints

Numbers = NDArray[np.floating[Any]]


def position(page: Page) -> Numbers:
    """0 for the first block, 1 for the last."""
    return np.arange(len(page)) / max(len(page) - 1, 1)


def word_count(page: Page) -> Ints:
    return np.full(len(page), words(page).sum())


def sentence_count(page: Page) -> Ints:
    return np.full(len(page), sentences(page).sum())


def block_count(page: Page) -> Ints:
    return np.full(len(page), len(page), np.int32)


def largest_group(tag: str, page: Page) -> Numbers:
    return np.full(len(page), word_ratio(tag, page).max(initial=0.0))
