from itertools import product

import numpy as np
import pytest

from victorpy.blocks import LABELS, Label
from victorpy.labelers.chain import marginals
from victorpy.labelers.decoding import (
    Decoding,
    best_expected_f1,
    content,
    detailed,
    folded,
    kept_blocks,
    likeliest_kinds,
    likeliest_labels,
    likeliest_path,
    unfolded,
)
from victorpy.markup import Markup
from victorpy.segment import segment

PLAIN = Decoding(prior_characters=0.0, least_probability=0.0)


def expected_f1(keeps, probabilities, weights):
    kept = (keeps * weights).sum()
    return 2 * (keeps * probabilities * weights).sum() / (kept + (probabilities * weights).sum())


@pytest.mark.parametrize("seed", range(5))
def test_no_other_set_of_blocks_has_a_better_expected_f1(seed):
    random = np.random.default_rng(seed)
    probabilities, weights = random.random(8), random.integers(1, 100, 8)
    everything = (np.array(keeps) for keeps in product([False, True], repeat=8))

    best = max(expected_f1(keeps, probabilities, weights) for keeps in everything)

    assert expected_f1(best_expected_f1(probabilities, weights, PLAIN), probabilities, weights) == pytest.approx(best)


def test_a_page_that_is_hardly_content_keeps_nothing():
    probabilities, weights = np.full(20, 0.1), np.full(20, 50)

    assert not best_expected_f1(probabilities, weights, Decoding()).any()
    assert best_expected_f1(probabilities, weights, PLAIN).all()


TOLD = "What the page says of itself."


def test_a_text_is_kept_again_only_where_both_copies_are_sure():
    page = segment(f"<p>{TOLD}<p>Something else, much longer.<p>{TOLD}", markup=Markup(mode="block"))

    def kept(first, second, least=0.9):
        decoding = Decoding(repeat_probability=least)
        return kept_blocks(np.array([first, 0.99, second]), page, decoding).tolist()

    assert kept(0.99, 0.8) == [True, True, False]
    assert kept(0.8, 0.99) == [True, True, False]
    assert kept(0.95, 0.95) == [True, True, True]
    assert kept(0.99, 0.8, least=0.0) == [True, True, True]


def test_short_texts_and_those_that_nobody_keeps_may_come_again():
    page = segment(f"<p>{TOLD}<p>Price<p>{TOLD}<p>Price", markup=Markup(mode="block"))

    kept = kept_blocks(np.array([0.001, 0.85, 0.85, 0.85]), page, Decoding(repeat_probability=0.9))

    assert kept.tolist() == [False, True, True, True]


def test_a_threshold_keeps_copies_like_all_others():
    page = segment(f"<p>{TOLD}<p>{TOLD}", markup=Markup(mode="block"))
    decoding = Decoding(method="threshold", repeat_probability=1.0)

    assert kept_blocks(np.array([0.6, 0.6]), page, decoding).all()


@pytest.mark.parametrize("probabilities", [[], [0.0, 0.0]])
def test_nothing_is_kept_of_nothing(probabilities):
    kept = best_expected_f1(np.array(probabilities), np.ones(len(probabilities), np.int32), Decoding())

    assert not kept.any()


def test_bias_moves_the_odds_of_content():
    marginals = np.array([[0.1, 0.1, 0.1, 0.1, 0.6]])

    precise, plain, complete = (content(marginals, bias)[0] for bias in (-1.0, 0.0, 1.0))

    assert precise < plain < complete
    assert plain == pytest.approx(0.4)


@pytest.mark.parametrize("bias", [-100.0, 100.0])
def test_the_strongest_bias_still_gives_probabilities(bias):
    probabilities = content(np.array([[1.0, 0, 0, 0, 0], [0, 0, 0, 0, 1.0]]), bias)

    assert ((probabilities >= 0) & (probabilities <= 1)).all()


def test_a_kept_block_gets_its_likeliest_kind():
    marginals = np.array([[0.1, 0.3, 0.0, 0.0, 0.6], [0.4, 0.3, 0.0, 0.0, 0.3], [0.4, 0.3, 0.0, 0.0, 0.3]])

    assert likeliest_kinds(marginals, np.array([True, True, False])) == [Label.HEADER, Label.PARAGRAPH, Label.OTHER]


def test_bias_moves_the_likeliest_path_too():
    scores, transitions = np.zeros((3, len(LABELS))), np.zeros((len(LABELS), len(LABELS)))
    scores[:, LABELS.index(Label.OTHER)] = 1.0

    assert set(likeliest_path(scores, transitions)) == {Label.OTHER}
    assert Label.OTHER not in likeliest_path(scores, transitions, bias=1.0)


def test_of_the_likeliest_labels_more_are_expected_to_be_right_than_of_the_likeliest_sequence():
    random = np.random.default_rng(3)
    scores, transitions = random.normal(size=(40, len(LABELS))), random.normal(size=(len(LABELS), len(LABELS)))
    chances = marginals(scores, transitions)

    by_block, by_path = (
        sum(chances[block, LABELS.index(label)] for block, label in enumerate(labels))
        for labels in (likeliest_labels(chances), likeliest_path(scores, transitions))
    )

    assert by_block > by_path


@pytest.mark.parametrize(("bias", "label"), [(-0.5, Label.OTHER), (0.0, Label.HEADER), (100.0, Label.HEADER)])
def test_bias_moves_the_likeliest_labels(bias, label):
    assert likeliest_labels(np.array([[0.1, 0.45, 0.05, 0.05, 0.35]]), bias) == [label]


# Fields of posts

WITH_TITLE = (*LABELS, Label.TITLE)


def test_a_field_counts_for_its_base():
    chances = np.array([[0.1, 0.2, 0.0, 0.0, 0.3, 0.4]])

    assert folded(chances, WITH_TITLE).tolist() == [pytest.approx([0.1, 0.6, 0.0, 0.0, 0.3])]


def test_what_others_make_of_the_five_is_shared_out_as_before():
    chances = np.array([[0.1, 0.2, 0.0, 0.0, 0.3, 0.4]])

    shared = unfolded(np.array([[0.1, 0.3, 0.0, 0.0, 0.6]]), chances, WITH_TITLE)

    assert shared.tolist() == [pytest.approx([0.1, 0.1, 0.0, 0.0, 0.6, 0.2])]


def test_a_field_is_given_only_where_its_base_was_decided():
    chances = np.array([[0.1, 0.2, 0.0, 0.0, 0.3, 0.4]] * 2)

    assert detailed([Label.HEADER, Label.OTHER], chances, WITH_TITLE) == [Label.TITLE, Label.OTHER]


def test_a_bias_against_noise_is_one_against_fields_of_noise():
    scores = np.array([[0.0, -9.0, -9.0, -9.0, -9.0, 1.0]])
    labels = (*LABELS, Label.DATE)

    assert likeliest_path(scores, np.zeros((6, 6)), 0.0, labels) == [Label.OTHER]
    assert likeliest_path(scores, np.zeros((6, 6)), 1.0, labels) == [Label.PARAGRAPH]
