"""Kinds of pages, which a network guesses where no scope is asked for: a regression over means of figures."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from victorpy.features import matches_any
from victorpy.models.learning_options import NetworkOptions
from victorpy.models.network import Network, page_shares
from victorpy.models.network_pages import NetworkPage
from victorpy.page.elements import Floats

log = logging.getLogger("victorpy")

# The scopes that count on a page of each kind, in equal shares.
PAGE_KINDS: Mapping[str, tuple[str, ...]] = {
    "article": ("article",),
    "discussion": ("discussion",),
    "other": ("page", "corpus"),
}

# How much the squares of the weights cost, for each page.
_PENALTY = 1e-3
_MOST_ITERATIONS = 500


def with_guess(network: Network, pages: Sequence[NetworkPage], options: NetworkOptions) -> Network:
    """The network with what it takes to guess the kind of a page; unchanged if the pages are all of one kind."""
    known = [page for page in pages if page.kind and len(page.lengths)]
    kinds = [kind for kind in PAGE_KINDS if any(page.kind == kind for page in known)]
    shares = [[float(scope in PAGE_KINDS[kind]) for scope in network.scopes] for kind in kinds]
    if len(kinds) < 2 or not all(map(any, shares)):
        return network
    columns = [column for column, name in enumerate(network.features) if matches_any(name, options.guess_features)]
    means = np.stack([page_shares(page.lengths)[0] @ network.standardized(page.figures)[:, columns] for page in known])
    numbers = np.array([kinds.index(page.kind) for page in known])
    weights, bias = _regression(means.astype(np.float64), numbers, len(kinds))
    log.debug("%d pages of the kinds %s", len(known), ", ".join(kinds))
    guess = np.zeros((len(network.features), len(kinds)), np.float32)
    guess[columns] = weights
    table = np.array(shares, np.float32)
    table /= table.sum(axis=1, keepdims=True)
    arrays = {"guess": guess, "guess-bias": bias.astype(np.float32), "guess-shares": table}
    return replace(network, weights={**network.weights, **arrays})


def _regression(means: Floats, kinds: NDArray[np.int64], count: int) -> tuple[Floats, Floats]:
    """The weights and biases of a regression; all kinds count the same, however many pages they have."""
    from scipy.optimize import minimize  # noqa: PLC0415

    inputs = np.column_stack((means, np.ones(len(means))))
    of_kinds = np.bincount(kinds, minlength=count)
    counts = 1 / (count * of_kinds[kinds])
    is_kind = np.eye(count)[kinds]
    shape = (inputs.shape[1], count)

    def loss(flat: Floats) -> tuple[float, Floats]:
        weights = flat.reshape(shape)
        scores = inputs @ weights
        logs = scores - scores.max(axis=1, keepdims=True)
        logs -= np.log(np.exp(logs).sum(axis=1, keepdims=True))
        penalized = weights.copy()
        penalized[-1] = 0
        gradient = inputs.T @ (counts[:, None] * (np.exp(logs) - is_kind)) + 2 * _PENALTY * penalized
        return float(-counts @ logs[is_kind > 0] + _PENALTY * (penalized**2).sum()), gradient.ravel()

    found = minimize(loss, np.zeros(shape).ravel(), jac=True, method="L-BFGS-B", options={"maxiter": _MOST_ITERATIONS})
    weights: Floats = found.x.reshape(shape)
    return weights[:-1], weights[-1]
