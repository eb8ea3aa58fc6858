"""The calibration of confidences: from the F1 that probabilities promise to the F1 that pages of left-out sets have."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from scipy.optimize import minimize

from victorpy.page.calibration import Calibration

# Promises and scores are this far from 0 and 1 at least, so that their log odds are finite.
_MARGIN = 1e-4


def fitted(tables: Sequence[pd.DataFrame]) -> Calibration:
    """The calibration that makes the promised F1 of pages (`expected`) likeliest to be their real one (`word_f1`).

    All sets count the same.
    """
    promised = np.concatenate([_log_odds(table["expected"].to_numpy()) for table in tables])
    real = np.concatenate([table["word_f1"].to_numpy() for table in tables])
    counts = np.concatenate([np.full(len(table), 1 / len(table)) for table in tables]) / len(tables)

    def loss(parameters: np.ndarray) -> float:
        scores = parameters[0] * promised + parameters[1]
        return float(counts @ (np.logaddexp(0, scores) - real * scores))

    scale, shift = minimize(loss, np.array([1.0, 0.0]), method="Nelder-Mead", options={"xatol": 1e-4}).x
    return Calibration(round(float(scale), 2), round(float(shift), 2))


def _log_odds(shares: np.ndarray) -> np.ndarray:
    inside = shares.clip(_MARGIN, 1 - _MARGIN)
    odds: np.ndarray = np.log(inside / (1 - inside))
    return odds


def calibrated_apart(
    tables: Mapping[str, pd.DataFrame], families: Sequence[Sequence[str]]
) -> Mapping[str, pd.DataFrame]:
    """The tables of all sets with calibrated promises; each family by the calibration of the others."""
    found = {}
    for family in families:
        calibration = fitted([table for name, table in tables.items() if name not in family])
        for name in family:
            found[name] = tables[name].assign(expected=tables[name]["expected"].map(calibration.of))
    return found
