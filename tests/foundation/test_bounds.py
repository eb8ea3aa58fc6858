from dataclasses import dataclass
from math import nan

import pytest

from victorpy.errors import OptionError
from victorpy.foundation.bounds import AT_LEAST_0, AT_LEAST_1, FROM_0_TO_1, MORE_THAN_0, Range, check_bounds


@dataclass(frozen=True)
class Options:
    share: float = 0.5
    min_words: int | None = 3

    def __post_init__(self) -> None:
        check_bounds(self, {"share": FROM_0_TO_1, "min_words": AT_LEAST_1})


@pytest.mark.parametrize(
    ("allowed", "number", "message"),
    [
        (FROM_0_TO_1, 3, "expected a number from 0 to 1, got 3"),
        (FROM_0_TO_1, -0.5, "expected a number from 0 to 1, got -0.5"),
        (FROM_0_TO_1, nan, "expected a number from 0 to 1, got nan"),
        (AT_LEAST_0, -1.0, "expected at least 0, got -1"),
        (AT_LEAST_1, 0, "expected at least 1, got 0"),
        (MORE_THAN_0, 0, "expected more than 0, got 0"),
        (Range(above=0, most=1), 0, "expected more than 0 and at most 1, got 0"),
        (Range(0, below=1), 1, "expected at least 0 and less than 1, got 1"),
        (Range(1, 2**31 - 1), 2**31, "expected a number from 1 to 2147483647, got 2147483648"),
    ],
)
def test_a_number_out_of_its_range_is_refused(allowed, number, message):
    assert allowed.problem(number) == message


@pytest.mark.parametrize(
    ("allowed", "number"),
    [(FROM_0_TO_1, 0), (FROM_0_TO_1, 1), (AT_LEAST_0, 0.0), (Range(above=0, most=1), 1), (Range(0, below=1), 0)],
)
def test_a_range_includes_its_limits(allowed, number):
    assert allowed.problem(number) is None


def test_the_error_names_the_option_as_it_is_written_in_a_config():
    with pytest.raises(OptionError) as error:
        Options(min_words=0)

    assert str(error.value) == "min-words: expected at least 1, got 0"


def test_an_option_that_is_none_is_not_checked():
    assert Options(min_words=None).min_words is None
