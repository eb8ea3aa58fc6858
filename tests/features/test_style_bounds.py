"""Expressions for styles and attributes read each character a fixed number of times."""

import time

import pytest

from victorpy.features.css_styles import _RULE
from victorpy.labelers.blogbuster.post_nodes import _ATTRIBUTE


@pytest.mark.parametrize("expression", [_RULE, _ATTRIBUTE], ids=["rule", "attribute"])
def test_a_long_word_takes_linear_time(expression):
    begun = time.process_time()

    assert expression.findall("a" * 200_000) == []
    assert time.process_time() - begun < 1
