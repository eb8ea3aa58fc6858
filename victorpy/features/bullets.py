"""Does a block begin with a bullet, as items of a list do: `1.`, `b)`, `•`?"""

import numpy as np

from victorpy.blocks import Ints, Page
from victorpy.features.characters import DIGIT, LETTER, PUNCTUATION, SIGN, WHITE, Characters, characters

NUMBER, SINGLE_LETTER, SINGLE_SIGN = 1, 2, 3

_DELIMITERS = ".):-"
_OTHER_DELIMITER = 5
_MOST_DIGITS = 3


def bullet(page: Page) -> Ints:
    """0 for none, else kind * 8 + delimiter; a number or a letter must have a delimiter, and white space follows."""
    text = characters(page)
    kinds, lengths = _symbols(text)
    behind = text.begins + lengths
    delimiters = _delimiters(text, behind)
    ends = (_traits(text, behind + (delimiters > 0)) & WHITE) != 0
    is_bullet = (kinds > 0) & ends & ((delimiters > 0) | (kinds == SINGLE_SIGN))
    return np.where(is_bullet, kinds * 8 + delimiters, 0)


def _symbols(text: Characters) -> tuple[Ints, Ints]:
    """The kind of each block's first symbol, 0 where it can be no bullet's, and its length."""
    steps = np.arange(_MOST_DIGITS)[:, None]
    are_digits = (_traits(text, text.begins + steps) & DIGIT) != 0
    digits = np.logical_and.accumulate(are_digits).sum(axis=0)
    first = text.traits[text.begins]
    kinds = np.where(digits > 0, NUMBER, 0)
    kinds[(first & LETTER) != 0] = SINGLE_LETTER
    kinds[(first & SIGN) != 0] = SINGLE_SIGN
    return kinds, np.maximum(digits, 1)


def _delimiters(text: Characters, places: Ints) -> Ints:
    codes = text.codes[places]
    delimiters = np.where((text.traits[places] & PUNCTUATION) != 0, _OTHER_DELIMITER, 0)
    for number, delimiter in enumerate(_DELIMITERS, start=1):
        delimiters[codes == ord(delimiter)] = number
    return delimiters


def _traits(text: Characters, places: Ints) -> Ints:
    return text.traits[np.minimum(places, len(text.traits) - 1)]
