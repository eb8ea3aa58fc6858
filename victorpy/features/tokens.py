"""Tokens are runs of non-white space; where a script puts no spaces between words, every letter is one."""

from typing import NamedTuple

import numpy as np

from victorpy.blocks import Flags, Ints, Page, once_per_page
from victorpy.features.characters import DIGIT, LETTER, MARK, SOLID, WHITE, Characters, characters, count_before

OTHER, ALPHA, NUM, MIX = range(4)


class Tokens(NamedTuple):
    """A token has a letter (ALPHA), a digit (NUM), both or none; `firsts` is a block's first token."""

    begins: Ints
    kinds: Ints
    firsts: Ints


@once_per_page
def tokens(page: Page) -> Tokens:
    text = characters(page)
    begins = np.flatnonzero(_are_begins(page, text))
    kinds = _any_in(page, LETTER, begins) * ALPHA + _any_in(page, DIGIT, begins) * NUM
    return Tokens(begins, kinds, np.searchsorted(begins, text.begins))


def _are_begins(page: Page, text: Characters) -> Flags:
    is_white = text.are(WHITE)
    is_begin = np.zeros(len(is_white), np.bool_)
    np.greater(is_white[:-1], is_white[1:], out=is_begin[1:])
    is_solid = text.are(SOLID)
    if is_solid.any():
        is_begin[_begins_inside(page, text, is_solid)] = True
    return is_begin


def _begins_inside(page: Page, text: Characters, is_solid: Flags) -> Ints:
    """Letters and digits that no white space parts from the one before, where either needs no space."""
    places = np.flatnonzero(text.are(LETTER | DIGIT) & ~text.are(MARK))
    is_joined = np.diff(count_before(page, WHITE)[places]) == 0
    is_next_to_solid = is_solid[places[1:]] | is_solid[places[:-1]]
    begins: Ints = places[1:][is_joined & is_next_to_solid]
    return begins


def _any_in(page: Page, trait: int, begins: Ints) -> Flags:
    before = count_before(page, trait)
    return np.diff(before[begins], append=before[-1:]) > 0


@once_per_page
def token_counts(page: Page) -> Ints:
    """A row for each kind: how many tokens of it each block has."""
    _, kinds, firsts = tokens(page)
    blocks = np.repeat(np.arange(len(page)), np.diff(firsts, append=len(kinds)))
    return np.bincount(kinds * len(page) + blocks, minlength=4 * len(page)).reshape(4, -1)


@once_per_page
def words(page: Page) -> Ints:
    """The tokens of each block that hold a letter or a digit."""
    counts: Ints = token_counts(page)[ALPHA:].sum(axis=0)
    return counts


def words_from(page: Page, places: Ints) -> Ints:
    """The words that begin from each of these ascending places of the text up to the next."""
    begins, kinds, _ = tokens(page)
    before = np.concatenate(([0], np.cumsum(kinds != OTHER)))
    return np.diff(before[np.searchsorted(begins, places)], append=before[-1:])
