import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.metrics import precision_recall_curve

from victorpy.errors import UsageError
from victorpy.evaluation.comparison import (
    compare,
    holm,
    over_thresholds,
    paired,
    paired_result,
    wilcoxon_p,
    win_counts,
)
from victorpy.evaluation.scoring import ScoredPage
from victorpy.evaluation.statistics import Bootstrap, resampled_means
from victorpy.page.blocks import Label
from victorpy.page.segment import segment

RANDOM = np.random.default_rng(7)
PAGES = [f"page-{number}" for number in range(60)]
KINDS = ["article", "forum", "list"] * 20


def table(scores, pages=PAGES, kinds=KINDS):
    return pd.DataFrame({"word_f1": scores, "kind": kinds}, index=pd.Index(pages, name="id"))


OLD = RANDOM.uniform(0.5, 0.9, 60)
NOISE = RANDOM.normal(0, 0.05, 60)


def test_the_first_system_is_what_the_others_are_compared_with():
    found = compare({"old": table(OLD), "new": table(OLD + 0.1 + NOISE)}, "word_f1")

    assert list(found.index) == ["old", "new"]
    assert found["mean"].tolist() == pytest.approx([OLD.mean(), (OLD + 0.1 + NOISE).mean()])
    assert found["difference"]["new"] == pytest.approx(0.1 + NOISE.mean())
    assert found["difference"].isna()["old"]
    assert found["low"]["new"] < found["difference"]["new"] < found["high"]["new"]


def test_a_clear_difference_is_hardly_chance_and_none_may_well_be():
    found = compare({"old": table(OLD), "better": table(OLD + 0.1 + NOISE), "like": table(OLD[::-1])}, "word_f1")

    assert found["bootstrap_p"]["better"] < 0.001 > found["wilcoxon_p"]["better"]
    assert found["bootstrap_p"]["like"] > 0.9
    assert found["wilcoxon_p"]["like"] > 0.9


def test_the_same_scores_tie_on_every_page():
    found = compare({"one": table(OLD), "two": table(OLD)}, "word_f1").loc["two"]

    assert (found["wins"], found["losses"], found["ties"]) == (0, 0, 60)
    assert (found["difference"], found["bootstrap_p"], found["wilcoxon_p"]) == (0, 1, 1)


def test_wins_losses_and_ties_are_counted_but_for_rounding():
    assert win_counts(np.array([0.2, 0.1, -0.3, 0.0, 0.1 + 0.2 - 0.3])) == (2, 1, 2)


@pytest.mark.parametrize("seed", range(3))
def test_the_bootstrap_agrees_with_scipy(seed):
    differences = np.random.default_rng(seed).normal(0.01, 0.05, 80)

    ours = paired_result(differences, Bootstrap(samples=20_000))
    theirs = stats.bootstrap((differences,), np.mean, n_resamples=20_000, method="percentile", rng=1)

    assert (ours.low, ours.high) == pytest.approx(tuple(theirs.confidence_interval), abs=5e-4)
    assert ours.bootstrap_p == pytest.approx(stats.ttest_1samp(differences, 0).pvalue, abs=0.02)


@pytest.mark.parametrize("size", [2, 10, 80])
def test_the_signed_rank_test_is_scipys(size):
    one, two = np.random.default_rng(size).uniform(0, 1, (2, size))

    assert wilcoxon_p(one - two) == pytest.approx(stats.wilcoxon(one, two).pvalue)


def test_the_same_seed_gives_the_same_figures():
    assert paired_result(NOISE, Bootstrap(seed=3)) == paired_result(NOISE, Bootstrap(seed=3))
    assert paired_result(NOISE, Bootstrap(seed=3)) != paired_result(NOISE, Bootstrap(seed=4))


def test_means_are_drawn_in_parts_where_there_are_many_pages():
    values = np.random.default_rng(0).uniform(0, 1, 1500)

    means = resampled_means(values, Bootstrap(samples=2000))

    assert len(means) == 2000
    assert means.std() == pytest.approx(values.std() / np.sqrt(1500), rel=0.1)


def test_each_kind_of_page_has_rows_of_its_own():
    better_forums = OLD + 0.1 * np.array([kind == "forum" for kind in KINDS])

    found = compare({"old": table(OLD), "new": table(better_forums)}, "word_f1", by="kind")

    assert list(found.index.get_level_values("kind").unique()) == ["all", "article", "forum", "list"]
    assert found["pages"].tolist() == [60, 60, 20, 20, 20, 20, 20, 20]
    assert found.loc[("forum", "new"), "difference"] == pytest.approx(0.1)
    assert found.loc[("list", "new"), "ties"] == 20


