import numpy as np
import pytest

from victorpy.errors import VictorError
from victorpy.features.buckets import Bucketing


def test_a_value_goes_to_the_largest_listed_one_that_is_not_above():
    codes = Bucketing(values=(0, 1, 5, 20)).codes(np.array([-3, 0, 1, 4, 5, 19.9, 20, 1e9]))

    assert codes.tolist() == [0, 0, 1, 1, 2, 2, 3, 3]


def test_a_scale_cuts_a_share_into_one_more_step():
    bucketing = Bucketing(scale=4)

    assert bucketing.codes(np.array([0, 0.24, 0.25, 0.5, 0.99, 1.0])).tolist() == [0, 0, 1, 2, 3, 4]
    assert bucketing.count == 5


def test_every_step_of_a_scale_begins_at_its_share():
    shares = np.array([step / 100 for step in range(101)])

    assert Bucketing(scale=100).codes(shares).tolist() == list(range(101))


@pytest.mark.parametrize(
    "options", [{}, {"values": (1.0,), "scale": 2}, {"values": (2.0, 1.0)}, {"scale": -1}, {"scale": 300}]
)
def test_what_is_no_bucketing_is_refused(options):
    with pytest.raises(VictorError):
        Bucketing(**options)


def test_every_code_has_a_name():
    assert list(Bucketing(values=(0, 2.5)).names()) == ["0", "2.5"]
    assert list(Bucketing(scale=2).names()) == ["0", "0.5", "1"]


@pytest.mark.parametrize("values", [(0, 1), (0, 8, 9, 20), (-2, 0, 3), (-5, -1), (0, 0.5, 2), (1, 100_000), (-3,)])
def test_whole_numbers_go_where_the_same_numbers_as_fractions_go(values):
    numbers = np.array([-7, -2, -1, 0, 1, 2, 3, 8, 9, 19, 20, 21, 99_999, 100_000, 1 << 30])

    assert Bucketing(values).codes(numbers).tolist() == Bucketing(values).codes(numbers.astype(float)).tolist()
