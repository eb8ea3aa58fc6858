"""What the core needs of a card is read without PyYAML."""

from pathlib import Path

import pytest

from victorpy.foundation.resources import shipped
from victorpy.models import core_cards


def test_the_card_of_the_shipped_model_is_read_alike_with_and_without_yaml():
    path = shipped("models") / "web" / "model.yaml"
    card = path.read_text("utf-8")

    assert core_cards._plain(card) == core_cards._by_yaml(card, path)


def test_a_card_that_was_edited_is_read_with_yaml():
    card = (shipped("models") / "web" / "model.yaml").read_text("utf-8")
    edited = card.replace("segmenter: 2", "segmenter: '2' # as before")

    assert core_cards.core_card(edited, Path("model.yaml")) == core_cards.core_card(card, Path("model.yaml"))


@pytest.mark.parametrize(
    ("before", "after"),
    [("segmenter: 2", "segmenter: 1"), ("share: 1", "share: 0.5"), ("method: expected-f1", "method: viterbi")],
    ids=["other blocks", "a CRF beside the network", "sequences"],
)
def test_the_core_cannot_run(before, after):
    card = (shipped("models") / "web" / "model.yaml").read_text("utf-8")

    assert before in card
    assert core_cards.core_card(card.replace(before, after), Path("model.yaml")) is None
