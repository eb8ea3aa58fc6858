"""A small network over the blocks of a page, in numpy: each block sees itself, blocks ever further away, and the page.

The figures of the blocks go through a hidden layer. Then every layer adds to what is known of a block what its
neighbours at a distance of 1, 2, 4, … blocks and the mean of the page say (dilated convolutions, van den Oord et al.
2016). At last each block has a score for every label.

It may know words too, which the elements around a block are called by. Each has some numbers of its own; their sums
over the words around a block stand beside the figures.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from victorpy.blocks import LABELS, Ints, Label
from victorpy.features.names import Names, sums
from victorpy.labelers.chain import Floats

Matrix = NDArray[np.float32]

# Farther from the mean than this many deviations, figures are all the same.
_FARTHEST = np.float32(4)

# The score of a label that no page had.
NEVER = -1e4

_OF_NETWORK = {"means", "scales", "enter", "enter-bias", "spread", "spread-bias", "leave", "leave-bias"}
_OF_LAYER = {"around", "page", "bias", "back", "back-bias"}
_OF_WORDS = {"near", "far"}


@dataclass(frozen=True, eq=False)
class Network:
    """The names of the figures that it takes, and its weights by name; those of layer n begin with `n-`.

    Where it knows words, `near` and `far` are what each says of a block near to it, and of one far inside.
    """

    features: tuple[str, ...]
    weights: Mapping[str, Matrix]
    words: tuple[str, ...] = ()

    @property
    def layers(self) -> int:
        return (len(self.weights) - len(_OF_NETWORK) - len(self._of_words)) // len(_OF_LAYER)

    @property
    def _of_words(self) -> set[str]:
        return _OF_WORDS if self.words else set()

    @property
    def width(self) -> int:
        return int(self.weights["enter"].shape[-1])

    @property
    def fits(self) -> bool:
        """Have the arrays the names, the shapes and the kind of numbers that labeling takes for granted?"""
        of_layers = {f"{number}-{name}" for number in range(self.layers) for name in _OF_LAYER}
        names = of_layers | _OF_NETWORK | self._of_words
        return self.weights.keys() == names and all(
            array.shape == self._shape(name) and array.dtype == np.float32 and bool(np.isfinite(array).all())
            for name, array in self.weights.items()
        )

    def _shape(self, name: str) -> tuple[int, ...]:
        wide, seen, labels = self.width, len(self.features), len(LABELS)
        of_words = (len(self.words), self.weights["near"].shape[-1]) if self.words else (0, 0)
        shapes: dict[str, tuple[int, ...]] = {
            "means": (seen,),
            "scales": (seen,),
            "near": of_words,
            "far": of_words,
            "enter": (seen + 2 * of_words[1], wide),
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

    @cached_property
    def places(self) -> Mapping[str, int]:
        """The row of each word."""
        return {word: place for place, word in enumerate(self.words)}

    def marginals(self, figures: Matrix, lengths: Ints, names: Names | None = None) -> Floats:
        """The probability of every label (block × label), from figures (feature × block), the blocks' lengths, and
        what the elements around them are called."""
        if not len(lengths):
            return np.zeros((0, len(LABELS)))
        scores = self.known(figures, lengths, names) @ self.weights["leave"] + self.weights["leave-bias"]
        return softmax(scores.astype(np.float64))

    def known(self, figures: Matrix, lengths: Ints, names: Names | None = None) -> Matrix:
        """What the last layer sees: block × width."""
        with _blas().limit(limits=1):
            seen = self.standardized(figures)
            known = self._entered(np.concatenate((seen, self._told(names, len(seen))), axis=1) if self.words else seen)
            shares = page_shares(lengths)
            for number in range(self.layers):
                self._add_layer(number, known, shares)
        return np.maximum(known, 0)

    def _told(self, names: Names | None, blocks: int) -> Matrix:
        """By the words around each block: block × numbers. No sum is ever larger than 1."""
        near, far = self.weights["near"], self.weights["far"]
        if names is None:
            return np.zeros((blocks, near.shape[1] + far.shape[1]), np.float32)
        told: Matrix = np.tanh(sums(names, self.places, near, far))
        return told

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
