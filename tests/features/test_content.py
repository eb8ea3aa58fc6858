import pytest

from victorpy.features import features
from victorpy.page.segment import segment


def column(name: str, html: str) -> list[float]:
    return features([name])[name](segment(html)).tolist()


@pytest.mark.parametrize(
    ("kind", "share"),
    [("alpha", 0.4), ("num", 0.2), ("punct", 0.1), ("white", 0.2), ("other", 0.1)],
)
def test_shares_of_characters(kind, share):
    assert column(f"char.{kind}-rel", "<p>abcd 12 !+<p>abcd 12 !+") == [share, share]


def test_combining_marks_are_letters():
    assert column("char.alpha-rel", "<p>ne\N{COMBINING ACUTE ACCENT}<p>हिन्दी") == [1, 1]


@pytest.mark.parametrize(("kind", "count"), [("alpha", 3), ("num", 2), ("mix", 1), ("other", 2)])
def test_the_kind_of_a_token_depends_on_its_letters_and_digits(kind, count):
    html = "<p>Well, it's over: 3.14 - 42% 3rd &"

    assert column(f"token.{kind}-abs", html) == [count]
    assert column(f"token.{kind}-rel", html) == [count / 8]


@pytest.mark.parametrize(
    ("text", "alpha", "num", "mix", "other"),
    [
        ("猫は眠る", 4, 0, 0, 0),
        ("2012年", 1, 1, 0, 0),
        ("年2012", 1, 1, 0, 0),
        ("猫。犬、 鳥", 3, 0, 0, 0),
        ("猫。2012", 1, 1, 0, 0),
        ("「猫」 cat", 2, 0, 0, 0),
        ("iPhoneを買う", 4, 0, 0, 0),
        ("แมว", 3, 0, 0, 0),
        ("ที่", 1, 0, 0, 0),
        ("고양이 둘", 2, 0, 0, 0),
        ("猫 !", 1, 0, 0, 1),
    ],
    ids=[
        "letters",
        "number before",
        "number behind",
        "punctuation",
        "number behind punctuation",
        "brackets",
        "latin",
        "thai",
        "marks",
        "hangul",
        "sign",
    ],
)
def test_letters_of_scripts_without_spaces_are_tokens(text, alpha, num, mix, other):
    expected = {"alpha": alpha, "num": num, "mix": mix, "other": other}

    assert {kind: column(f"token.{kind}-abs", f"<p>{text}")[0] for kind in expected} == expected


def test_scripts_with_spaces_keep_their_tokens_beside_scripts_without():
    assert column("token.alpha-abs", "<p>don't stop<p>猫犬<p>don't") == [2, 2, 1]


def test_a_token_ends_with_its_block():
    assert column("token.alpha-abs", "<p>one<b>two</b>") == [1, 1]
