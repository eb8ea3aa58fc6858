"""Tables of a cross-validation: scores of pages, the original's table, and learning curves."""

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from victorpy.evaluation.predictions import Predictions
from victorpy.evaluation.scoring import FIGURES, scores_table

if TYPE_CHECKING:
    import pandas as pd

# The original's table: labeling (1) and (2), cleaning (3), (4) and (5).
ORIGINAL = ("accuracy", "content_accuracy", "markup_only", "text", "total")

# The original averages these over all blocks of a fold, and the other figures over its pages.
OVER_BLOCKS = ("accuracy", "content_accuracy")


def page_scores(predictions: Predictions, figures: Collection[str] = tuple(FIGURES), jobs: int = 1) -> "pd.DataFrame":
    """The fold and the figures of every page; `figures` as for `scores_table`."""
    table = scores_table(predictions.pages, jobs, figures)
    table.insert(0, "fold", [predictions.folds[str(id)] for id in table.index])
    return table


def original_table(scores: "pd.DataFrame", figures: Sequence[str] = ORIGINAL) -> "pd.DataFrame":
    """The original's table from `page_scores`: mean, standard deviation, least and most of the folds, and each fold."""
    import pandas as pd  # noqa: PLC0415

    by_fold = pd.DataFrame({f"fold {fold}": _fold_figures(pages, figures) for fold, pages in scores.groupby("fold")})
    summary = {"mean": by_fold.mean(axis=1), "sd": by_fold.std(axis=1)}
    summary |= {"least": by_fold.min(axis=1), "most": by_fold.max(axis=1)}
    return pd.concat([pd.DataFrame(summary), by_fold], axis=1).rename_axis("figure")


def _fold_figures(pages: "pd.DataFrame", figures: Sequence[str]) -> dict[str, float]:
    return {
        figure: _over_blocks(pages, figure) if figure in OVER_BLOCKS else pages[figure].mean() for figure in figures
    }


def _over_blocks(pages: "pd.DataFrame", figure: str) -> float:
    known = pages[pages[figure].notna()]
    total = known["blocks"].sum()
    return float((known[figure] * known["blocks"]).sum() / total) if total else float("nan")


def curve_table(scores: Mapping[int, "pd.DataFrame"], figures: Sequence[str] = ORIGINAL) -> "pd.DataFrame":
    """One row per number of training pages: the mean of each figure over the folds."""
    import pandas as pd  # noqa: PLC0415

    means = {size: original_table(table, figures)["mean"] for size, table in scores.items()}
    return pd.DataFrame.from_dict(means, orient="index", columns=list(figures)).rename_axis("training pages")


def curve_of(scores: Mapping[int, "pd.DataFrame"], figure: str) -> "pd.DataFrame":
    """One row per number of training pages: mean of the figure, and one standard deviation below and above."""
    import pandas as pd  # noqa: PLC0415

    rows = {size: original_table(table, [figure]).loc[figure, ["mean", "sd"]] for size, table in scores.items()}
    table = pd.DataFrame.from_dict(rows, orient="index").rename_axis("training pages")
    return table.assign(low=table["mean"] - table["sd"], high=table["mean"] + table["sd"])
