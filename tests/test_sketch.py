import numpy as np
import pytest

from victorpy import sketch


def keys(seed, count):
    return np.random.default_rng(seed).integers(0, 1 << 63, count, np.uint64)


def test_what_was_counted_never_counts_too_little():
    cells = sketch.empty(1)
    often, once = keys(1, 500), keys(2, 20_000)

    for _ in range(5):
        sketch.count(cells, often)
    sketch.count(cells, once)

    assert (sketch.counts(cells, often) >= 5).all()
    assert (sketch.counts(cells, once) >= 1).all()
    assert (sketch.counts(cells, often) == 5).mean() > 0.99
    assert (sketch.counts(cells, keys(3, 1000)) == 0).mean() > 0.99


def test_counts_stay_at_their_most():
    cells = sketch.empty(1)
    cells[:] = sketch.MOST

    sketch.count(cells, keys(1, 10))

    assert (sketch.counts(cells, keys(1, 10)) == sketch.MOST).all()


def test_folding_keeps_the_counts_of_a_sketch_that_is_nearly_empty():
    cells = sketch.empty(4)
    some = keys(1, 100)
    sketch.count(cells, some)
    sketch.count(cells, some[:10])

    small = sketch.folded(cells)

    assert small.size < cells.size / 50
    assert sketch.are_cells(small)
    assert sketch.counts(small, some).tolist() == [2] * 10 + [1] * 90


@pytest.mark.parametrize("megabytes", [1, 3, 16])
def test_a_sketch_takes_no_more_memory_than_it_is_given(megabytes):
    assert megabytes << 19 < sketch.empty(megabytes).nbytes <= megabytes << 20
