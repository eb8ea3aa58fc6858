import argparse
from math import inf

import pytest

from victorpy.cli.option_numbers import at_least_1, number, share
from victorpy.foundation.bounds import MORE_THAN_0, Range

BIAS = number(float, Range(-100, 100), {"precision": -1.0, "recall": 1.0})


@pytest.mark.parametrize(
    ("read", "word", "value"),
    [
        (share, "0", 0),
        (share, "1", 1),
        (share, "2.5e-1", 0.25),
        (at_least_1, "1", 1),
        (at_least_1, "1000000", 1_000_000),
        (number(int), "-3", -3),
        (number(float, MORE_THAN_0), "inf", inf),
        (BIAS, "recall", 1),
        (BIAS, "-100", -100),
    ],
)
def test_a_number_in_its_range_is_read(read, word, value):
    assert read(word) == value


@pytest.mark.parametrize(
    ("read", "word", "expected"),
    [
        (share, "high", "a number from 0 to 1"),
        (share, "1.1", "a number from 0 to 1"),
        (share, "nan", "a number from 0 to 1"),
        (share, "", "a number from 0 to 1"),
        (at_least_1, "0", "a whole number (at least 1)"),
        (at_least_1, "1.5", "a whole number (at least 1)"),
        (number(int), "many", "a whole number"),
        (number(float), "nan", "a number"),
        (number(float, MORE_THAN_0), "0", "a number (more than 0)"),
        (BIAS, "wide", "precision, recall or a number from -100 to 100"),
    ],
)
def test_any_other_word_is_refused_with_what_is_expected(read, word, expected):
    with pytest.raises(argparse.ArgumentTypeError) as error:
        read(word)

    assert str(error.value) == f"expected {expected}, got '{word}'"
