"""Decision trees: learned by scikit-learn, asked as plain arrays."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

from victorpy.models.crf import Layout
from victorpy.models.crf_learning import CodedPage
from victorpy.models.decision_tree import references, values
from victorpy.models.decision_tree_learning import learn
from victorpy.models.learning_options import TreeOptions
from victorpy.models.templates import parse
from victorpy.page.blocks import LABELS, Label

COUNTS = {"one": 5, "two": 3}
LAYOUT = Layout(COUNTS, parse("one[{-1,0,1}]\ntwo[0]\none[0] two[0]\n", "t", list(COUNTS)))


def coded(seed, blocks=400):
    """A page whose labels follow from the codes of each block and of the one before it."""
    random = np.random.default_rng(seed)
    codes = np.stack([random.integers(0, count, blocks) for count in COUNTS.values()]).astype(np.uint8)
    before = np.append(5, codes[0, :-1])
    number = np.where(codes[1] == 2, 1, np.where(before > 2, 4, 0))
    return CodedPage(codes, [LABELS[place] for place in number.tolist()])


@pytest.fixture(scope="module")
def tree():
    return learn([coded(1), coded(2)], LAYOUT, TreeOptions(min_leaf=5))


def test_each_reference_of_the_templates_is_asked_for_once():
    assert [str(reference) for reference in references(LAYOUT)] == ["one[-1]", "one[0]", "one[1]", "two[0]"]


def test_it_finds_what_labels_follow_from(tree):
    page = coded(3)

    assert [LABELS[place] for place in tree.marginals(page.codes).argmax(axis=1)] == page.labels


def test_the_arrays_say_what_scikit_learn_says(tree):
    pages = [coded(1), coded(2)]
    rows = np.concatenate([values(LAYOUT, page.codes) for page in pages], axis=1).T.astype(np.float32)
    labels = [label.value for page in pages for label in page.labels]
    theirs = DecisionTreeClassifier(criterion="entropy", min_samples_leaf=5, ccp_alpha=1e-4, random_state=0)
    theirs.fit(rows, labels)
    other = values(LAYOUT, coded(4).codes).T.astype(np.float32)

    ours = [LABELS[place].value for place in tree.marginals(coded(4).codes).argmax(axis=1)]

    assert ours == theirs.predict(other).tolist()


def test_scores_are_the_logarithms_of_the_marginals(tree):
    codes = coded(5).codes

    assert np.exp(tree.scores(codes)) == pytest.approx(tree.marginals(codes))
    assert tree.marginals(codes).sum(axis=1) == pytest.approx(1)


def test_labels_never_seen_are_never_given(tree):
    never = [LABELS.index(label) for label in (Label.LIST, Label.CONTINUATION)]

    assert tree.marginals(coded(6).codes)[:, never].max() == 0


def test_a_page_without_blocks_has_no_scores(tree):
    assert tree.scores(np.empty((2, 0), np.uint8)).shape == (0, len(LABELS))


def test_blocks_without_a_label_are_not_learned_from():
    page = coded(1)
    unlabeled = CodedPage(np.zeros((2, 50), np.uint8), [None] * 50)

    one, two = (learn(pages, LAYOUT, TreeOptions()) for pages in ([page], [page, unlabeled]))

    assert np.array_equal(one.columns, two.columns)
    assert np.array_equal(one.shares, two.shares)


@pytest.mark.parametrize(
    "changes",
    [
        {"columns": np.full(1, 9)},
        {"columns": np.zeros(0, int)},
        {"children": np.zeros((2, 1), int)},
        {"shares": np.zeros((1, 2))},
        {"columns": np.full(1, -1), "children": np.full((1, 1), 5)},
    ],
    ids=["a column too far", "nothing", "a circle", "too few labels", "only one child"],
)
def test_broken_arrays_do_not_fit(tree, changes):
    one = replace(
        tree,
        columns=np.zeros(1, int),
        borders=np.zeros(1, int),
        children=np.full((2, 1), 5),
        shares=np.zeros((1, len(LABELS))),
    )

    assert tree.fits
    assert not replace(one, **changes).fits
