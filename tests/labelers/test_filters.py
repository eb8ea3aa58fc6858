import numpy as np
import pytest

from victorpy.blocks import Label
from victorpy.labelers.filters import without


@pytest.mark.parametrize(
    ("labels", "drops", "left"),
    [
        ("hpcc", "0100", "hopc"),
        ("lcocp", "10000", "olocp"),
        ("pccp", "1110", "ooop"),
        ("pcp", "001", "pco"),
        ("cp", "10", "op"),
    ],
)
def test_what_is_left_of_a_passage_keeps_its_kind(labels, drops, left):
    given = [Label.OTHER if letter == "o" else Label(letter) for letter in labels]
    flags = np.array([mark == "1" for mark in drops])

    assert "".join(label.value[0] for label in without(given, flags)) == left
