"""Blocks that say the same, when only letters count."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from victorpy.blocks import Flags, Ints, Page, once_per_page
from victorpy.features.characters import LETTER, characters, count_before

Hashes = NDArray[np.uint64]

# Odd numbers of 64 bits without a pattern: the golden ratio's, and one from Steele & Vigna, "Computationally easy,
# spectrally good multipliers" (2022).
_MIXER = np.uint64(0x9E3779B97F4A7C15)
_BASE = np.uint64(0xD1342543DE82EF95)


def _computed_powers(count: int) -> Hashes:
    return np.multiply.accumulate(np.full(count, _BASE, np.uint64))


_USUAL_POWERS = _computed_powers(1 << 15)


class _Twins(NamedTuple):
    counts: Ints
    is_first: Flags


def duplicate_count(page: Page) -> Ints:
    return _twins(page).counts


def first_duplicate(page: Page) -> Flags:
    return _twins(page).is_first


@once_per_page
def _twins(page: Page) -> _Twins:
    _, firsts, groups, sizes = np.unique(_hashes(page), return_index=True, return_inverse=True, return_counts=True)
    is_first = np.zeros(len(page), np.bool_)
    is_first[firsts] = sizes > 1
    return _Twins(sizes[groups], is_first)


def _hashes(page: Page) -> Hashes:
    """Polynomials over each block's letters; shifted alike, so that a block's place on the page does not show."""
    text, letters_before = characters(page), count_before(page, LETTER)
    letters = text.codes.take(np.flatnonzero(text.are(LETTER))) * _MIXER
    letters ^= letters >> np.uint64(32)
    powers = _powers(len(letters) + 1)
    sums = np.zeros(len(letters) + 1, np.uint64)
    np.cumsum(letters * powers[:-1], out=sums[1:])
    first, behind = letters_before[text.begins], letters_before[text.ends]
    hashes: Hashes = (sums[behind] - sums[first]) * powers[len(letters) - first]
    return hashes


def _powers(count: int) -> Hashes:
    if count <= len(_USUAL_POWERS):
        return _USUAL_POWERS[:count]
    return _computed_powers(count)
