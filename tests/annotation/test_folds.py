from collections import Counter

import pytest

from victorpy.annotation.folds import folds
from victorpy.errors import UsageError


def sites(pages_of):
    """The group of each page: `{"a": 2}` has pages a0 and a1."""
    return {f"{site}{number}": site for site, pages in pages_of.items() for number in range(pages)}


def sizes(fold_of):
    return sorted(Counter(fold_of.values()).values())


def test_every_page_is_in_one_fold_and_no_fold_is_larger_than_another_by_more_than_a_page():
    ids = [str(number) for number in range(58)]

    fold_of = folds(ids, {}, {}, count=6)

    assert list(fold_of) == ids
    assert set(fold_of.values()) == {1, 2, 3, 4, 5, 6}
    assert sizes(fold_of) == [9, 9, 10, 10, 10, 10]


@pytest.mark.parametrize("seed", range(5))
def test_a_group_stays_whole(seed):
    groups = sites({"a": 7, "b": 3, "c": 3, "d": 1, "e": 1, "f": 1})

    fold_of = folds(list(groups), groups, {}, count=3, seed=seed)

    assert all(len({fold_of[id] for id in groups if groups[id] == site}) == 1 for site in "abcdef")
    assert sizes(fold_of) == [4, 5, 7]


def test_every_kind_is_spread_over_all_folds():
    kinds = {str(number): "forum" if number % 5 == 0 else "article" for number in range(60)}

    fold_of = folds(list(kinds), {}, kinds, count=6, seed=3)

    assert Counter((fold_of[id], kind) for id, kind in kinds.items()) == {
        (fold, kind): pages for fold in range(1, 7) for kind, pages in (("forum", 2), ("article", 8))
    }


def test_the_same_seed_deals_the_same_folds_whatever_the_order_of_pages():
    ids = [str(number) for number in range(30)]

    assert folds(ids, {}, {}, seed=1) == folds(ids[::-1], {}, {}, seed=1)
    assert folds(ids, {}, {}, seed=1) != folds(ids, {}, {}, seed=2)


@pytest.mark.parametrize(
    ("count", "message"),
    [
        (4, "4 folds need 4 groups of pages, but there are 3 groups"),
        (1, "expected at least 2 folds .*, got 1"),
        (0, "expected at least 2 folds .*, got 0"),
    ],
)
def test_folds_that_cannot_be_dealt_are_an_error(count, message):
    groups = sites({"a": 4, "b": 1, "c": 1})

    with pytest.raises(UsageError, match=message):
        folds(list(groups), groups, {}, count)


def test_one_page_makes_no_folds():
    with pytest.raises(UsageError, match="2 folds need 2 groups of pages, but there is 1 group"):
        folds(["alone"], {}, {}, 2)


def test_as_many_folds_as_groups_leave_one_out():
    assert sizes(folds(list("abcde"), {}, {}, count=5)) == [1] * 5
