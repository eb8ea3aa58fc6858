from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from victorpy.errors import UsageError, VictorError
from victorpy.evaluation import plots
from victorpy.evaluation.comparison import compare

pytest.importorskip("matplotlib")

LABELS = ["p", "h", "l", "c", "other"]
RANDOM = np.random.default_rng(1)


def scores(better):
    table = pd.DataFrame({"word_f1": RANDOM.uniform(0.6, 0.9, 40) + better, "kind": ["article", "forum"] * 20})
    return table.set_axis([f"page-{number}" for number in range(40)])


SYSTEMS = {"markup only": scores(0), "the web model": scores(0.08), "old": scores(-0.1)}
CHANGES = compare(SYSTEMS, "word_f1").iloc[1:]
MEANS = pd.DataFrame(
    {"mean": [0.9, 0.8, 0.85, 0.7], "low": [0.88, 0.75, 0.84, 0.6], "high": [0.92, 0.85, 0.86, 0.8]},
    index=pd.MultiIndex.from_product([["news", "forums"], ["web", "old"]]),
)
THRESHOLDS = np.linspace(0.05, 0.95, 19)

PLOTS = {
    "learning curve": lambda: plots.learning_curve(
        pd.DataFrame(
            {"mean": [0.6, 0.7, 0.72], "low": [0.5, 0.65, 0.7], "high": [0.7, 0.74, 0.75]}, index=[10, 20, 40]
        ),
        "word_f1",
    ),
    "curve without spread": lambda: plots.learning_curve(pd.DataFrame({"mean": [0.6, 0.7]}, index=[10, 20]), "total"),
    "ablation": lambda: plots.ablation(CHANGES, "total"),
    "comparison": lambda: plots.comparison(compare(SYSTEMS, "word_f1"), "word_f1"),
    "comparison by kind": lambda: plots.comparison(compare(SYSTEMS, "word_f1", by="kind"), "word_f1"),
    "one system": lambda: plots.comparison(compare({"one": SYSTEMS["old"]}, "word_f1"), "word_f1"),
    "systems": lambda: plots.systems(MEANS, "word F1"),
    "a system without one of the sets": lambda: plots.systems(MEANS.iloc[:-1], "word F1"),
    "trade-off": lambda: plots.tradeoff(
        pd.DataFrame({"mean": [0.9, 0.8], "ms": [4.0, 30.0]}, index=["web", "old"]), "word F1"
    ),
    "confusion": lambda: plots.confusion(pd.DataFrame(RANDOM.integers(0, 9000, (5, 5)), index=LABELS, columns=LABELS)),
    "empty confusion": lambda: plots.confusion(pd.DataFrame(np.zeros((5, 5)), index=LABELS, columns=LABELS)),
    "precision and recall": lambda: plots.precision_recall(
        pd.DataFrame({"precision": 0.6 + 0.4 * THRESHOLDS, "recall": 1 - THRESHOLDS**3}, index=THRESHOLDS)
    ),
    "nothing ever kept": lambda: plots.precision_recall(
        pd.DataFrame({"precision": [np.nan], "recall": [0.0]}, index=[0.5])
    ),
}
BEGINS = {".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF"}


@pytest.mark.slow
@pytest.mark.parametrize("name", PLOTS)
def test_every_plot_is_drawn(name, tmp_path):
    plots.save(PLOTS[name](), tmp_path / "plot.svg")

    assert "</svg>" in tmp_path.joinpath("plot.svg").read_text()


@pytest.mark.slow
@pytest.mark.parametrize("ending", BEGINS)
def test_the_name_says_the_format_and_the_same_table_gives_the_same_file(ending, tmp_path):
    for name in ("one", "two"):
        plots.save(PLOTS["comparison"](), tmp_path / f"{name}{ending}")

    one, two = (tmp_path.joinpath(f"{name}{ending}").read_bytes() for name in ("one", "two"))
    assert one.startswith(BEGINS[ending])
    assert one == two


def test_what_is_compared_is_named_in_the_plot():
    axes = PLOTS["comparison"]().axes[0]

    assert [label.get_text().partition(" (")[0] for label in axes.get_yticklabels()] == ["the web model", "old"]
    assert axes.get_xlabel().startswith("word_f1, points against markup only (")


def test_sets_stand_in_their_order_from_above_and_systems_in_the_legend():
    drawing = PLOTS["systems"]()
    (axes,) = drawing.axes

    assert [label.get_text() for label in axes.get_yticklabels()] == ["news", "forums"]
    assert axes.yaxis_inverted()
    assert [text.get_text() for text in drawing.legends[0].get_texts()] == ["web", "old"]


def test_another_ending_is_refused():
    with pytest.raises(UsageError, match=r"plot.gif: expected the name of a plot to end in .png, .svg, .pdf"):
        plots.check_name(Path("plot.gif"))


def test_a_missing_matplotlib_is_named(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "matplotlib", None)

    with pytest.raises(VictorError, match=r"pip install 'victor-cleaner\[plots\]'"):
        plots.check_name(Path("plot.png"))


def test_a_name_in_a_plot_is_no_formula_and_gives_no_orders(tmp_path):
    names = ["web", "$\\frac\x1b[2J$"]
    table = pd.DataFrame({"difference": 0.1, "low": 0.0, "high": 0.2}, index=names)

    plots.save(plots.ablation(table, "total"), tmp_path / "plot.svg")

    assert "\\x1b[2J" in tmp_path.joinpath("plot.svg").read_text()
