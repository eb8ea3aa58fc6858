"""Which scope suits a page, where none is asked for: a regression over the means of its figures."""

import logging
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from victorpy.features import matches_any
from victorpy.models.learning_options import NetworkOptions
from victorpy.models.network import NEVER, Network, page_shares
from victorpy.models.network_pages import NetworkPage
from victorpy.page.elements import Floats

log = logging.getLogger("victorpy")

# How much the squares of the weights cost, for each page.
_PENALTY = 1e-3
_MOST_ITERATIONS = 500


def with_guess(network: Network, pages: Sequence[NetworkPage], options: NetworkOptions) -> Network:
    """The network with what it takes to guess the scope of a page; unchanged if the same one suits all."""
    known = [page for page in pages if page.suits in network.scopes and len(page.lengths)]
    scopes = [scope for scope in network.scopes if any(page.suits == scope for page in known)]
    if len(scopes) < 2:
        return network
    rows = [row for row, name in enumerate(network.features) if matches_any(name, options.guess_features)]
    means = np.stack([page_shares(page.lengths)[0] @ network.standardized(page.figures)[:, rows] for page in known])
    numbers = np.array([scopes.index(page.suits) for page in known])
    log.debug("guessing the scope: %d pages, %s", len(known), ", ".join(scopes))
    weights, bias = _regression(means.astype(np.float64), numbers, len(scopes))
    columns = [network.scopes.index(scope) for scope in scopes]
    guess = np.zeros((len(network.features), len(network.scopes)), np.float32)
    guess[np.ix_(rows, columns)] = weights
    biases = np.full(len(network.scopes), NEVER, np.float32)
    biases[columns] = bias
    return replace(network, weights={**network.weights, "guess": guess, "guess-bias": biases})


def _regression(means: Floats, numbers: NDArray[np.int64], count: int) -> tuple[Floats, Floats]:
    """The weights and biases of a regression; all scopes count the same, however many pages they suit."""
    from scipy.optimize import minimize  # noqa: PLC0415

    inputs = np.column_stack((means, np.ones(len(means))))
    counts = 1 / (count * np.bincount(numbers, minlength=count)[numbers])
    is_right = np.eye(count)[numbers]
    shape = (inputs.shape[1], count)

    def loss(flat: Floats) -> tuple[float, Floats]:
        weights = flat.reshape(shape)
        scores = inputs @ weights
        logs = scores - scores.max(axis=1, keepdims=True)
        logs -= np.log(np.exp(logs).sum(axis=1, keepdims=True))
        penalized = weights.copy()
        penalized[-1] = 0
        gradient = inputs.T @ (counts[:, None] * (np.exp(logs) - is_right)) + 2 * _PENALTY * penalized
        return float(-counts @ logs[is_right > 0] + _PENALTY * (penalized**2).sum()), gradient.ravel()

    found = minimize(loss, np.zeros(shape).ravel(), jac=True, method="L-BFGS-B", options={"maxiter": _MOST_ITERATIONS})
    weights: Floats = found.x.reshape(shape)
    return weights[:-1], weights[-1]
