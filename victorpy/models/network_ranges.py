"""The ranges of figures in training pages: means, scales, and the bins of piecewise features."""

from collections.abc import Sequence

import numpy as np

from victorpy.features import matches_any
from victorpy.models.learning_options import NetworkOptions
from victorpy.models.network import FARTHEST, Matrix, logarithms
from victorpy.models.network_pages import NetworkPage

# A figure with at most this many values gets a bin between any two of them.
_FEW_VALUES = 24
# A narrower bin would separate values that differ by rounding errors.
_NARROWEST = 1e-3


def ranges(
    pages: Sequence[NetworkPage], features: Sequence[str], options: NetworkOptions
) -> tuple[tuple[str, ...], dict[str, Matrix]]:
    """The feature of each bin, and the fixed weights: means, scales, and middles and scales of the bins.

    Every third page is used.
    """
    logs = np.concatenate([logarithms(page.figures).T for page in pages[::3]])
    means, scales = _scale(logs)
    bin_features: list[str] = []
    ends = [np.zeros((2, 0), np.float32)]
    for column in [column for column, name in enumerate(features) if matches_any(name, options.piecewise)]:
        values = np.clip((logs[:, column] - means[column]) * scales[column], -FARTHEST, FARTHEST)
        borders = bin_borders(values, options.bins)
        # A single bin would add nothing to the figure.
        if len(borders) > 2:
            bin_features += [features[column]] * (len(borders) - 1)
            ends.append(np.stack((borders[:-1], borders[1:])))
    lower, upper = np.concatenate(ends, axis=1)
    bins = {"piece-middles": (lower + upper) / 2, "piece-scales": 1 / (upper - lower)} if bin_features else {}
    return tuple(bin_features), {"means": means, "scales": scales, **bins}


def _scale(logs: Matrix) -> tuple[Matrix, Matrix]:
    """The mean of each figure, and the inverse of its standard deviation."""
    if not len(logs):
        return np.zeros(logs.shape[1], np.float32), np.ones(logs.shape[1], np.float32)
    means, deviations = logs.mean(axis=0, dtype=np.float64), logs.std(axis=0, dtype=np.float64)
    return means.astype(np.float32), (1 / (deviations + 1e-3)).astype(np.float32)


def bin_borders(values: Matrix, bins: int) -> Matrix:
    """Borders of bins with equally many blocks each, or the values themselves if they are few."""
    borders, counts = np.unique(values, return_counts=True)
    if len(borders) > _FEW_VALUES:
        commonest = borders[counts.argmax()]
        if counts.max() > len(values) / 4:
            # A value that so many blocks have, such as 0, would take most of the bins.
            borders = np.unique(np.append(_quantiles(values[values != commonest], bins - 1), commonest))
        else:
            borders = np.unique(_quantiles(values, bins))
    return borders[np.diff(borders, prepend=-np.inf) > _NARROWEST]


def _quantiles(values: Matrix, bins: int) -> Matrix:
    return np.quantile(values, np.linspace(0, 1, bins + 1)).astype(np.float32)
