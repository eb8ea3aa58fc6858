import logging
import math
import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn import metrics

from victorpy.errors import UsageError, VictorError
from victorpy.evaluation.scoring import (
    FIGURES,
    ScoredPage,
    Texts,
    confusion,
    folder_texts,
    label_scores,
    scores_table,
    summary,
    table_of_texts,
    worst,
    worst_texts,
)
from victorpy.evaluation.statistics import Bootstrap
from victorpy.page.blocks import LABELS, Label
from victorpy.page.segment import segment

LETTERS = {"o": Label.OTHER, "-": None} | {label.value: label for label in LABELS if label is not Label.OTHER}
ABOUT_LABELS = ["accuracy", "content_accuracy", "accuracy_words", "content_accuracy_words"]


def labeled(id, gold, predicted, kind="", gold_text=None):
    """A page of one block for each letter, the first of one word, the second of two, and so on."""
    html = "".join(
        f"<p>{' '.join(f'{letter}{number}' for _ in range(number))}" for number, letter in enumerate(gold, 1)
    )
    labels = ([LETTERS[letter] for letter in word] for word in (gold, predicted))
    return ScoredPage(id, segment(html, id), *labels, kind, "", gold_text)


@pytest.fixture(scope="module")
def pages():
    """Some thirty pages with labels drawn by lot, the prediction right more often than not."""
    draw = np.random.default_rng(1)
    golds = ["".join(draw.choice(list("phlcoo-"), size)) for size in draw.integers(1, 30, 30)]
    noisy = ["".join(draw.choice(["o", "p", "c", letter.strip("-") or "h"]) for letter in gold) for gold in golds]
    return [
        labeled(f"{number}", gold, predicted, "odd" if number % 2 else "even")
        for number, (gold, predicted) in enumerate(zip(golds, noisy, strict=True))
    ]


@pytest.fixture(scope="module")
def table(pages):
    return scores_table(pages)


@pytest.fixture(scope="module")
def columns(pages):
    """Gold, predicted, words of all labeled blocks."""
    rows = [
        (told.value, label.value, len(text.split()))
        for page in pages
        for told, label, text in zip(page.gold, page.predicted, page.page.texts, strict=True)
        if told
    ]
    return [list(column) for column in zip(*rows, strict=True)]


def test_every_page_has_every_figure(pages, table):
    assert list(table.index) == [page.id for page in pages]
    assert table.index.name == "id"
    assert list(table.columns)[:4] == ["kind", "group", "blocks", "words"]
    assert set(FIGURES) <= set(table.columns)
    assert table[list(FIGURES)].stack().dropna().between(0, 1).all()


@pytest.mark.parametrize("weight", ["blocks", "words"])
def test_label_scores_are_those_of_scikit_learn(pages, columns, weight):
    gold, predicted, words = columns
    names = [label.value for label in LABELS]
    expected = metrics.precision_recall_fscore_support(
        gold, predicted, labels=names, sample_weight=words if weight == "words" else None, zero_division=np.nan
    )

    found = label_scores(pages, weight)

    assert list(found.index) == names
    assert found.to_numpy(float) == pytest.approx(np.array(expected, float).T, nan_ok=True)


@pytest.mark.parametrize("weight", ["blocks", "words"])
def test_the_confusion_is_that_of_scikit_learn(pages, columns, weight):
    gold, predicted, words = columns
    names = [label.value for label in LABELS]
    weights = words if weight == "words" else None

    found = confusion(pages, weight)

    assert (found.to_numpy() == metrics.confusion_matrix(gold, predicted, labels=names, sample_weight=weights)).all()
    assert (found.index.name, found.columns.name) == ("gold", "predicted")
    assert list(found.index) == list(found.columns) == names


def test_micro_accuracies_are_those_of_scikit_learn_over_all_blocks(table, columns):
    gold, predicted, words = columns
    told, said = ([label == "other" for label in side] for side in (gold, predicted))

    found = summary(table)["micro"]

    assert found[ABOUT_LABELS].tolist() == pytest.approx(
        [
            metrics.accuracy_score(gold, predicted),
            metrics.accuracy_score(told, said),
            metrics.accuracy_score(gold, predicted, sample_weight=words),
            metrics.accuracy_score(told, said, sample_weight=words),
        ]
    )


def test_a_block_that_nobody_labeled_counts_nowhere():
    with_it, without = scores_table([labeled("x", "ph-", "php")]), scores_table([labeled("x", "ph", "ph")])

    pd.testing.assert_frame_equal(with_it, without)
    assert with_it.loc["x", "blocks"] == 2