def test_pages_of_no_known_kind_are_a_kind_of_their_own():
    some = table(OLD, kinds=["forum", "", ""] * 20)

    found = compare({"old": some, "new": some}, "word_f1", by="kind")

    assert found["pages"].xs("new", level="system").to_dict() == {"all": 60, "unknown": 40, "forum": 20}


def test_pages_that_not_all_have_are_left_out_with_a_warning(caplog):
    found = compare({"old": table(OLD), "new": table(OLD[:50], PAGES[:50], KINDS[:50])}, "word_f1")

    assert found["pages"].tolist() == [50, 50]
    assert "old: 10 pages that other systems do not have are left out: page-50, page-51, page-52 …" in caplog.text


def test_a_page_without_the_figure_counts_for_no_system(caplog):
    gap = OLD.copy()
    gap[3] = np.nan

    found = compare({"old": table(OLD), "new": table(gap)}, "word_f1")

    assert found["pages"].tolist() == [59, 59]
    assert found["mean"]["old"] == found["mean"]["new"]
    assert "word_f1: 1 pages without this figure are left out: page-3" in caplog.text


def test_one_page_has_a_difference_but_no_interval():
    found = compare({"old": table([0.5], ["a"], ["x"]), "new": table([0.7], ["a"], ["x"])}, "word_f1").loc["new"]

    assert found["difference"] == pytest.approx(0.2)
    assert found[["low", "high", "bootstrap_p"]].isna().all()
    assert found["wilcoxon_p"] == 1


def test_a_figure_that_no_page_has_is_unknown():
    unknown = [np.nan] * 60

    found = compare({"old": table(unknown), "new": table(unknown)}, "word_f1")

    assert found["pages"].tolist() == [0, 0]
    assert found["mean"].isna().all()


WRONG = {
    "figure": (lambda: paired({"old": table(OLD)}, "word_f"), "old: no figure 'word_f'; did you mean 'word_f1'?"),
    "pages": (
        lambda: paired({"a": table(OLD), "b": table(OLD, range(60))}, "word_f1"),
        "no page that all of a, b have",
    ),
    "twice": (lambda: paired({"a": table(OLD, ["x"] * 60)}, "word_f1"), "a: two pages have the id 'x'"),
    "kinds": (lambda: compare({"a": table(OLD)}, "word_f1", by="knd"), "no column 'knd'; did you mean 'kind'?"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_cannot_be_compared_is_named(name):
    act, message = WRONG[name]

    with pytest.raises(UsageError, match=message.replace("?", r"\?")):
        act()


def test_several_tests_raise_each_others_p():
    assert holm([0.01, 0.04, 0.03, float("nan")])[:3] == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.9, 0.8]) == [1, 1]


def test_thresholds_trade_recall_for_precision():
    page = segment("<p>12345<p>1234567890<p>12345<p>unsaid", "x")
    gold = [Label.PARAGRAPH, Label.OTHER, Label.HEADER, None]
    pages = [ScoredPage("x", page, gold, [Label.OTHER] * 4)]

    found = over_thresholds(pages, {"x": [0.9, 0.5, 0.2, 1.0]}, [0, 0.5, 0.6, 1])

    assert found["precision"].tolist() == pytest.approx([0.5, 1 / 3, 1, np.nan], nan_ok=True)
    assert found["recall"].tolist() == pytest.approx([1, 0.5, 0.5, 0])
    assert found["f1"].tolist() == pytest.approx([2 / 3, 0.4, 2 / 3, 0])


def test_thresholds_agree_with_scikit_learn():
    page = segment("".join(f"<p>{'x' * (number % 7 + 1)}" for number in range(50)), "x")
    is_content, chances = RANDOM.random(50) < 0.4, RANDOM.random(50).round(6)
    gold = [Label.PARAGRAPH if kept else Label.OTHER for kept in is_content]

    precision, recall, steps = precision_recall_curve(
        is_content, chances, sample_weight=[len(text) for text in page.texts]
    )
    ours = over_thresholds([ScoredPage("x", page, gold, gold)], {"x": chances.tolist()}, steps.tolist())

    assert ours["precision"].tolist() == pytest.approx(precision[:-1])
    assert ours["recall"].tolist() == pytest.approx(recall[:-1])
