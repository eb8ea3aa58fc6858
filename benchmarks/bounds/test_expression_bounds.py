"""No regular expression of the package takes out of proportion on its worst input: `pytest benchmarks/bounds`."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))

from expressions import MOST_SECONDS, expressions, worst


@pytest.mark.parametrize("expression", expressions(), ids=lambda expression: expression.name)
def test_five_megabytes_of_the_worst_input_are_matched_in_time(expression):
    found = worst(expression)

    assert found.seconds < MOST_SECONDS, found.text[:200]
