"""Tokens: runs of characters without white space. In scripts without spaces between words, each letter is a token."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from victorpy.features.characters import DIGIT, LETTER, MARK, SOLID, WHITE, Characters, characters, counted
from victorpy.page.blocks import Page, once_per_page
from victorpy.page.elements import Flags, Ints

# The combinations of the bits LETTER and DIGIT.
OTHER, ALPHA, NUM, MIX = 0, LETTER, DIGIT, LETTER | DIGIT

_FIELDS = np.array([1, 1 << 16, 1 << 32, 1 << 48], np.uint64)


class Tokens(NamedTuple):
    """Where tokens begin, and their kinds: with letters (ALPHA), digits (NUM), both (MIX) or neither (OTHER)."""

    begins: Ints
    kinds: NDArray[np.uint8]

    def before(self, places: Ints) -> Ints:
        """How many tokens begin before each place."""
        return np.searchsorted(self.begins, places.astype(self.begins.dtype, copy=False)).astype(np.int32)


@once_per_page
def tokens(page: Page) -> Tokens:
    text = characters(page)
    begins = np.flatnonzero(_are_begins(text)).astype(np.int32)
    kinds = np.bitwise_or.reduceat(text.traits, begins) & np.uint16(MIX)
    return Tokens(begins, kinds.astype(np.uint8))


def _are_begins(text: Characters) -> Flags:
    is_white = text.are(WHITE)
    is_begin = np.zeros(len(is_white), np.bool_)
    np.greater(is_white[:-1], is_white[1:], out=is_begin[1:])
    is_solid = text.are(SOLID)
    if is_solid.any():
        is_begin[_begins_inside(text, is_solid)] = True
    return is_begin


def _begins_inside(text: Characters, is_solid: Flags) -> Ints:
    """Letters and digits that follow another without white space, if the script of either uses no spaces."""
    places = np.flatnonzero(text.are(LETTER | DIGIT) & ~text.are(MARK))
    is_joined = np.diff(np.cumsum(text.are(WHITE), dtype=np.int32)[places]) == 0
    is_next_to_solid = is_solid[places[1:]] | is_solid[places[:-1]]
    begins: Ints = places[1:][is_joined & is_next_to_solid]
    return begins


@once_per_page
def token_counts(page: Page) -> Ints:
    """How many tokens of each kind each block has, with a row for each kind."""
    found = tokens(page)
    firsts = found.before(characters(page).begins)
    return counted(found.kinds, _FIELDS, firsts, np.append(firsts[1:], np.int32(len(found.kinds))))


@once_per_page
def words(page: Page) -> Ints:
    """How many tokens of each block have a letter or a digit."""
    counts: Ints = token_counts(page)[ALPHA:].sum(axis=0)
    return counts


def words_from(page: Page, places: Ints) -> Ints:
    """How many words begin between each of the ascending places and the next."""
    found = tokens(page)
    before = np.zeros(len(found.kinds) + 1, np.int32)
    np.cumsum(found.kinds != OTHER, out=before[1:])
    return np.diff(before[found.before(places)], append=before[-1:])
