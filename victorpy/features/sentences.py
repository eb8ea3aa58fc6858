"""Where sentences end, and whether a block begins and ends like one."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from victorpy.blocks import Flags, Ints, Page, once_per_page
from victorpy.features.characters import CLOSING, DIGIT, LETTER, LOWER, OPENING, TERMINAL, WHITE, characters
from victorpy.features.tokens import words


@once_per_page
def _ends(page: Page) -> Ints:
    """The last of each run of sentence terminals; full stops alone must stand before space or a closing mark."""
    text = characters(page)
    is_terminal = text.are(TERMINAL)
    places = np.flatnonzero(is_terminal)
    lasts = np.flatnonzero(~is_terminal[places + 1])
    is_sure = np.cumsum(text.codes[places] != ord("."))
    holds_sure = np.diff(is_sure[lasts], prepend=0) > 0
    ends = places[lasts]
    is_free = (text.traits[ends + 1] & (WHITE | CLOSING)) != 0
    found: Ints = ends[holds_sure | is_free]
    return found


@once_per_page
def sentences(page: Page) -> Ints:
    ends = _ends(page)
    return np.diff(np.searchsorted(ends, characters(page).begins), append=len(ends))


def sentence_count(page: Page) -> Ints:
    return sentences(page)


def words_per_sentence(page: Page) -> NDArray[np.floating[Any]]:
    return words(page) / np.maximum(sentences(page), 1)


def sentence_begin(page: Page) -> Flags:
    """Does the first character behind opening marks begin a sentence: a letter not in lower case, or a digit?"""
    text = characters(page)
    first = _after(text.are(OPENING | WHITE), text.begins)
    traits = text.traits[first]
    begins: Flags = (first < text.ends) & ((traits & (LETTER | DIGIT)) != 0) & ((traits & LOWER) == 0)
    return begins


def sentence_end(page: Page) -> Flags:
    """Is the last character before closing marks a sentence terminal?"""
    text = characters(page)
    last = _before(text.are(CLOSING | WHITE), text.ends - 1)
    ends: Flags = (last >= text.begins) & ((text.traits[last] & TERMINAL) != 0)
    return ends


def _after(is_skipped: Flags, places: Ints) -> Ints:
    """The first place not skipped, from each of these on."""
    last = len(is_skipped) - 1
    return last - _before(is_skipped[::-1], last - places)


def _before(is_skipped: Flags, places: Ints) -> Ints:
    """The last place not skipped, from each of these back; a place and the count of skips before it tell runs apart."""
    to_move = np.flatnonzero(is_skipped[places])
    if not len(to_move):
        return places
    skipped = np.flatnonzero(is_skipped)
    runs = skipped - np.arange(len(skipped))
    own_run = runs[np.searchsorted(skipped, places[to_move])]
    moved = places.copy()
    moved[to_move] = np.maximum(skipped[np.searchsorted(runs, own_run)] - 1, 0)
    return moved
