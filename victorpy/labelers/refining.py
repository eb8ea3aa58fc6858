"""A network and a few more pages → the same network, its last layer learned further; in numpy and SciPy alone.

The scores of the labels are sums over what the layers before know of a block, so that there is one best last layer. It
is pulled to the old one, and the layers before stay as they are: few numbers learn from few pages.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from victorpy.labelers.chain import Floats
from victorpy.labelers.descent import LENGTH_POWER, UNLABELED, SeenPage
from victorpy.labelers.network import Network, softmax

# As many pages with nothing to tell: a page or two move the layer little, because they may be unlike all others.
_SILENT_PAGES = 10
_MOST_STEPS = 500
_TINY = 1e-300


def refined(network: Network, pages: Sequence[SeenPage], pull: float) -> Network:
    """The network after further pages; the stronger the pull, the nearer it stays to what it was."""
    from scipy.optimize import minimize  # noqa: PLC0415

    blocks, old = _blocks(network, pages), _last_layer(network)

    def loss(flat: Floats) -> tuple[float, Floats]:
        layer = flat.reshape(old.shape)
        wrong, slope = blocks.wrong_by(layer)
        drift = layer - old
        return wrong + pull * float(np.square(drift).sum()), (slope + 2 * pull * drift).ravel()

    found = minimize(loss, old.ravel(), jac=True, method="L-BFGS-B", options={"maxiter": _MOST_STEPS})
    layer = found.x.reshape(old.shape).astype(np.float32)
    return replace(network, weights={**network.weights, "leave": layer[:-1], "leave-bias": layer[-1]})


class _Blocks(NamedTuple):
    """The labeled blocks of all pages: what is known of them, their labels, and how much each counts."""

    known: Floats
    labels: NDArray[np.int8]
    weights: Floats

    def wrong_by(self, layer: Floats) -> tuple[float, Floats]:
        """The loss by this last layer, and how it changes with it."""
        chances, rows = softmax(self.known @ layer), np.arange(len(self.labels))
        loss = -self.weights @ np.log(np.maximum(chances[rows, self.labels], _TINY))
        chances[rows, self.labels] -= 1
        return float(loss), self.known.T @ (self.weights[:, None] * chances)


def _blocks(network: Network, pages: Sequence[SeenPage]) -> _Blocks:
    labeled = [page for page in pages if (page.labels != UNLABELED).any()]
    known = np.concatenate([_known(network, page) for page in labeled])
    labels = np.concatenate([page.labels for page in labeled])
    weights = np.concatenate([_weights(page) for page in labeled])
    weights /= sum(page.weight for page in labeled) + _SILENT_PAGES
    told = labels != UNLABELED
    return _Blocks(known[told], labels[told], weights[told])


def _known(network: Network, page: SeenPage) -> Floats:
    """What the last layer sees of each block, and one more column for its bias."""
    known = network.known(page.figures, page.lengths, page.words)
    return np.column_stack((known, np.ones(len(known)))).astype(np.float64)


def _weights(page: SeenPage) -> Floats:
    """How much each block counts: all pages count alike, long or short."""
    counts = np.where(page.labels == UNLABELED, 0, (page.lengths + 1.0) ** LENGTH_POWER)
    weights: Floats = page.weight * counts / counts.sum()
    return weights


def _last_layer(network: Network) -> Floats:
    return np.vstack((network.weights["leave"], network.weights["leave-bias"])).astype(np.float64)
