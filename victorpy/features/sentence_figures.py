"""Counts sentences, and tests whether a block begins and ends like one."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from victorpy.features.characters import (
    CLOSING,
    DIGIT,
    LETTER,
    LOWER,
    OPENING,
    TERMINAL,
    WHITE,
    Codes,
    Traits,
    characters,
    counts_from,
)
from victorpy.features.tokens import words
from victorpy.page.blocks import Page, once_per_page
from victorpy.page.elements import Flags, Ints


@once_per_page
def sentence_ends(page: Page) -> Ints:
    """The last of each run of sentence terminals. A run of full stops counts only before space or a closing mark."""
    text = characters(page)
    places = text.are(TERMINAL).nonzero()[0]
    is_last = np.ones(len(places), np.bool_)
    np.not_equal(places[1:], places[:-1] + 1, out=is_last[:-1])
    lasts = is_last.nonzero()[0]
    ends = places.take(lasts)
    is_free = (text.traits.take(ends + 1) & (WHITE | CLOSING)) != 0
    found: Ints = ends.compress(is_free | _holds_sure(text.codes.take(places), lasts))
    return found


def _holds_sure(terminals: Codes, lasts: Ints) -> Flags:
    """Does each run contain a terminal other than a full stop?"""
    sure = np.zeros(len(lasts) + 1, np.intp)
    sure[1:] = (terminals != ord(".")).cumsum().take(lasts)
    holds: Flags = sure[1:] > sure[:-1]
    return holds


@once_per_page
def sentences(page: Page) -> Ints:
    return counts_from(sentence_ends(page), characters(page).begins)


def sentence_count(page: Page) -> Ints:
    return sentences(page)


def words_per_sentence(page: Page) -> NDArray[np.floating[Any]]:
    return words(page) / np.maximum(sentences(page), 1)


def sentence_begin(page: Page) -> Flags:
    """Can the first character after opening marks begin a sentence: a digit, or a letter not in lower case?"""
    text = characters(page)
    traits = text.traits[text.begins]
    for block in np.flatnonzero(traits & (OPENING | WHITE)).tolist():
        traits[block] = _first_without(OPENING | WHITE, text.traits[text.begins[block] : text.ends[block]])
    begins: Flags = ((traits & (LETTER | DIGIT)) != 0) & ((traits & LOWER) == 0)
    return begins


def sentence_end(page: Page) -> Flags:
    """Is the last character before closing marks a sentence terminal?"""
    text = characters(page)
    traits = text.traits[text.ends - 1]
    for block in np.flatnonzero(traits & (CLOSING | WHITE)).tolist():
        traits[block] = _first_without(CLOSING | WHITE, text.traits[text.begins[block] : text.ends[block]][::-1])
    ends: Flags = (traits & TERMINAL) != 0
    return ends


def _first_without(skipped: int, traits: Traits) -> int:
    """The first traits without any of the skipped ones, or 0."""
    place = int(((traits & skipped) == 0).argmax())
    return 0 if traits[place] & skipped else int(traits[place])
