"""Counts and shares of the kinds of characters and tokens in a block."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from victorpy.features.characters import COUNTED, counts
from victorpy.features.tokens import token_counts
from victorpy.page.blocks import Page, once_per_page
from victorpy.page.elements import Ints

Shares = NDArray[np.floating[Any]]


def character_share(trait: int, page: Page) -> Shares:
    shares: Shares = _character_shares(page)[COUNTED.index(trait)]
    return shares


def character_count(trait: int, page: Page) -> Ints:
    found: Ints = counts(page)[COUNTED.index(trait)]
    return found


def other_character_count(page: Page) -> Ints:
    others: Ints = page.lengths - counts(page).sum(axis=0)
    return others


def other_character_share(page: Page) -> Shares:
    others: Shares = other_character_count(page) / np.maximum(page.lengths, 1)
    return others


def token_count(kind: int, page: Page) -> Ints:
    counts: Ints = token_counts(page)[kind]
    return counts


def token_share(kind: int, page: Page) -> Shares:
    shares: Shares = _token_shares(page)[kind]
    return shares


@once_per_page
def _character_shares(page: Page) -> Shares:
    return counts(page) / np.maximum(page.lengths, 1)


@once_per_page
def _token_shares(page: Page) -> Shares:
    counts = token_counts(page)
    shares: Shares = counts / np.maximum(counts.sum(axis=0), 1)
    return shares
