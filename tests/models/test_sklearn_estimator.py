import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GroupKFold, cross_val_score

from victorpy.models.sklearn_estimator import PageLabeler

PAGE = "<ul><li><a>Home</a><li><a>About {0}</a></ul><h1>Title {0}</h1><p>The text of page {0} is long enough. Yes.</p>"
PAGES = [PAGE.format(number) for number in "abcdefgh"]
LABELS = [["other", "other", "h", "p"]] * len(PAGES)


@pytest.fixture(scope="module")
def fitted():
    return PageLabeler(c2=0.1, max_iterations=30).fit(PAGES, LABELS)


def test_it_learns_and_labels(fitted):
    assert fitted.predict([PAGE.format("x")]) == [["other", "other", "h", "p"]]
    assert fitted.score(PAGES, LABELS) == 1.0


def test_marginals_sum_to_one(fitted):
    (page,) = fitted.predict_marginals([PAGES[0]])

    assert [sum(block.values()) for block in page] == pytest.approx([1.0] * 4)
    assert max(page[2], key=page[2].get) == "h"


def test_blocks_without_a_label_do_not_count(fitted):
    assert fitted.score(PAGES[:1], [["p", None, None, "p"]]) == 0.5


def test_a_clone_has_the_parameters_and_nothing_learned(fitted):
    copy = clone(fitted)

    assert copy.get_params() == fitted.get_params()
    with pytest.raises(NotFittedError):
        copy.predict(PAGES)


def test_it_works_in_cross_validation():
    labeler = PageLabeler(c2=0.1, max_iterations=20)

    scores = cross_val_score(labeler, PAGES, LABELS, groups=[0, 0, 1, 1, 2, 2, 3, 3], cv=GroupKFold(2))

    assert scores.min() > 0.9
