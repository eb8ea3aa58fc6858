import numpy as np
import pytest

from victorpy import _core
from victorpy.foundation.portable_math import exponentials, logarithms


def test_exponentials_are_those_of_numpy_up_to_the_last_digits():
    values = np.linspace(-700, 700, 2_801).reshape(-1, 1)

    assert exponentials(values) == pytest.approx(np.exp(values), rel=1e-15)
    assert exponentials(values).shape == values.shape


def test_exponentials_of_no_numbers_and_of_infinity():
    assert np.array_equal(exponentials([np.nan, np.inf, -np.inf]), [np.nan, np.inf, 0], equal_nan=True)
    assert float(exponentials(0)) == 1


def test_logarithms_are_those_of_numpy_up_to_the_last_digits():
    values = np.concatenate((np.linspace(1e-3, 1e3, 5_000), [np.finfo(float).tiny, np.finfo(float).max]))

    assert logarithms(values) == pytest.approx(np.log(values), rel=1e-15)


def test_scores_and_transitions_must_fit():
    with pytest.raises(ValueError, match="transitions between all labels are needed"):
        _core.chain_marginals(bytes(8 * 4), bytes(8 * 3), 2)
    with pytest.raises(ValueError, match="scores of each label"):
        _core.chain_marginals(b"", b"", 0)
