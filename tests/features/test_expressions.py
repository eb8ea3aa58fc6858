import re

import pytest

from victorpy.errors import VictorError
from victorpy.features import features
from victorpy.page.segment import segment


def column(expressions: list[str], *texts: str) -> list[int]:
    page = segment("".join(f"<p>{text}" for text in texts))
    return features(["regexp.x"], {"x": expressions})["regexp.x"](page).tolist()


def test_the_first_expression_that_matches_gives_the_number():
    dates = [r"\d{4}-\d\d-\d\d", r"\d{1,2}/\d{1,2}/\d{4}", r"\d{4}"]

    assert column(dates, "on 2012-05-06", "5/6/2012", "in 2012", "never", "5/6/2012 or 2012-05-06") == [1, 2, 3, 0, 1]


@pytest.mark.parametrize(
    ("expression", "numbers"),
    [
        (r"^two", [0, 1, 0]),
        (r"one$", [1, 0, 1]),
        (r"\Athree", [0, 0, 1]),
        (r"one\Z", [1, 0, 1]),
        (r"one\s+two", [0, 0, 0]),
        (r"one(\s+two)?", [1, 0, 1]),
        (r"(?<!\s)two", [0, 1, 0]),
        (r"four(?!\s)", [0, 1, 0]),
        (r"(?i)TWO", [0, 1, 0]),
        (r"", [1, 1, 1]),
    ],
)
def test_expressions_see_one_block_at_a_time(expression, numbers):
    assert column([expression], "one", "two four", "three one") == numbers


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (r"\d{1,2}[./-]\d{1,2}", "7/8"),
        (r"\d+-?\d+", "12"),
        (r"\d{2,}:", "123:"),
        (r"x{5,9}y", "xxxxxy"),
        (r"(?:https?|ftp)://|www\.", "www.x"),
        (r"(?:https?|ftp)://|www\.", "ftp://x"),
        (r"(?i)www\.", "WWW.X"),
        (r"(?i:w)\.", "W."),
        (r"\d(?x: : \d | \.? [ap]m )", "1pm"),
        (r"(?i)a(?-i:b)", "Ab"),
        (r"\d(?:a|bc){2}-", "1abc-"),
        (r"x(?:\d|-)+y", "x1-y"),
        (r"a(?:b|)c", "ac"),
        (r"(ab)+-(?:c|d)?e", "abab-e"),
        (r"[^a]b", "cb"),
        (r"[0-9a-f]x", "ax"),
        (r"[!-/]x", "+x"),
        (r"1\b,", "1,"),
        (r"\d(?=:)", "1:"),
        (r"a.c|b", "b"),
        (r"(a)?(?(1)b|c)", "c"),
        (r"٣", "٣"),
        (r"\d", "٣"),
        (r"a||b", "z"),
        ("a(?x: b # [ \n )|c|d(?x: e # ] \n )", "c"),
        (r"a(?:b|\))|[(]c", "(c"),
        (r"a+b", "aab"),
        (r"x?y", "y"),
        (r"x*y", "y"),
        (r"x{,2}y", "y"),
        (r"x{0,2}y", "y"),
        (r"x{2", "x{2"),
        (r"[]x]y", "]y"),
        (r"[^]x]y", "zy"),
        (r"[\]x]y", "]y"),
        (r"[a-z]\|", "x|"),
        (r"\.\s", ". x"),
        (r"\w\b!", "й!"),
        (r"[😀-😂]x", "😁x"),
        (r"\W😀", "!😀"),
        (r"(a)\1", "aa"),
        (r"\x41b", "Ab"),
    ],
)
def test_no_match_is_missed_by_ruling_out_blocks(expression, text):
    assert re.search(expression, text)
    assert column([expression], "other", text, f"before {text} behind")[1:] == [1, 1]


def test_a_broken_expression_is_named():
    with pytest.raises(VictorError, match=r"regexp\.x: not a regular expression: '\('"):
        column(["("], "text")
