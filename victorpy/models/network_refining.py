"""A network and a few more pages → the same network, learned further; in numpy and SciPy alone.

What learns is how its layers see a block among others, and the last one, which gives the scores; how figures and words
enter stays. All weights are pulled to what they were, so that few pages move them little. How far they are to go is
told by pages that are left out of learning, each in its turn.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from victorpy.models.network import OF_LAYER, Layer, Matrix, Network, on_one_thread, page_shares, positive
from victorpy.models.network_learning import LENGTH_POWER, UNLABELED, SeenPage
from victorpy.page.elements import Floats

# As many pages with nothing to tell: a page or two move the network little, because they may be unlike all others.
_SILENT_PAGES = 10
_MOST_STEPS = 100
_TINY = 1e-300

# Ways from what the network was to what it would be, of which the best is taken.
_WAYS = (0.0, 0.125, 0.25, 0.5, 0.75, 1.0)
# Where there is no page to leave out.
_WAY_BY_ONE = 0.25
_PARTS = 5

Weights = Mapping[str, Matrix]


def refined(network: Network, pages: Sequence[SeenPage], pull: float) -> Network:
    """The network after further pages; the stronger the pull, the nearer it stays to what it was."""
    return _refined(network, _lessons(network, pages), pull)


def _refined(network: Network, lessons: Sequence["_Lesson"], pull: float) -> Network:
    from scipy.optimize import minimize  # noqa: PLC0415

    names, all_pages = _learning(network), sum(lesson.weight for lesson in lessons) + _SILENT_PAGES
    weighed = [lesson._replace(counts=lesson.counts / all_pages) for lesson in lessons]
    old = _flat(names, network.weights)

    def loss(flat: Floats) -> tuple[float, Floats]:
        drift, now = flat - old, _with(network, names, flat)
        wrong, slope = pull * float(drift @ drift), 2 * pull * drift
        for lesson in weighed:
            by_page, slopes = lesson.wrong_by(now)
            wrong += by_page
            slope += _flat(names, slopes)
        return wrong, slope

    with on_one_thread():
        found = minimize(loss, old, jac=True, method="L-BFGS-B", options={"maxiter": _MOST_STEPS})
    return _with(network, names, found.x)


class Way(NamedTuple):
    """How far a network goes, 1 being all of the way, and the loss on pages left out, as it was and that far."""

    share: float
    before: float | None = None
    after: float | None = None


def best_way(network: Network, pages: Sequence[SeenPage], pull: float) -> Way:
    """How far to go from a network to the refined one: as is best for pages that it has not learned from."""
    lessons = _lessons(network, pages)
    parts = [lessons[first::_PARTS] for first in range(min(_PARTS, len(lessons)))]
    if len(parts) == 1:
        return Way(_WAY_BY_ONE)
    losses = np.zeros(len(_WAYS))
    for left_out in parts:
        new = _refined(network, [lesson for part in parts if part is not left_out for lesson in part], pull)
        losses += [_loss(between(network, new, share), left_out) for share in _WAYS]
    losses /= sum(lesson.weight for lesson in lessons)
    best = int(losses.argmin())
    return Way(_WAYS[best], float(losses[0]), float(losses[best]))


def _loss(network: Network, lessons: Sequence["_Lesson"]) -> float:
    with on_one_thread():
        return sum(lesson.wrong(network) for lesson in lessons)


def between(old: Network, new: Network, share: float) -> Network:
    """The old network, moved so far towards the new one."""
    names = _learning(old)
    begin, end = _flat(names, old.weights), _flat(names, new.weights)
    return _with(old, names, begin + share * (end - begin))


def _learning(network: Network) -> list[str]:
    """The names of the weights that learn."""
    return ["leave", "leave-bias", *(f"{number}-{name}" for number in range(network.layers) for name in OF_LAYER)]


def _flat(names: Sequence[str], weights: Weights) -> Floats:
    """One behind the other."""
    return np.concatenate([weights[name].ravel() for name in names], dtype=np.float64)


def _with(network: Network, names: Sequence[str], flat: Floats) -> Network:
    weights = dict(network.weights)
    parts = np.split(flat.astype(np.float32), np.cumsum([weights[name].size for name in names])[:-1])
    weights |= {name: part.reshape(weights[name].shape) for name, part in zip(names, parts, strict=True)}
    return replace(network, weights=weights)


class _Lesson(NamedTuple):
    """A page: what enters the layers, the means that they see, the labels; how much each block counts, and the page."""

    entered: Matrix
    shares: Matrix
    labels: NDArray[np.int8]
    counts: Floats
    weight: float

    def wrong(self, network: Network) -> float:
        """The loss by these weights."""
        return self._loss(network.chances(self._passed(network).last))

    def wrong_by(self, network: Network) -> tuple[float, Weights]:
        """The loss, and how it changes with the weights."""
        passed = self._passed(network)
        chances = network.chances(passed.last)
        loss = self._loss(chances)
        chances[np.arange(len(self.labels)), self.labels] -= 1
        return loss, passed.slopes((self.counts[:, None] * chances).astype(np.float32))

    def _passed(self, network: Network) -> "_Passed":
        known = self.entered.copy()
        layers = [network.add_layer(number, known, self.shares) for number in range(network.layers)]
        return _Passed(network, self.shares, layers, positive(known))

    def _loss(self, chances: Floats) -> float:
        of_labels = chances[np.arange(len(self.labels)), self.labels]
        return float(-self.counts @ np.log(np.maximum(of_labels, _TINY)))


def _lessons(network: Network, pages: Sequence[SeenPage]) -> list[_Lesson]:
    return [
        _Lesson(
            network.entered(page.figures, page.words),
            page_shares(page.lengths),
            np.where(page.labels == UNLABELED, 0, page.labels),
            _counts(page),
            page.weight,
        )
        for page in pages
        if (page.labels != UNLABELED).any()
    ]


def _counts(page: SeenPage) -> Floats:
    """How much each block counts: all pages count alike, long or short, and blocks without a label for nothing."""
    counts = np.where(page.labels == UNLABELED, 0, (page.lengths + 1.0) ** LENGTH_POWER)
    weights: Floats = page.weight * counts / counts.sum()
    return weights


class _Passed(NamedTuple):
    """What a network computed of a page, all on the way kept."""

    network: Network
    shares: Matrix
    layers: list[Layer]
    last: Matrix

    def slopes(self, of_scores: Matrix) -> Weights:
        """How the loss changes with each weight, from how it changes with the scores."""
        found = {"leave": self.last.T @ of_scores, "leave-bias": of_scores.sum(axis=0)}
        of_known = of_scores @ self.network.weights["leave"].T * (self.last > 0)
        for number in reversed(range(self.network.layers)):
            of_layer, of_active = self._slopes_of_layer(number, of_known)
            found |= {f"{number}-{name}": array for name, array in of_layer.items()}
            of_known = of_known + of_active * (self.layers[number].active > 0)
        return found

    def _slopes_of_layer(self, number: int, of_known: Matrix) -> tuple[dict[str, Matrix], Matrix]:
        """With each weight of a layer, and with what it was told of the blocks."""
        around, page, back = (self.network.weights[f"{number}-{name}"] for name in ("around", "page", "back"))
        (active, means, made), distance = self.layers[number], 1 << number
        of_sums = of_known @ back.T * (made > 0)
        of_all = of_sums.sum(axis=0)
        of_around = np.zeros_like(around)
        of_around[1] = active.T @ of_sums
        of_active = of_sums @ around[1].T + self.shares.T @ (page @ of_all)
        if distance < len(active):
            of_around[0] = active[:-distance].T @ of_sums[distance:]
            of_around[2] = active[distance:].T @ of_sums[:-distance]
            of_active[:-distance] += of_sums[distance:] @ around[0].T
            of_active[distance:] += of_sums[:-distance] @ around[2].T
        slopes = {
            "around": of_around,
            "page": means[:, :, None] * of_all,
            "bias": of_all,
            "back": made.T @ of_known,
            "back-bias": of_known.sum(axis=0),
        }
        return slopes, of_active
