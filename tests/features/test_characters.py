import unicodedata

import numpy as np
import pytest

from victorpy.features.characters import (
    CLOSING,
    DIGIT,
    LETTER,
    LOWER,
    OPENING,
    PUNCTUATION,
    SOLID,
    TERMINAL,
    WHITE,
    count_before,
    counts,
    table,
)
from victorpy.segment import segment

# Scripts whose properties are the same in every Unicode that a Python may bring.
SETTLED = [
    *range(0x250),
    *range(0x391, 0x3A9),
    *range(0x400, 0x482),
    *range(0x5D0, 0x5EB),
    *range(0x621, 0x66A),
    *range(0x905, 0x939),
    *range(0xE01, 0xE3A),
    *range(0x2010, 0x2060),
    *range(0x3000, 0x30FF),
    *range(0x4E00, 0x4E40),
    *range(0xAC00, 0xAC40),
    *range(0xFF01, 0xFF60),
    *range(0x1F600, 0x1F640),
]


@pytest.mark.parametrize(
    ("trait", "categories"), [(LETTER, "LM"), (DIGIT, "N"), (PUNCTUATION, "P")], ids=["letter", "digit", "punctuation"]
)
def test_categories_are_those_of_unicode(trait, categories):
    expected = [unicodedata.category(chr(code))[0] in categories for code in SETTLED]

    assert ((table()[SETTLED] & trait) != 0).tolist() == expected


def test_white_space_is_that_by_which_text_is_split():
    assert np.flatnonzero(table() & WHITE).tolist() == [code for code in range(0x110000) if chr(code).isspace()]


@pytest.mark.parametrize(
    ("trait", "members", "others"),
    [
        (LOWER, "aßéжλ", "AÉЖΛ1猫"),
        (TERMINAL, ".!?…。！？।۔؟።។", ",;:·-，、¿¡՞"),
        (OPENING, "([{«“„‚‘\"'「¿¡»", ")]}.,-"),
        (CLOSING, ")]}»”’“\"'」«", "([{„.,-¿"),
        (SOLID, "猫ねこネコーแมวແມວឆ្မា"[:10], "catкотγάταقط고양이1。"),
    ],
    ids=["lower case", "sentence terminal", "opening", "closing", "without spaces"],
)
def test_traits(trait, members, others):
    assert [character for character in members if not table()[ord(character)] & trait] == []
    assert [character for character in others if table()[ord(character)] & trait] == []


def test_every_code_point_has_its_place():
    assert len(table()) == 0x110000


def test_counts_stay_within_a_block():
    page = segment("<p>a1<p>b<p>23")

    assert counts(page, DIGIT).tolist() == [1, 0, 2]
    assert count_before(page, DIGIT)[-1] == 3
