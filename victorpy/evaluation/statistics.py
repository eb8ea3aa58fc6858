"""The statistics that several tables need: shares, confusion matrices and bootstrap means."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Codes = NDArray[np.int_]

UNKNOWN = float("nan")

# Limits how many numbers are drawn at once, so that memory does not grow with pages times samples.
_DRAWN_AT_ONCE = 2_000_000


@dataclass(frozen=True)
class Bootstrap:
    """How often pages are drawn, and the share of the draws that an interval holds."""

    samples: int = 10_000
    seed: int = 0
    confidence: float = 0.95

    @property
    def quantiles(self) -> tuple[float, float]:
        """The two ends of the interval."""
        return (1 - self.confidence) / 2, (1 + self.confidence) / 2


USUAL = Bootstrap()


def share(part: Floats, whole: Floats) -> Floats:
    """The quotients; NaN where the whole is 0."""
    return np.divide(part, whole, out=np.full_like(part, np.nan), where=whole > 0)


def confusion_matrix(rows: Codes, columns: Codes, weights: NDArray[Any] | int, size: int) -> NDArray[Any]:
    """The summed weights of each pair of codes; a code of -1 counts in the last row or column."""
    matrix = np.zeros((size, size), np.asarray(weights).dtype)
    np.add.at(matrix, (rows, columns), weights)
    return matrix


def resampled_means(values: Floats, bootstrap: Bootstrap = USUAL) -> Floats:
    """The mean of each of so many draws of as many values, with replacement."""
    random, size, samples = np.random.default_rng(bootstrap.seed), len(values), bootstrap.samples
    at_once = max(1, _DRAWN_AT_ONCE // size)
    counts = [min(at_once, samples - start) for start in range(0, samples, at_once)]
    return np.concatenate([values[random.integers(0, size, (count, size))].mean(axis=1) for count in counts])


def interval(means: Floats, bootstrap: Bootstrap = USUAL) -> tuple[float, float]:
    """The ends of the interval; draws without a mean (NaN) are left out."""
    known = means[~np.isnan(means)]
    low, high = np.quantile(known, bootstrap.quantiles).tolist() if len(known) else (UNKNOWN, UNKNOWN)
    return low, high


def resampled_column_means(table: Floats, bootstrap: Bootstrap = USUAL) -> Floats:
    """Draw × column: the means of several columns over the same drawn rows, NaN cells left out.

    Counts of rows are drawn instead of rows: one product then gives the means of all columns.
    """
    rows = len(table)
    if not rows:
        return np.full((bootstrap.samples, table.shape[1]), np.nan)
    random = np.random.default_rng(bootstrap.seed)
    drawn = random.multinomial(rows, [1 / rows] * rows, bootstrap.samples).astype(float)
    return share(drawn @ np.nan_to_num(table), drawn @ ~np.isnan(table))
