from itertools import product

import numpy as np
import pytest

from victorpy.models.chain import best_path, marginals


def every_path(scores, transitions):
    """The score of every possible sequence of labels."""
    count, labels = scores.shape
    for path in product(range(labels), repeat=count):
        emitted = sum(scores[place, label] for place, label in enumerate(path))
        yield path, emitted + sum(transitions[a, b] for a, b in zip(path, path[1:], strict=False))


def random_chain(count, seed=0, labels=3):
    random = np.random.default_rng(seed)
    return random.normal(size=(count, labels)) * 3, random.normal(size=(labels, labels)) * 2


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 7, 8])
def test_marginals_are_what_all_paths_sum_up_to(count):
    scores, transitions = random_chain(count)
    expected = np.zeros_like(scores)
    for path, score in every_path(scores, transitions):
        expected[range(count), path] += np.exp(score)

    assert marginals(scores, transitions) == pytest.approx(expected / expected.sum(axis=1, keepdims=True))


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 7, 8])
def test_the_best_path_is_the_best_of_all(count):
    scores, transitions = random_chain(count, seed=count)
    path, _ = max(every_path(scores, transitions), key=lambda pair: pair[1])

    assert best_path(scores, transitions) == list(path)


def test_a_page_without_blocks_has_no_labels():
    scores, transitions = random_chain(0)

    assert marginals(scores, transitions).shape == (0, 3)
    assert best_path(scores, transitions) == []


@pytest.mark.parametrize("count", [2, 100, 1001, 20_000])
@pytest.mark.parametrize("size", [1.0, 300.0])
def test_long_chains_and_strong_weights_neither_overflow_nor_vanish(count, size):
    scores, transitions = random_chain(count, labels=5)

    found = marginals(scores * size, transitions)

    assert np.isfinite(found).all()
    assert found.sum(axis=1) == pytest.approx(np.ones(count))
    assert len(best_path(scores * size, transitions)) == count
