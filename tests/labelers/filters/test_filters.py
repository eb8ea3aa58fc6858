import numpy as np
import pytest

from victorpy.labelers.everything import Everything
from victorpy.labelers.filters import Dropped, Filtered, without
from victorpy.page.blocks import Label
from victorpy.page.segment import segment


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


class First:
    """Drops the first block that is left, and says how many there were."""

    knowledge = ""

    def dropped(self, page, labels):
        content = [number for number, label in enumerate(labels) if label.is_content]
        drops = np.zeros(len(page), np.bool_)
        drops[content[:1]] = True
        return Dropped(drops, f"{len(content)} were left")


def test_each_filter_gets_what_the_filters_before_it_left_and_all_reasons_are_given():
    page = segment("<p>one<p>two<p>three")

    labeling = Filtered(Everything(), (First(), First())).labeling(page)

    assert labeling.labels == ["other", "other", "p"]
    assert labeling.reason == "3 were left; 2 were left"
