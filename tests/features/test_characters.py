import unicodedata

import numpy as np
import pytest

from victorpy.features.characters import (
    CLOSING,
    DIGIT,
    LETTER,
    LOWER,
    OPENING,
    PIECE,
    PUNCTUATION,
    SOLID,
    TERMINAL,
    WHITE,
    counts,
    pieces,
    table,
)
from victorpy.page.segment import segment

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

    letters, digits, *_ = counts(page).tolist()
    assert (letters, digits) == ([1, 1, 0], [1, 0, 2])


@pytest.mark.parametrize("text", ["a", "é", "猫", "😀"], ids=["ascii", "latin", "wide", "widest"])
def test_pages_of_many_pieces_are_counted_like_short_ones(text):
    long = text * (3 * PIECE) + "12"
    page = segment(f"<p>{text}<p>{long}<p>{text}<p>{'1 ' * PIECE}x")

    is_letter = int(text.isalpha())
    assert counts(page)[0].tolist() == [is_letter, is_letter * 3 * PIECE, is_letter, 1]
    assert counts(page)[1].tolist() == [0, 2, 0, PIECE]
    assert counts(page)[3].tolist() == [0, 0, 0, PIECE]


def test_pieces_name_the_stretches_that_reach_into_them():
    begins, ends = np.array([1, 5, 2 * PIECE]), np.array([4, PIECE + 7, 2 * PIECE + 2])

    cut = [(piece.stretches, piece.begins.tolist(), piece.ends.tolist()) for piece in pieces(3 * PIECE, begins, ends)]

    assert cut == [
        (slice(0, 2), [1, 5], [4, PIECE]),
        (slice(1, 2), [0], [7]),
        (slice(2, 3), [0], [2]),
    ]
