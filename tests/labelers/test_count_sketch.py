import numpy as np
import pytest

from victorpy.labelers import count_sketch


def keys(seed, count):
    return np.random.default_rng(seed).integers(0, 1 << 63, count, np.uint64)


def test_what_was_counted_never_counts_too_little():
    cells = count_sketch.empty(1)
    often, once = keys(1, 500), keys(2, 20_000)

    for _ in range(5):
        count_sketch.count(cells, often)
    count_sketch.count(cells, once)

    assert (count_sketch.counts(cells, often) >= 5).all()
    assert (count_sketch.counts(cells, once) >= 1).all()
    assert (count_sketch.counts(cells, often) == 5).mean() > 0.99
    assert (count_sketch.counts(cells, keys(3, 1000)) == 0).mean() > 0.99


def test_counts_stay_at_their_most():
    cells = count_sketch.empty(1)
    cells[:] = count_sketch.MOST

    count_sketch.count(cells, keys(1, 10))

    assert (count_sketch.counts(cells, keys(1, 10)) == count_sketch.MOST).all()


def test_folding_keeps_the_counts_of_a_sketch_that_is_nearly_empty():
    cells = count_sketch.empty(4)
    some = keys(1, 100)
    count_sketch.count(cells, some)
    count_sketch.count(cells, some[:10])

    small = count_sketch.folded(cells)

    assert small.size < cells.size / 50
    assert count_sketch.are_cells(small)
    assert count_sketch.counts(small, some).tolist() == [2] * 10 + [1] * 90


@pytest.mark.parametrize("megabytes", [1, 3, 16])
def test_a_sketch_takes_no_more_memory_than_it_is_given(megabytes):
    assert megabytes << 19 < count_sketch.empty(megabytes).nbytes <= megabytes << 20
