"""Trees by hand: what each asks, and what it adds."""

from dataclasses import replace

import numpy as np
import pytest

from victorpy.models.trees import Trees

# Is a above 1? Is b above 0? Is b above 5? The first tree asks the first two, the second the last two.
TREES = Trees(
    ("a", "b"),
    rows=np.array([0, 1, 1]),
    borders=np.array([1, 0, 5], np.float32),
    questions=np.array([[0, 1], [1, 2]]),
    leaves=np.array([[-1.0, 0.0, 0.5, 2.0], [0.0, 10.0, 99.0, 30.0]]),
    bias=0.25,
)


def column(*values: float) -> np.ndarray:
    return np.array(values, np.float32)[:, None]


@pytest.mark.parametrize(
    ("a", "b", "odds"),
    [(0, 0, -1.0 + 0.0), (2, 0, 0.0 + 0.0), (0, 1, 0.5 + 10.0), (2, 1, 2.0 + 10.0), (1, 6, 0.5 + 30.0)],
)
def test_log_odds_are_the_sum_of_a_leaf_of_each_tree(a, b, odds):
    assert TREES.log_odds(column(a, b)).tolist() == [odds + 0.25]


def test_probabilities_are_those_of_the_log_odds():
    odds = TREES.log_odds(column(0, 0))

    assert TREES.probabilities(column(0, 0)) == pytest.approx(1 / (1 + np.exp(-odds)))


@pytest.mark.parametrize("sign", [-1, 1])
def test_the_largest_odds_are_no_trouble(sign):
    sure = replace(TREES, leaves=sign * 1e6 * np.ones((2, 4)))

    with np.errstate(all="raise"):
        assert sure.probabilities(column(0, 0)).tolist() == [sign > 0]


def test_a_long_page_is_scored_as_its_blocks_one_by_one():
    matrix = np.random.default_rng(0).normal(1, 3, (2, 1500)).astype(np.float32)

    together = TREES.log_odds(matrix)

    assert together.tolist() == [TREES.log_odds(block[:, None])[0] for block in matrix.T]


def test_a_page_without_blocks_has_no_odds():
    assert TREES.log_odds(np.empty((2, 0), np.float32)).shape == (0,)


def test_more_questions_than_a_byte_has_bits():
    deep = Trees(
        ("a",),
        rows=np.zeros(10, np.int32),
        borders=np.arange(10, dtype=np.float32),
        questions=np.arange(10)[:, None],
        leaves=np.arange(1024.0)[None],
    )

    assert deep.log_odds(np.array([[0, 0.5, 8.5, 99]], np.float32)).tolist() == [0, 1, 511, 1023]


@pytest.mark.parametrize(
    "changes",
    [
        {"features": ("a",)},
        {"rows": np.array([0, 1, -1])},
        {"rows": np.array([0.0, 1.0, 1.0])},
        {"borders": np.zeros(2, np.float32)},
        {"questions": np.array([[0, 1], [1, 3]])},
        {"questions": np.array([0, 1])},
        {"questions": np.empty((0, 2), np.int32)},
        {"leaves": np.zeros((2, 8))},
        {"leaves": np.zeros((3, 4))},
    ],
    ids="-".join,
)
def test_arrays_that_do_not_go_together_do_not_fit(changes):
    assert TREES.fits
    assert not replace(TREES, **changes).fits