def test_texts_are_those_that_the_labels_print():
    row = scores_table([labeled("x", "hpo", "ppp")]).loc["x"]

    assert row["word_recall"] == 1
    assert row["word_precision"] == pytest.approx(3 / 6)
    assert (row["tag_recall"], row["segment_recall"]) == (1 / 2, 1)


def test_the_gold_may_be_a_text_of_its_own():
    row = scores_table([labeled("x", "pp", "pp", gold_text="<p> p1\n<p> p2 p2\n<p> more")]).loc["x"]

    assert row["accuracy"] == 1
    assert row["word_recall"] == pytest.approx(3 / 4)


UNLABELED = labeled("unlabeled", "--", "pp")
EMPTY = labeled("empty", "", "")


@pytest.mark.parametrize("page", [UNLABELED, EMPTY], ids=lambda page: page.id)
def test_where_there_is_nothing_to_count_figures_are_unknown_or_defined(page):
    row = scores_table([page]).iloc[0]

    assert row[ABOUT_LABELS].isna().all()
    assert (row["blocks"], row["words"]) == (0, 0)
    assert row.drop(["kind", "group", "blocks", "words", *ABOUT_LABELS])[list(FIGURES)[4:]].tolist() == [1.0] * 19
    assert confusion([page]).to_numpy().sum() == 0
    assert label_scores([page])["f1"].isna().all()
    assert worst([page], scores_table([page]), "accuracy") == []


def test_a_label_that_nobody_used_has_no_precision_and_no_recall():
    found = label_scores([labeled("x", "ppo", "ppo")])

    assert found.loc["p"].tolist() == [1, 1, 1, 2]
    assert found.loc["h", ["precision", "recall", "f1"]].isna().all()
    assert found.loc["h", "support"] == 0


def test_no_pages_are_an_empty_table():
    table = scores_table([])

    found = summary(table)

    assert (table.shape[0], list(found.index)) == (0, list(FIGURES))
    assert found[["mean", "low", "high", "micro"]].isna().all(axis=None)
    assert (found["pages"] == 0).all()


def test_two_pages_of_one_id_are_an_error():
    with pytest.raises(VictorError, match="two pages have the id 'x'"):
        scores_table([labeled("x", "p", "p"), labeled("x", "p", "p")])


@pytest.mark.process
def test_several_processes_give_the_same_table(pages, table):
    pd.testing.assert_frame_equal(scores_table(pages[:9], jobs=2), table[:9])


def test_the_mean_lies_in_its_interval(table):
    found = summary(table)

    assert found["mean"].to_numpy() == pytest.approx(table[list(FIGURES)].mean().to_numpy())
    assert (found["low"] <= found["mean"]).all()
    assert (found["mean"] <= found["high"]).all()


def test_intervals_are_those_of_a_bootstrap_over_pages(table):
    values = table["word_f1"].to_numpy()
    draw = np.random.default_rng(7)
    means = [draw.choice(values, len(values)).mean() for _ in range(4000)]

    found = summary(table, bootstrap=Bootstrap(4000, confidence=0.9)).loc["word_f1", ["low", "high"]]

    assert found.tolist() == pytest.approx(np.quantile(means, [0.05, 0.95]), abs=0.01)


def test_the_same_seed_gives_the_same_intervals(table):
    first, again, other = (summary(table, bootstrap=Bootstrap(1000, seed)) for seed in (3, 3, 4))

    pd.testing.assert_frame_equal(first, again)
    assert not first["low"].equals(other["low"])


def test_one_page_is_its_own_interval():
    row = summary(scores_table([labeled("x", "phoo", "ppoo")])).loc["accuracy"]

    assert row.tolist() == [0.75, 0.75, 0.75, 0.75, 1]


def test_each_kind_has_a_summary_beside_that_of_all(table):
    found = summary(table, by="kind")

    assert found.index.names == ["kind", "figure"]
    assert list(found.index.unique("kind")) == ["all", "even", "odd"]
    pd.testing.assert_frame_equal(found.loc["odd"], summary(table[table["kind"] == "odd"]))


