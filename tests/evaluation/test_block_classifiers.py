"""ZeroR, 1R, information gain and scores by words, on figures that can be checked by hand."""

import numpy as np
import pytest

from victorpy.evaluation.block_classifiers import information_gain, one_rule, weighted_score, zero_rule

NOISE, CONTENT = False, True


def array(*values):
    return np.array(values)


@pytest.mark.parametrize(("words", "majority"), [((10.0, 5.0, 4.0), CONTENT), ((10.0, 50.0, 4.0), NOISE)])
def test_zero_rule_predicts_the_class_of_most_words_whatever_the_figure(words, majority):
    rule = zero_rule(array(CONTENT, NOISE, NOISE), np.array(words))

    assert rule.predictions(array(-1.0, 0.0, 1e9)).tolist() == [majority] * 3


def test_one_rule_finds_the_border_between_the_classes():
    figures, classes = array(0.9, 0.1, 0.8, 0.2), array(NOISE, CONTENT, NOISE, CONTENT)

    rule = one_rule(figures, classes, np.full(4, 100.0), least_words=100)

    assert rule.borders.tolist() == [0.8]
    assert rule.predictions(array(0.0, 0.79, 0.8, 5.0)).tolist() == [CONTENT, CONTENT, NOISE, NOISE]


def test_an_interval_holds_enough_words_and_has_the_class_of_most_of_them():
    figures, classes = array(1.0, 2.0, 3.0, 4.0), array(CONTENT, NOISE, CONTENT, NOISE)
    words = array(600.0, 500.0, 600.0, 2_000.0)

    rule = one_rule(figures, classes, words, least_words=1_000)

    # 600 words of content and 500 of noise are one interval; then 600 and 2,000.
    assert rule.borders.tolist() == [3.0]
    assert rule.predictions(figures).tolist() == [CONTENT, CONTENT, NOISE, NOISE]


def test_equal_figures_are_never_in_two_intervals():
    figures, classes = array(1.0, 1.0, 1.0, 2.0), array(CONTENT, NOISE, NOISE, CONTENT)

    rule = one_rule(figures, classes, np.full(4, 1_000.0))

    assert rule.borders.tolist() == [2.0]
    assert rule.predictions(array(1.0, 2.0)).tolist() == [NOISE, CONTENT]


def test_neighbours_of_one_class_are_one_interval():
    rule = one_rule(np.arange(6.0), array(*[NOISE] * 3, *[CONTENT] * 3), np.full(6, 1_000.0))

    assert rule.borders.tolist() == [3.0]


def test_too_few_words_leave_one_interval():
    rule = one_rule(array(1.0, 2.0), array(NOISE, CONTENT), array(3.0, 4.0))

    assert (rule.borders.tolist(), rule.are_content.tolist()) == ([], [CONTENT])


@pytest.mark.parametrize("seed", range(5))
def test_the_border_of_one_rule_is_the_best_there_is_between_two_clean_classes(seed):
    draw = np.random.default_rng(seed)
    figures, border = draw.random(200), draw.random() * 0.8 + 0.1
    classes = figures > border

    rule = one_rule(figures, classes, np.full(200, 1.0), least_words=1)

    assert (rule.predictions(figures) == classes).all()


@pytest.mark.parametrize(
    ("figures", "gain"),
    [
        ([0.0, 0.0, 1.0, 1.0], 1.0),
        ([0.0, 1.0, 0.0, 1.0], 0.0),
        ([7.0, 7.0, 7.0, 7.0], 0.0),
        # H(C) is 1 bit; of the first three, two are noise: 3/4 · H(1/3) = 0.689 bits are left.
        ([0.0, 0.0, 0.0, 1.0], 0.311),
    ],
    ids=["all", "nothing", "a constant", "some"],
)
def test_information_gain_in_bits(figures, gain):
    classes = array(NOISE, NOISE, CONTENT, CONTENT)

    assert information_gain(np.array(figures), classes, np.full(4, 1.0)) == pytest.approx(gain, abs=5e-4)


def test_information_gain_counts_words_and_not_blocks():
    figures, classes = array(0.0, 0.0, 1.0), array(NOISE, CONTENT, CONTENT)

    # Of 100 words with figure 0, 99 are noise: H(C) = H(99/199), and 100/199 · H(1/100) is left.
    assert information_gain(figures, classes, array(99.0, 1.0, 99.0)) == pytest.approx(0.9594, abs=5e-4)


def test_scores_are_means_over_both_classes_by_their_words():
    predicted, gold = array(CONTENT, CONTENT, NOISE, NOISE), array(CONTENT, NOISE, NOISE, NOISE)

    score = weighted_score(predicted, gold, array(60.0, 20.0, 10.0, 10.0))

    # Content: 60 of 80 predicted, 60 of 60 found. Noise: 20 of 20 predicted, 20 of 40 found.
    assert score.precision == pytest.approx(0.6 * 0.75 + 0.4 * 1)
    assert score.recall == pytest.approx(0.6 * 1 + 0.4 * 0.5)
    assert score.f1 == pytest.approx(0.6 * (1.5 / 1.75) + 0.4 * (1 / 1.5))


def test_a_class_that_is_never_predicted_has_no_score():
    score = weighted_score(array(NOISE, NOISE), array(CONTENT, NOISE), array(1.0, 1.0))

    assert (score.precision, score.recall) == (pytest.approx(0.25), pytest.approx(0.5))
