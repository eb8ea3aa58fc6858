"""Fine-tuning of a network on a few more pages, in numpy and SciPy alone.

The weights of the layers and of the output are trained; how figures and words enter stays the same. A penalty on
changes keeps the weights near the old ones, so that few pages move them little. Cross-validation over the pages
chooses how far to move.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from victorpy.models.network import OF_LAYER, Layer, Matrix, Network, on_one_thread, page_shares, positive
from victorpy.models.network_pages import LENGTH_POWER, UNLABELED, NetworkPage
from victorpy.page.elements import Floats

# The loss is averaged as if there were this many more pages without a loss. One or two pages move the network little,
# because they may differ from all others.
_SILENT_PAGES = 10
_MOST_ITERATIONS = 100
_TINY = 1e-300

# Shares of the full step from the old weights to the fitted ones; the best is used.
_SHARES = (0.0, 0.125, 0.25, 0.5, 0.75, 1.0)
# The share for a single page, where cross-validation is not possible.
_SHARE_FOR_ONE_PAGE = 0.25
_FOLDS = 5
# A step must be better by so many standard errors than a smaller one.
CAUTION = 1.5

_Weights = Mapping[str, Matrix]


def refined(network: Network, pages: Sequence[NetworkPage], regularization: float) -> Network:
    """The network fitted to further pages; stronger regularization keeps it nearer to the old one."""
    return _refined(network, _examples(network, pages), regularization)


def _refined(network: Network, examples: Sequence["_Example"], regularization: float) -> Network:
    from scipy.optimize import minimize  # noqa: PLC0415

    names, all_pages = _trained_names(network), sum(example.weight for example in examples) + _SILENT_PAGES
    weighted = [example._replace(counts=example.counts / all_pages) for example in examples]
    old = _flat(names, network.weights)

    def loss(flat: Floats) -> tuple[float, Floats]:
        change, now = flat - old, _with_weights(network, names, flat)
        total, gradient = regularization * float(change @ change), 2 * regularization * change
        for example in weighted:
            of_page, gradients = example.loss_and_gradients(now)
            total += of_page
            gradient += _flat(names, gradients)
        return total, gradient

    with on_one_thread():
        found = minimize(loss, old, jac=True, method="L-BFGS-B", options={"maxiter": _MOST_ITERATIONS})
    return _with_weights(network, names, found.x)


class Step(NamedTuple):
    """The share of the full step, and the loss on held-out pages before it and after it."""

    share: float
    before: float | None = None
    after: float | None = None


def best_step(network: Network, pages: Sequence[NetworkPage], regularization: float) -> Step:
    """The step towards the refined network that is best for held-out pages."""
    examples = _examples(network, pages)
    folds = [examples[first::_FOLDS] for first in range(min(_FOLDS, len(examples)))]
    if len(folds) == 1:
        return Step(_SHARE_FOR_ONE_PAGE)
    losses = np.concatenate([_losses(network, fold, _without(folds, fold), regularization) for fold in folds])
    chosen = cautious(losses)
    means = losses.mean(axis=0)
    return Step(_SHARES[chosen], float(means[0]), float(means[chosen]))


def _without(folds: Sequence[Sequence["_Example"]], left_out: Sequence["_Example"]) -> list["_Example"]:
    return [example for fold in folds if fold is not left_out for example in fold]


def _losses(
    network: Network, held_out: Sequence["_Example"], others: Sequence["_Example"], regularization: float
) -> Floats:
    """The loss of each held-out page after each share of the step that the others ask for."""
    new = _refined(network, others, regularization)
    steps = [interpolated(network, new, share) for share in _SHARES]
    with on_one_thread():
        return np.array([[page.loss(step) / page.weight for step in steps] for page in held_out])


def cautious(losses: Floats) -> int:
    """The smallest step that is as good as the best one, as far as so few pages can tell."""
    best = int(losses.mean(axis=0).argmin())
    more = losses - losses[:, [best]]
    doubt = more.std(axis=0, ddof=1) / np.sqrt(len(losses))
    return int((more.mean(axis=0) <= CAUTION * doubt).argmax())


def interpolated(old: Network, new: Network, share: float) -> Network:
    """The old network, with its weights moved by this share towards the new ones."""
    names = _trained_names(old)
    begin, end = _flat(names, old.weights), _flat(names, new.weights)
    return _with_weights(old, names, begin + share * (end - begin))


def _trained_names(network: Network) -> list[str]:
    return ["leave", "leave-bias", *(f"{number}-{name}" for number in range(network.layers) for name in OF_LAYER)]


def _flat(names: Sequence[str], weights: _Weights) -> Floats:
    """All weights in one array."""
    return np.concatenate([weights[name].ravel() for name in names], dtype=np.float64)


def _with_weights(network: Network, names: Sequence[str], flat: Floats) -> Network:
    weights = dict(network.weights)
    parts = np.split(flat.astype(np.float32), np.cumsum([weights[name].size for name in names])[:-1])
    weights |= {name: part.reshape(weights[name].shape) for name, part in zip(names, parts, strict=True)}
    return replace(network, weights=weights)


class _Example(NamedTuple):
    """A page: the inputs of the first layer, what its scopes add to biases, the shares of the blocks in the two means,
    labels, and weights of the blocks and of the page."""

    inputs: Matrix
    added: Mapping[str, Matrix]
    shares: Matrix
    labels: NDArray[np.int8]
    counts: Floats
    weight: float

    def loss(self, network: Network) -> float:
        passed = self._forward(network)
        return self._loss(passed.network.probabilities(passed.last))

    def loss_and_gradients(self, network: Network) -> tuple[float, _Weights]:
        passed = self._forward(network)
        probabilities = passed.network.probabilities(passed.last)
        loss = self._loss(probabilities)
        probabilities[np.arange(len(self.labels)), self.labels] -= 1
        return loss, passed.gradients((self.counts[:, None] * probabilities).astype(np.float32))

    def _forward(self, network: Network) -> "_ForwardPass":
        more = {bias: network.weights[bias] + added for bias, added in self.added.items()}
        network = replace(network, weights={**network.weights, **more}) if more else network
        values = self.inputs.copy()
        layers = [network.add_layer(number, values, self.shares) for number in range(network.layers)]
        return _ForwardPass(network, self.shares, layers, positive(values))

    def _loss(self, probabilities: Floats) -> float:
        of_labels = probabilities[np.arange(len(self.labels)), self.labels]
        return float(-self.counts @ np.log(np.maximum(of_labels, _TINY)))


def _examples(network: Network, pages: Sequence[NetworkPage]) -> list[_Example]:
    return [_example(network, page) for page in pages if (page.labels != UNLABELED).any()]


def _example(network: Network, page: NetworkPage) -> _Example:
    of_page = network.for_page(page.figures, page.lengths)
    biases = set(network.scope_weights.values()).intersection(_trained_names(network)) if network.guesses else ()
    return _Example(
        of_page.first_inputs(page.figures, page.words),
        {bias: of_page.weights[bias] - network.weights[bias] for bias in biases},
        page_shares(page.lengths),
        np.where(page.labels == UNLABELED, 0, page.labels),
        _counts(page),
        page.weight,
    )


def _counts(page: NetworkPage) -> Floats:
    """The weight of each block. All pages count the same, whatever their lengths; blocks without a label count 0."""
    counts = np.where(page.labels == UNLABELED, 0, (page.lengths + 1.0) ** LENGTH_POWER)
    weights: Floats = page.weight * counts / counts.sum()
    return weights


class _ForwardPass(NamedTuple):
    """All intermediate values of a network for one page."""

    network: Network
    shares: Matrix
    layers: list[Layer]
    last: Matrix

    def gradients(self, of_scores: Matrix) -> _Weights:
        """The gradient of the loss for each weight, from its gradient for the scores (backpropagation)."""
        found = {"leave": self.last.T @ of_scores, "leave-bias": of_scores.sum(axis=0)}
        of_values = of_scores @ self.network.weights["leave"].T * (self.last > 0)
        for number in reversed(range(self.network.layers)):
            of_layer, of_active = self._gradients_of_layer(number, of_values)
            found |= {f"{number}-{name}": array for name, array in of_layer.items()}
            of_values = of_values + of_active * (self.layers[number].active > 0)
        return found

    def _gradients_of_layer(self, number: int, of_values: Matrix) -> tuple[dict[str, Matrix], Matrix]:
        """The gradients for the weights of a layer, and for its inputs."""
        around, page, back = (self.network.weights[f"{number}-{name}"] for name in ("around", "page", "back"))
        (active, means, hidden), distance = self.layers[number], 1 << number
        of_sums = of_values @ back.T * (hidden > 0)
        of_all = of_sums.sum(axis=0)
        of_around = np.zeros_like(around)
        of_around[1] = active.T @ of_sums
        of_active = of_sums @ around[1].T + self.shares.T @ (page @ of_all)
        if distance < len(active):
            of_around[0] = active[:-distance].T @ of_sums[distance:]
            of_around[2] = active[distance:].T @ of_sums[:-distance]
            of_active[:-distance] += of_sums[distance:] @ around[0].T
            of_active[distance:] += of_sums[:-distance] @ around[2].T
        gradients = {
            "around": of_around,
            "page": means[:, :, None] * of_all,
            "bias": of_all,
            "back": hidden.T @ of_values,
            "back-bias": of_values.sum(axis=0),
        }
        return gradients, of_active
