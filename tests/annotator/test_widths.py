import pytest

from victorpy.annotator.widths import cut, cut_left, filled, visible, width, wrapped

TEXTS = [
    "a plain text of some words",
    "港口新闻 on one line 与桥梁",
    "Cafe\u0301 na\u0308r de\u0301ja\u0300 vu",
    "שלום עולם and مرحبا بالعالم",
    "the 🚢 sails 🌊 away",
    "Donaudampfschifffahrtsgesellschaftskapitän" * 3,
]


@pytest.mark.parametrize(
    ("text", "cells"), [("abc", 3), ("港口", 4), ("e\u0301", 1), ("שלום", 4), ("🚢", 2), ("a\u200bb", 2), ("", 0)]
)
def test_text_is_measured_in_cells(text, cells):
    assert width(text) == cells


def test_a_filled_text_is_exactly_as_wide_as_asked():
    wrong = [(size, text) for size in (1, 2, 7, 20, 200) for text in TEXTS if width(filled(text, size)) != size]

    assert not wrong


def test_wrapped_lines_fit():
    wide = [(size, text) for size in (2, 7, 20) for text in TEXTS if max(map(width, wrapped(text, size, 1_000))) > size]

    assert not wide


def test_wrapped_lines_hold_the_whole_text():
    lines = {(size, text): wrapped(text, size, 1_000) for size in (2, 7, 20) for text in TEXTS}

    assert not [key for key, each in lines.items() if "".join("".join(each).split()) != "".join(key[1].split())]


def test_lines_break_between_words_and_the_last_one_says_that_there_is_more():
    assert wrapped("the ferry leaves at seven", 10, 2) == ["the ferry", "leaves at…"]
    assert wrapped("the ferry", 10, 3) == ["the ferry"]
    assert wrapped("", 10, 3) == [""]


def test_texts_are_cut_at_either_end():
    assert cut("the ferry", 5) == "the …"
    assert cut("港口新闻", 5) == "港口…"
    assert cut_left("body › div › p", 7) == "…iv › p"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\x1b[31mb", "a␛[31mb"),
        ("a\nb\tc", "a⏎b c"),
        ("left \u202eright\u202c", "left \ufffdright\ufffd"),
        ("half \ud800 a pair", "half \ufffd a pair"),
        ("soft\u00adly", "softly"),
        ("plain, שלום", "plain, שלום"),
    ],
)
def test_control_characters_are_made_visible(text, shown):
    assert visible(text) == shown
