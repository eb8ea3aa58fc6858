import pytest

from victorpy.foundation.words import GOLD_WORD, RUNNING_WORD, SCORED_WORD, SIGNATURE_WORD, TOKEN

WORDS = {
    "gold": GOLD_WORD,
    "running": RUNNING_WORD,
    "scored": SCORED_WORD,
    "signature": SIGNATURE_WORD,
    "token": TOKEN,
}


@pytest.mark.parametrize("words", WORDS.values(), ids=WORDS)
def test_spaces_and_full_stops_separate_words(words):
    assert [word for word in words.findall("The ferry. It leaves") if word != "."] == ["The", "ferry", "It", "leaves"]


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        ("scored", "渡轮七点", ["渡轮七点"]),
        ("running", "渡轮七点", ["渡轮七点"]),
        ("gold", "渡轮七点", ["渡", "轮", "七", "点"]),
        ("signature", "渡轮七点", ["渡", "轮", "七", "点"]),
        ("token", "渡轮七点", ["渡", "轮", "七", "点"]),
        ("gold", "བོད", ["བ", "ད"]),
        ("signature", "བོད", ["བ", "ོ", "ད"]),
        ("scored", "की", ["क"]),
        ("running", "की", ["की"]),
        ("token", "की", ["की"]),
        ("scored", "sea_view", ["sea_view"]),
        ("signature", "sea_view", ["sea", "view"]),
        ("token", "sea_view", ["sea", "_", "view"]),
        ("running", "don't", ["don't"]),
        ("gold", "don't", ["don", "t"]),
    ],
)
def test_each_kind_of_word_has_its_own_rules(kind, text, expected):
    assert WORDS[kind].findall(text) == expected
