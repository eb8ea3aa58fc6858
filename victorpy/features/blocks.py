"""What a block's own text and tag say."""

from collections import Counter
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from victorpy.blocks import Page, once_per_page
from victorpy.elements import Ints
from victorpy.features.characters import CLOSING, DIGIT, LETTER, LOWER, SOLID, TERMINAL, WHITE, characters
from victorpy.features.letters import Floats, letters, share
from victorpy.features.rows import Table

# Signs that tell something wherever they stand in a block.
_SIGNS = {
    "commas": ",،、，;；",
    "colons": ":：",
    "copyright": "©®™℗",
    "currency": "$€£¥₽₹₩₴₺฿￥",
    "slashes": "/／",
    "bars": "|｜·•‧・",
    "arrows": "»›«‹→←↑↓▼▲►▶◀…<>",
    "quotes": '"“”„‟「」『』《》',
    "brackets": "()[]（）【】［］",
}
_PLACES = {name: place for place, name in enumerate(_SIGNS)}
# No letter, digit or white space is one of these, which leaves few characters to look at.
_NO_SIGN = LETTER | DIGIT | WHITE
# Signs beyond are none of these.
_LAST = 1 << 16

NAMES = (
    "block.letters",
    "block.linked",
    "block.link-share",
    "block.lower-share",
    "block.digit-share",
    "block.sign-share",
    "block.sentence-ends",
    "block.letters-per-sentence",
    "block.letters-per-word",
    "block.runs",
    "block.wide-share",
    "block.first",
    "block.last",
    "block.copies",
    *(f"block.{name}" for name in _SIGNS),
)


@lru_cache
def _numbers() -> NDArray[np.uint8]:
    numbers = np.zeros(_LAST + 1, np.uint8)
    for number, signs in enumerate(_SIGNS.values(), start=1):
        numbers[[ord(sign) for sign in signs]] = number
    return numbers


def count_of(page: Page, signs_of: str) -> Table:
    """Of one kind of signs."""
    count: Table = signs(page)[_PLACES[signs_of]]
    return count


@once_per_page
def signs(page: Page) -> Table:
    """How many of each kind of signs a block has."""
    text = characters(page)
    places = (text.traits & np.uint16(_NO_SIGN) == 0).nonzero()[0]
    numbers = _numbers().take(text.codes.take(places), mode="clip")
    blocks = text.ends.searchsorted(places)
    width = len(_SIGNS) + 1
    found = np.bincount(blocks * width + numbers, minlength=width * len(page))
    return found.reshape(len(page), width).T[1:].astype(np.float32)


@once_per_page
def copies(page: Page) -> Ints:
    """How many blocks say exactly the same."""
    counts = Counter(page.texts)
    return np.fromiter(map(counts.__getitem__, page.texts), np.intp, len(page))


@once_per_page
def own(page: Page) -> Table:
    found = letters(page)
    lengths = page.lengths
    signs_only = lengths - found.plain - found.digits - found.white
    columns: list[Floats | Ints] = [
        found.letters,
        found.linked,
        share(found.linked, found.letters),
        share(found.lower, found.plain),
        share(found.digits, lengths),
        share(signs_only, lengths),
        found.ends,
        found.letters / np.maximum(found.ends, 1),
        found.plain / (found.white + 1),
        found.runs,
        share(found.letters - found.plain, found.plain),
        *_borders(page),
        copies(page),
    ]
    return np.concatenate((np.array(columns, np.float32), signs(page)))


# By the traits of a character: the last that fits.
_BORDERS = np.zeros(2 * SOLID, np.uint8)
for _number, _wanted in enumerate((CLOSING, DIGIT, LETTER, LETTER | LOWER, TERMINAL), start=1):
    _BORDERS[(np.arange(2 * SOLID) & _wanted) == _wanted] = _number


def _borders(page: Page) -> tuple[Ints, Ints]:
    """What the first and the last character are."""
    text = characters(page)
    return _BORDERS.take(text.traits.take(text.begins)), _BORDERS.take(text.traits.take(text.ends - 1))
