"""Where sentences end, and whether a block begins and ends like one."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from victorpy.blocks import Flags, Ints, Page, once_per_page
from victorpy.features.characters import (
    CLOSING,
    DIGIT,
    LETTER,
    LOWER,
    OPENING,
    TERMINAL,
    WHITE,
    Characters,
    Traits,
    characters,
)
from victorpy.features.tokens import words


@once_per_page
def _ends(page: Page) -> Ints:
    """The last of each run of sentence terminals; full stops alone must stand before space or a closing mark."""
    text = characters(page)
    is_terminal = text.are(TERMINAL)
    ends = np.flatnonzero(is_terminal[:-1] > is_terminal[1:])
    is_free = (text.traits[ends + 1] & (WHITE | CLOSING)) != 0
    found: Ints = ends[is_free | _holds_sure(text, is_terminal, ends)]
    return found


def _holds_sure(text: Characters, is_terminal: Flags, ends: Ints) -> Flags:
    """Is there any terminal but a full stop in the runs that end here?"""
    sure = np.flatnonzero(is_terminal & (text.codes != ord(".")))
    holds: Flags = np.diff(np.searchsorted(sure, ends, side="right"), prepend=0) > 0
    return holds


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
    """The first that has none of these traits, 0 where there is none."""
    place = int(((traits & skipped) == 0).argmax())
    return 0 if traits[place] & skipped else int(traits[place])
