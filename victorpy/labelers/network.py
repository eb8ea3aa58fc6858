"""A small network over the blocks of a page, in numpy: each block sees itself, blocks ever further away, and the page.

The figures of the blocks go through a hidden layer. Then every layer adds to what is known of a block what its
neighbours at a distance of 1, 2, 4, … blocks and the mean of the page say (dilated convolutions, van den Oord et al.
2016). At last each block has a score for every label.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from victorpy.blocks import LABELS, Ints, Label
from victorpy.labelers.chain import Floats

Matrix = NDArray[np.float32]

# Farther from the mean than this many deviations, figures are all the same.
_FARTHEST = np.float32(4)

# The score of a label that no page had.
NEVER = -1e4

_OF_NETWORK = {"means", "scales", "enter", "enter-bias", "spread", "spread-bias", "leave", "leave-bias"}
_OF_LAYER = {"around", "page", "bias", "back", "back-bias"}


@dataclass(frozen=True, eq=False)
class Network:
    """The names of the figures that it takes, and its weights by name; those of layer n begin with `n-`."""

    features: tuple[str, ...]
    weights: Mapping[str, Matrix]

    @property
    def layers(self) -> int:
        return (len(self.weights) - len(_OF_NETWORK)) // len(_OF_LAYER)

    @property
    def width(self) -> int:
        return int(self.weights["enter"].shape[-1])

    @property
    def fits(self) -> bool:
        """Have the arrays the names, the shapes and the kind of numbers that labeling takes for granted?"""
        names = {f"{number}-{name}" for number in range(self.layers) for name in _OF_LAYER} | _OF_NETWORK
        return self.weights.keys() == names and all(
            array.shape == self._shape(name) and array.dtype == np.float32 and bool(np.isfinite(array).all())
            for name, array in self.weights.items()
        )

    def _shape(self, name: str) -> tuple[int, ...]:
        wide, seen, labels = self.width, len(self.features), len(LABELS)
        shapes = {
            "means": (seen,),
            "scales": (seen,),
            "enter": (seen, wide),
            "spread": (wide, wide),
            "leave": (wide, labels),
            "leave-bias": (labels,),
            "around": (3, wide, wide),
            "page": (2, wide, wide),
            "back": (wide, wide),
        }
        return shapes.get(name) or shapes.get(name.partition("-")[2]) or (wide,)

    def gives(self, label: Label) -> bool:
        """Has it learned from any block of this label?"""
        return bool(self.weights["leave-bias"][LABELS.index(label)] > NEVER / 2)

    @property
    def usual(self) -> Matrix:
        """Figures that say nothing: those of the mean."""
        means = self.weights["means"]
        usual: Matrix = np.copysign(np.expm1(np.abs(means)), means)
        return usual

    def marginals(self, figures: Matrix, lengths: Ints) -> Floats:
        """The probability of every label (block × label), from figures (feature × block) and the blocks' lengths."""
        if not len(lengths):
            return np.zeros((0, len(LABELS)))
        scores = self.known(figures, lengths) @ self.weights["leave"] + self.weights["leave-bias"]
        return softmax(scores.astype(np.float64))

    def known(self, figures: Matrix, lengths: Ints) -> Matrix:
        """What the last layer sees: block × width."""
        with _blas().limit(limits=1):
            known = self._entered(self.standardized(figures))
            shares = page_shares(lengths)
            for number in range(self.layers):
                self._add_layer(number, known, shares)
        return np.maximum(known, 0)

    def standardized(self, figures: Matrix) -> Matrix:
        """On a scale where all figures are alike: logarithms, in deviations from the mean; block × feature."""
        return standardized(figures, self.weights["means"], self.weights["scales"])

    def _entered(self, seen: Matrix) -> Matrix:
        weights = self.weights
        hidden = np.maximum(seen @ weights["enter"] + weights["enter-bias"], 0)
        entered: Matrix = hidden @ weights["spread"] + weights["spread-bias"]
        return entered

    def _add_layer(self, number: int, known: Matrix, shares: Matrix) -> None:
        around, page, bias, back, back_bias = (
            self.weights[f"{number}-{name}"] for name in ("around", "page", "bias", "back", "back-bias")
        )
        active, distance = np.maximum(known, 0), 1 << number
        means = shares @ active
        sums = active @ around[1] + (means[0] @ page[0] + means[1] @ page[1] + bias)
        if distance < len(active):
            sums[distance:] += active[:-distance] @ around[0]
            sums[:-distance] += active[distance:] @ around[2]
        known += np.maximum(sums, 0) @ back + back_bias


@cache
def _blas() -> Any:
    """What computes numpy's products: its threads wait for one another longer than the products of a page take."""
    from threadpoolctl import ThreadpoolController  # noqa: PLC0415

    return ThreadpoolController().select(user_api="blas")


def standardized(figures: Matrix, means: Matrix, scales: Matrix) -> Matrix:
    scaled = np.abs(figures)
    scaled += 1
    np.log(scaled, out=scaled)
    np.copysign(scaled, figures, out=scaled)
    scaled -= means[:, None]
    scaled *= scales[:, None]
    np.clip(scaled, -_FARTHEST, _FARTHEST, out=scaled)
    return scaled.T


def page_shares(lengths: Ints) -> Matrix:
    """How much each block counts in the two means of a page: by the root of its length, and like all others."""
    roots = np.sqrt(lengths + np.float32(1))
    return np.stack((roots / roots.sum(), np.full(len(lengths), 1 / len(lengths)))).astype(np.float32)


def softmax(scores: Floats) -> Floats:
    chances: Floats = np.exp(scores - scores.max(axis=1, keepdims=True))
    chances /= chances.sum(axis=1, keepdims=True)
    return chances