def test_micro_means_count_all_pages_as_one():
    table = table_of_texts([Texts("a", "one two", "one"), Texts("b", "", "two three"), Texts("c", "", "")])

    found = summary(table)

    assert found.loc["word_precision", "micro"] == pytest.approx(1 / 2)
    assert found.loc["word_recall", "micro"] == pytest.approx(1 / 3)
    assert found.loc["word_f1", "micro"] == pytest.approx(2 / 5)
    assert found.loc["word_precision", "mean"] == pytest.approx((1 / 2 + 0 + 1) / 3)


def test_wanted_figures_are_the_same_without_the_others():
    texts = [Texts("a", "<p> one two <h> three", "<p> one <h> three"), Texts("b", "", "<p> two three")]
    every = table_of_texts(texts)

    one_by_one = {name: table_of_texts(texts, figures=[name])[name] for name in FIGURES}

    pd.testing.assert_frame_equal(pd.DataFrame(one_by_one), every[list(FIGURES)])
    assert table_of_texts(texts, figures=["word_f1"])[["total", "seq_f1"]].isna().all(axis=None)


def test_a_table_survives_pickling(table):
    pd.testing.assert_frame_equal(pickle.loads(pickle.dumps(table)), table)


def test_the_worst_pages_come_first_with_their_mistakes():
    pages = [labeled("fine", "po", "po"), labeled("bad", "poho", "opho"), labeled("awful", "ppo", "oop")]

    found = worst(pages, scores_table(pages), count=2)

    assert [mistakes.id for mistakes in found] == ["awful", "bad"]
    assert found[0].value == 0
    assert (found[0].kept, found[0].dropped) == (["o3 o3 o3"], ["p1", "p2 p2"])
    assert (found[1].kept, found[1].dropped) == (["o2 o2"], ["p1"])


def test_of_texts_the_mistakes_are_stretches_of_words():
    texts = [Texts("fine", "<p> one", "<p> one"), Texts("bad", "<p> Home <p> one two", "<p> one two three")]

    [found] = worst_texts(texts, table_of_texts(texts), "seq_f1", count=1)

    assert (found.id, found.kept, found.dropped) == ("bad", ["Home"], ["three"])


def test_an_unknown_figure_is_an_error(pages, table):
    with pytest.raises(UsageError, match=r"no figure 'word_f2'.*did you mean 'word_f1'"):
        worst(pages, table, "word_f2")


@pytest.fixture
def folders(tmp_path):
    """Printed and gold texts: a right, b wrong, c not printed, d without gold."""
    texts = {
        "printed": {"a": "<p> one", "b": "<h> two", "d": "<p> three"},
        "gold": {"a": "<p> one", "b": "x", "c": "y"},
    }
    for name, contents in texts.items():
        for id, text in contents.items():
            path = tmp_path / name / "en" / f"{id}.txt"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    return tmp_path / "printed", tmp_path / "gold"


def test_folders_are_compared_by_the_names_in_them(folders, caplog):
    with caplog.at_level(logging.WARNING, "victorpy"):
        table = table_of_texts(folder_texts(*folders, {"en/a": "news"}))

    assert table["word_f1"].to_dict() == {"en/a": 1, "en/b": 0, "en/c": 0}
    assert table["kind"].to_dict() == {"en/a": "news", "en/b": "", "en/c": ""}
    assert table[ABOUT_LABELS].isna().all(axis=None)
    assert "left out for lack of a gold text: 1 texts: en/d" in caplog.text
    assert "missing, scored as empty: 1 texts: en/c" in caplog.text


def test_a_gold_text_that_was_not_printed_is_compared_to_nothing(folders):
    assert folder_texts(*folders)[-1] == Texts("en/c", "", "y")


def test_folders_without_a_common_name_are_an_error(folders, tmp_path):
    tmp_path.joinpath("other").mkdir()
    with pytest.raises(UsageError, match="no texts"):
        folder_texts(tmp_path / "other", folders[1])
    tmp_path.joinpath("other", "z.txt").write_text("one")
    with pytest.raises(UsageError, match=r"no text here has the name of a text in .*such as en/a"):
        folder_texts(tmp_path / "other", folders[1])
    with pytest.raises(UsageError, match="nowhere: no such folder"):
        folder_texts(tmp_path / "nowhere", folders[1])


def test_figures_without_a_value_do_not_hide_the_others():
    found = summary(table_of_texts([Texts("a", "<p> one", "one"), Texts("b", "<p> one", "<p> one")]))

    assert (found.loc["markup", "mean"], found.loc["markup", "pages"]) == (1, 1)
    assert math.isclose(found.loc["text", "mean"], 1)
    assert found.loc["accuracy", "pages"] == 0
