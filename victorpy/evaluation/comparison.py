"""Compare several systems on the same pages, with tests against chance.

The paired bootstrap draws pages with replacement (Efron & Tibshirani 1993, ch. 16). Wilcoxon's signed-rank test is
scipy's.
"""

import logging
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from victorpy.errors import UsageError, suggestion
from victorpy.evaluation.scoring import ScoredPage
from victorpy.evaluation.statistics import UNKNOWN, USUAL, Bootstrap, Floats, interval, resampled_means, share

log = logging.getLogger("victorpy")

ALL, NO_KIND = "all", "unknown"

# Scores that differ by less are equal: only the order of their additions differed.
_DECIMALS = 12


class PairedResult(NamedTuple):
    """The mean of paired differences, its confidence interval, and the probabilities of one so large by chance."""

    difference: float
    low: float
    high: float
    bootstrap_p: float
    wilcoxon_p: float


class WinCounts(NamedTuple):
    """The number of pages on which a system is better than the first one, worse, or equal."""

    wins: int
    losses: int
    ties: int


def compare(
    tables: Mapping[str, pd.DataFrame], figure: str, by: str | None = None, bootstrap: Bootstrap = USUAL
) -> pd.DataFrame:
    """One row for each system against the first one; with `by`, also for each value of that column."""
    scores = paired(tables, figure)
    parts = {ALL: scores} | (_parts(scores, next(iter(tables.values())), by) if by else {})
    rows = [
        {by or "pages_of": part, "system": system} | row
        for part, of_part in parts.items()
        for system, row in _rows(of_part, bootstrap).items()
    ]
    return _table(rows, by)


def paired(tables: Mapping[str, pd.DataFrame], figure: str) -> pd.DataFrame:
    """The figure of the pages that all systems have: page × system."""
    for name, table in tables.items():
        _check(name, table, figure)
    scores = pd.concat({name: table[figure] for name, table in tables.items()}, axis=1, join="inner").astype(float)
    if scores.empty:
        raise UsageError(f"there is no page that all of {', '.join(tables)} have")
    _warn_missing(tables, scores)
    unknown = scores.index[scores.isna().any(axis=1)]
    if len(unknown):
        log.warning(
            "%s: %d pages without this figure are left out: %s", figure, len(unknown), _some(sorted(map(str, unknown)))
        )
    return scores.sort_index()


def _check(name: str, table: pd.DataFrame, figure: str) -> None:
    if figure not in table.columns:
        known = [str(column) for column in table.columns]
        raise UsageError(f"{name}: no figure '{figure}'{suggestion(figure, known)} (known: {', '.join(known)})")
    if not table.index.is_unique:
        twice = table.index[table.index.duplicated()][0]
        raise UsageError(f"{name}: two pages have the id '{twice}'")


def _warn_missing(tables: Mapping[str, pd.DataFrame], scores: pd.DataFrame) -> None:
    for name, table in tables.items():
        left = sorted(map(str, table.index.difference(scores.index)))
        if left:
            log.warning("%s: %d pages that other systems do not have are left out: %s", name, len(left), _some(left))


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:3]) + (" …" if len(names) > 3 else "")


def _parts(scores: pd.DataFrame, table: pd.DataFrame, by: str) -> dict[str, pd.DataFrame]:
    if by not in table.columns:
        raise UsageError(f"no column '{by}'{suggestion(by, map(str, table.columns))}")
    return {str(part) or NO_KIND: pages for part, pages in scores.groupby(table[by].reindex(scores.index).astype(str))}


def _rows(scores: pd.DataFrame, bootstrap: Bootstrap) -> dict[str, dict[str, object]]:
    """A page without the figure in one system is left out of all, so that all means are over the same pages."""
    known = scores.dropna()
    baseline = known[known.columns[0]].to_numpy(float)
    rows: dict[str, dict[str, object]] = {}
    for number, system in enumerate(known.columns):
        own = known[system].to_numpy(float)
        rows[str(system)] = {"pages": len(known), "mean": own.mean() if len(own) else UNKNOWN}
        if number:
            differences = own - baseline
            tests = paired_result(differences, bootstrap)
            rows[str(system)] |= tests._asdict() | win_counts(differences)._asdict()
    return rows


