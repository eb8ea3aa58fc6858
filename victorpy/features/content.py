"""What a block's characters and tokens are, as counts and as shares."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from victorpy.blocks import Ints, Page
from victorpy.features.characters import DIGIT, LETTER, PUNCTUATION, WHITE, counts
from victorpy.features.tokens import token_counts

Shares = NDArray[np.floating[Any]]


def character_share(trait: int, page: Page) -> Shares:
    return counts(page, trait) / np.maximum(page.lengths, 1)


def other_character_share(page: Page) -> Shares:
    known = sum(counts(page, trait) for trait in (LETTER, DIGIT, PUNCTUATION, WHITE))
    return (page.lengths - known) / np.maximum(page.lengths, 1)


def token_count(kind: int, page: Page) -> Ints:
    counts: Ints = token_counts(page)[kind]
    return counts


def token_share(kind: int, page: Page) -> Shares:
    counts = token_counts(page)
    shares: Shares = counts[kind] / np.maximum(counts.sum(axis=0), 1)
    return shares
