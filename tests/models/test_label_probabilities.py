import numpy as np
import pytest

from victorpy.models.label_probabilities import detailed, likeliest_path, summed_by_base, with_fields
from victorpy.page.blocks import LABELS, Label


def test_bias_moves_the_likeliest_path_too():
    scores, transitions = np.zeros((3, len(LABELS))), np.zeros((len(LABELS), len(LABELS)))
    scores[:, LABELS.index(Label.OTHER)] = 1.0

    assert set(likeliest_path(scores, transitions)) == {Label.OTHER}
    assert Label.OTHER not in likeliest_path(scores, transitions, bias=1.0)


# Fields of posts

WITH_TITLE = (*LABELS, Label.TITLE)


def test_a_field_counts_for_its_base():
    chances = np.array([[0.1, 0.2, 0.0, 0.0, 0.3, 0.4]])

    assert summed_by_base(chances, WITH_TITLE).tolist() == [pytest.approx([0.1, 0.6, 0.0, 0.0, 0.3])]


def test_what_others_make_of_the_five_is_shared_out_as_before():
    chances = np.array([[0.1, 0.2, 0.0, 0.0, 0.3, 0.4]])

    shared = with_fields(np.array([[0.1, 0.3, 0.0, 0.0, 0.6]]), chances, WITH_TITLE)

    assert shared.tolist() == [pytest.approx([0.1, 0.1, 0.0, 0.0, 0.6, 0.2])]


def test_a_field_is_given_only_where_its_base_was_decided():
    chances = np.array([[0.1, 0.2, 0.0, 0.0, 0.3, 0.4]] * 2)

    assert detailed([Label.HEADER, Label.OTHER], chances, WITH_TITLE) == [Label.TITLE, Label.OTHER]


def test_a_bias_against_noise_is_one_against_fields_of_noise():
    scores = np.array([[0.0, -9.0, -9.0, -9.0, -9.0, 1.0]])
    labels = (*LABELS, Label.DATE)

    assert likeliest_path(scores, np.zeros((6, 6)), 0.0, labels) == [Label.OTHER]
    assert likeliest_path(scores, np.zeros((6, 6)), 1.0, labels) == [Label.PARAGRAPH]
