"""What CatBoost learned, and what we made of it, say the same."""

import sys

import numpy as np
import pytest

from victorpy.errors import UsageError, VictorError
from victorpy.models.boosting import MeasuredPage, Scoring, _exported, _options, compiled, learn, measured
from victorpy.page.blocks import Label

FEATURES = ("share", "count", "flag", "constant")


def random_page(seed: int, blocks: int = 400) -> MeasuredPage:
    """Content is what has a high share, unless it is flagged; the count has to do with neither."""
    random = np.random.default_rng(seed)
    share, count, flag = random.random(blocks), random.integers(0, 9, blocks), random.random(blocks) < 0.3
    matrix = np.array([share, count, flag, np.ones(blocks)], np.float32)
    return MeasuredPage(matrix, (share > 0.4) & ~flag, random.random(blocks) + 0.1)


@pytest.mark.parametrize(
    ("depth", "trees"), [(1, 5), (4, 60), (6, 20), (9, 10)], ids=["shallow", "many", "usual", "deep"]
)
def test_compiled_trees_score_as_catboost_does(depth, trees):
    catboost = pytest.importorskip("catboost")
    page, unseen = random_page(0), random_page(1).matrix
    estimator = catboost.CatBoostClassifier(**_options(Scoring("trees", FEATURES, trees=trees, depth=depth)))
    estimator.fit(catboost.Pool(page.matrix.T, page.is_content.astype(int), feature_names=list(FEATURES)))

    found = compiled(_exported(estimator))

    assert found.fits
    # On the borders, too, where above and at least part.
    at_borders = np.zeros((len(FEATURES), len(found.borders)), np.float32)
    at_borders[[FEATURES.index(found.features[row]) for row in found.rows], range(len(found.rows))] = found.borders
    for matrix in (page.matrix, unseen, at_borders):
        ours = matrix[[FEATURES.index(name) for name in found.features]]
        theirs = estimator.predict(matrix.T, prediction_type="RawFormulaVal")
        assert found.log_odds(ours) == pytest.approx(theirs, abs=1e-6)
        assert found.probabilities(ours) == pytest.approx(estimator.predict_proba(matrix.T)[:, 1], abs=1e-6)


def test_a_tree_with_fewer_questions_adds_the_same_whatever_the_others_ask():
    shallow = {"splits": [{"float_feature_index": 1, "border": 3.0}], "leaf_values": [-1.0, 1.0]}
    deep = {"splits": [{"float_feature_index": 0, "border": 0.5}, *shallow["splits"]], "leaf_values": [0, 10, 20, 30]}
    infos = [{"feature_index": number, "feature_id": name} for number, name in enumerate(FEATURES)]
    exported = {
        "oblivious_trees": [shallow, deep, {"splits": None, "leaf_values": [100]}],
        "features_info": {"float_features": infos},
        "scale_and_bias": [2, [7]],
    }

    trees = compiled(exported)

    blocks = np.array([[0, 1, 0, 1], [0, 0, 4, 4]], np.float32)
    assert trees.features == ("share", "count")
    assert trees.log_odds(blocks).tolist() == [2 * (100 - 1) + 7, 2 * (100 - 1 + 10) + 7, 2 * 121 + 7, 2 * 131 + 7]


def test_what_was_learned_tells_content_from_noise():
    pytest.importorskip("catboost")
    page = random_page(1)

    trees = learn([random_page(0)], FEATURES, Scoring("trees", FEATURES, trees=40))

    found = trees.probabilities(page.matrix[[FEATURES.index(name) for name in trees.features]])
    assert ((found > 0.5) == page.is_content).mean() > 0.95
    assert "constant" not in trees.features


def test_learning_twice_gives_the_same_trees():
    pytest.importorskip("catboost")

    first, second = (learn([random_page(0)], FEATURES, Scoring("trees", FEATURES, trees=20)) for _ in range(2))

    assert (first.leaves == second.leaves).all()
    assert (first.questions == second.questions).all()


def test_blocks_without_a_label_are_not_learned_from():
    matrix = np.array([[1, 2, 3, 4]], np.float32)

    page = measured(matrix, [None, Label.HEADER, None, Label.OTHER], np.array([0.1, 0.2, 0.3, 0.4]))

    assert page.matrix.tolist() == [[2, 4]]
    assert page.is_content.tolist() == [True, False]
    assert page.weights.tolist() == [0.2, 0.4]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"is_content": np.ones(400, np.bool_)}, "every labeled block of these pages is content"),
        ({"is_content": np.zeros(400, np.bool_)}, "every labeled block of these pages is noise"),
        ({"matrix": np.ones((4, 400), np.float32)}, r"no feature of scorer\.features differs between blocks"),
        ({"weights": np.zeros(400)}, "no page has a weight"),
    ],
    ids=["content", "noise", "features", "weights"],
)
def test_what_trees_cannot_learn_from_is_told(changes, message):
    pytest.importorskip("catboost")

    with pytest.raises(VictorError, match=message):
        learn([random_page(0)._replace(**changes)], FEATURES, Scoring("trees", FEATURES))


def test_without_catboost_one_learns_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "catboost", None)

    with pytest.raises(UsageError, match=r"needs CatBoost: pip install 'victor-cleaner\[trees\]'"):
        learn([], FEATURES, Scoring("trees", FEATURES))
