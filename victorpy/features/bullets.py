"""Does a block begin with a bullet, like the items of a list: `1.`, `b)`, `•`?"""

import numpy as np

from victorpy.features.characters import DIGIT, LETTER, PUNCTUATION, SIGN, WHITE, Characters, Traits, characters
from victorpy.page.blocks import Page
from victorpy.page.elements import Ints

NUMBER, SINGLE_LETTER, SINGLE_SIGN = 1, 2, 3

_DELIMITERS = ".):-"
_OTHER_DELIMITER = 5
_MOST_DIGITS = 3

# The number of the delimiter, by code point.
_NUMBERS = np.full(128, _OTHER_DELIMITER, np.uint8)
_NUMBERS[[ord(delimiter) for delimiter in _DELIMITERS]] = range(1, len(_DELIMITERS) + 1)


def bullet(page: Page) -> Ints:
    """0 without a bullet, else kind * 8 + delimiter. Numbers and letters need a delimiter; white space must follow."""
    text = characters(page)
    bullets = np.zeros(len(page), np.uint8)
    first, second = text.traits[text.begins], text.traits[text.begins + 1]
    is_letter = ((first & LETTER) != 0) & ((second & PUNCTUATION) != 0)
    possible = np.flatnonzero(is_letter | ((first & (DIGIT | SIGN)) != 0))
    if len(possible):
        bullets[possible] = _bullets(text, first[possible], text.begins[possible])
    return bullets


def _bullets(text: Characters, first: Traits, begins: Ints) -> Ints:
    kinds = np.where(first & DIGIT, NUMBER, np.where(first & LETTER, SINGLE_LETTER, SINGLE_SIGN))
    after = begins + _lengths(text, begins)
    delimiters = np.where(text.traits[after] & PUNCTUATION, _NUMBERS.take(text.codes[after], mode="clip"), np.uint8(0))
    ends = text.traits.take(after + (delimiters > 0), mode="clip") & WHITE
    is_bullet = (ends != 0) & ((delimiters > 0) | (kinds == SINGLE_SIGN))
    return np.where(is_bullet, kinds * 8 + delimiters, 0)


def _lengths(text: Characters, begins: Ints) -> Ints:
    """The length of the symbol at each place: up to three digits, or one other character."""
    steps = np.arange(_MOST_DIGITS, dtype=np.int32)[:, None]
    are_digits = (text.traits.take(begins + steps, mode="clip") & DIGIT) != 0
    lengths: Ints = np.maximum(np.logical_and.accumulate(are_digits).sum(axis=0), 1)
    return lengths