def _table(rows: Sequence[Mapping[str, object]], by: str | None) -> pd.DataFrame:
    columns = ["pages", "mean", *PairedResult._fields, *WinCounts._fields]
    table = pd.DataFrame(rows).set_index([by, "system"] if by else ["system"]).reindex(columns=columns)
    return table.astype(dict.fromkeys(WinCounts._fields, "Int64"))


def paired_result(differences: Floats, bootstrap: Bootstrap = USUAL) -> PairedResult:
    """The test of paired differences; the bootstrap needs at least two pages."""
    if not len(differences):
        return PairedResult(*[UNKNOWN] * 5)
    mean = float(differences.mean())
    if len(differences) < 2:
        return PairedResult(mean, UNKNOWN, UNKNOWN, UNKNOWN, wilcoxon_p(differences))
    means = resampled_means(differences, bootstrap)
    return PairedResult(mean, *interval(means, bootstrap), _bootstrap_p(means, mean), wilcoxon_p(differences))


def _bootstrap_p(means: Floats, mean: float) -> float:
    """Two-sided: the share of drawn means, shifted to a mean of 0, that are as far from 0 as the real mean.

    The real mean counts as a draw, which keeps p above 0 (Davison & Hinkley 1997, ch. 4).
    """
    beyond = np.round(np.abs(means - mean), _DECIMALS) >= np.round(abs(mean), _DECIMALS)
    return float((beyond.sum() + 1) / (len(means) + 1))


def wilcoxon_p(differences: Floats) -> float:
    """Two-sided; pages without a difference are left out, and p is 1 if there are no others."""
    rounded = np.round(differences, _DECIMALS)
    return float(stats.wilcoxon(rounded).pvalue) if rounded.any() else 1.0


def win_counts(differences: Floats) -> WinCounts:
    signs = np.sign(np.round(differences, _DECIMALS))
    return WinCounts(int((signs > 0).sum()), int((signs < 0).sum()), int((signs == 0).sum()))


def holm(p_values: Sequence[float]) -> list[float]:
    """P values adjusted for the number of tests (Holm 1979); NaN does not count as a test."""
    known = [place for place in np.argsort(p_values) if not np.isnan(p_values[place])]
    adjusted, largest = list(p_values), 0.0
    for rank, place in enumerate(known):
        largest = max(largest, min(1.0, (len(known) - rank) * p_values[place]))
        adjusted[place] = largest
    return adjusted


def over_thresholds(
    pages: Iterable[ScoredPage], probabilities: Mapping[str, Sequence[float]], thresholds: Sequence[float] | None = None
) -> pd.DataFrame:
    """Precision, recall and F1 of keeping all blocks above each threshold: over all pages, weighted by characters."""
    steps = np.linspace(0, 1, 101) if thresholds is None else np.asarray(thresholds, float)
    chances, is_content, weights = _known_blocks(pages, probabilities)
    kept = np.array([weights[chances >= step].sum() for step in steps], float)
    right = np.array([weights[(chances >= step) & is_content].sum() for step in steps], float)
    shares = {"precision": kept, "recall": np.full_like(kept, weights[is_content].sum())}
    columns = {name: share(right, whole) for name, whole in shares.items()}
    columns["f1"] = share(2 * right, kept + shares["recall"])
    return pd.DataFrame(columns, pd.Index(steps, name="threshold"))


def _known_blocks(
    pages: Iterable[ScoredPage], probabilities: Mapping[str, Sequence[float]]
) -> tuple[Floats, NDArray[np.bool_], Floats]:
    """The probability of each labeled block, whether it is content, and its length."""
    rows = [
        (chance, label.is_content, len(text))
        for page in pages
        for chance, label, text in zip(probabilities[page.id], page.gold, page.page.texts, strict=True)
        if label
    ]
    chances, is_content, weights = np.array(rows, float).reshape(-1, 3).T
    return chances, is_content.astype(np.bool_), weights
