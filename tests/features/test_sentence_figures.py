import pytest

from victorpy.features import features
from victorpy.page.segment import segment


def column(name: str, *texts: str) -> list[float]:
    return features([name])[name](segment("".join(f"<p>{text}" for text in texts))).tolist()


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("No end", 0),
        ("One. Two! Three?", 3),
        ("What?! Well...", 2),
        ("3.14 of www.example.com", 0),
        ("(He left.) “She stayed.”", 2),
        ("Oh.No", 0),
        ("眠る。起きる！走る", 2),
        ("वह सोया। वह उठा।", 2),
        ("نام؟ نعم۔", 2),
        ("Wait… what", 1),
        (".", 1),
    ],
)
def test_sentences_are_counted_by_their_ends(text, count):
    assert column("sentence.count", text, "x", text) == [count, 0, count]


def test_the_length_of_a_sentence_is_counted_in_words():
    assert column("sentence.avg-length", "One two. Three – four.", "no end at all", "- -") == [2, 4, 0]


@pytest.mark.parametrize(
    ("text", "begins"),
    [
        ("He slept", True),
        ("he slept", False),
        ("“He slept”", True),
        ("(« he slept", False),
        ("¿Qué?", True),
        ("3 cats", True),
        ("猫", True),
        ("- He slept", False),
        ("“(", False),
        ("Éva", True),
        ("“ ( « “ ‘ Éva", True),
    ],
)
def test_a_sentence_begins_with_a_capital_or_a_digit(text, begins):
    assert column("sentence-begin", text, "(", text) == [begins, False, begins]


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("He slept.", True),
        ("He slept", False),
        ("“He slept!”)", True),
        ("« Il dort. »", True),
        ("He slept,", False),
        ("眠る。」", True),
        (")”", False),
        ("Note:", False),
        ("..” ) ’ ) ” ) ’", True),
    ],
)
def test_a_sentence_ends_with_a_terminal(text, ends):
    assert column("sentence-end", text, ")", text) == [ends, False, ends]
