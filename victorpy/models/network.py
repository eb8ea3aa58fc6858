"""A small network over the blocks of a page, in numpy: each block sees itself, blocks ever further away, and the page.

The figures of the blocks go through a hidden layer. Then every layer adds to what is known of a block what its
neighbours at a distance of 1, 2, 4, … blocks and the mean of the page say (dilated convolutions, van den Oord et al.
2016). At last each block has a score for every label.

What some figures say may go up and down along their range. Beside each of them stands where it is in each of several
pieces of that range (piecewise linear encoding, Gorishniy et al. 2022).

It may know words too: those that the elements around a block are called by, and those of its text. Each has some
numbers of its own; their sums over the words of a block stand beside the figures.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from victorpy import _core
from victorpy.features import class_words as names
from victorpy.features import wording
from victorpy.features.class_words import ClassWords
from victorpy.features.vocabulary import row_by_word
from victorpy.features.wording import Wording
from victorpy.foundation.arrays import packed
from victorpy.models.kernel import kernel
from victorpy.page.blocks import LABELS, Label, Page
from victorpy.page.elements import Floats, Ints

Matrix = NDArray[np.float32]

# Farther from the mean than this many deviations, figures are all the same.
FARTHEST = np.float32(4)
# Where a figure stands in a piece of its range: from the lower end to the upper.
LOWER_END, UPPER_END = np.float32(-0.5), np.float32(0.5)

_SIGN = np.uint32(1 << 31)
_NOTHING, _ENDLESS = np.float32(0), np.float32(np.inf)

# The score of a label that no page had.
NEVER = -1e4

_OF_PIECES = {"piece-middles", "piece-scales"}
# What says where figures lie, and is not learned by descent.
FIXED = {"means", "scales", *_OF_PIECES}
_OF_NETWORK = {"means", "scales", "enter", "enter-bias", "spread", "spread-bias", "leave", "leave-bias"}
OF_LAYER = ("around", "page", "bias", "back", "back-bias")
# What each known word says: of a block near to it, of all of the page; of a short block whose text it is in.
OF_NAMES = ("near", "whole")
OF_TEXT = ("short",)


class Words(NamedTuple):
    """What a network reads of a page: names of its elements, and its text, where it knows such words."""

    names: ClassWords | None = None
    text: Wording | None = None


NO_WORDS = Words()


class Layer(NamedTuple):
    """What was active in the blocks (block × width) and on the page before a layer, and what it made of that."""

    active: Matrix
    means: Matrix
    made: Matrix


def words_of(page: Page, *, of_names: bool, of_text: bool) -> Words:
    return Words(names.class_words(page) if of_names else None, wording.wording(page) if of_text else None)


@dataclass(frozen=True, eq=False)
class Network:
    """The names of the figures that it takes, and its weights by name; those of layer n begin with `n-`.

    `words` are those of names that it knows, `text_words` those of text. `pieces` has for each piece of a range the
    figure that it is of.
    """

    features: tuple[str, ...]
    weights: Mapping[str, Matrix]
    words: tuple[str, ...] = ()
    text_words: tuple[str, ...] = ()
    pieces: tuple[str, ...] = ()

    @property
    def layers(self) -> int:
        return (len(self.weights) - len(self._of_network) - len(self.tables)) // len(OF_LAYER)

    @property
    def _of_network(self) -> set[str]:
        return _OF_NETWORK | (_OF_PIECES if self.pieces else set())

    @property
    def tables(self) -> dict[str, tuple[str, ...]]:
        """The words that each table of weights has a row for."""
        of_names = dict.fromkeys(OF_NAMES, self.words) if self.words else {}
        return of_names | (dict.fromkeys(OF_TEXT, self.text_words) if self.text_words else {})

    def reads(self, page: Page) -> Words:
        """What it reads of a page beside its figures."""
        return words_of(page, of_names=bool(self.words), of_text=bool(self.text_words))

    @property
    def width(self) -> int:
        return int(self.weights["enter"].shape[-1])

    @property
    def _layer_width(self) -> int:
        bias = self.weights.get("0-bias")
        return 0 if bias is None else bias.size

    @property
    def fits(self) -> bool:
        """Have the arrays the names, the shapes and the kind of numbers that labeling takes for granted?"""
        of_layers = {f"{number}-{name}" for number in range(self.layers) for name in OF_LAYER}
        names = of_layers | self._of_network | self.tables.keys()
        if self.weights.keys() != names or not {*self.pieces} <= {*self.features}:
            return False
        return all(
            array.shape == self._shape(name) and array.dtype == np.float32 and bool(np.isfinite(array).all())
            for name, array in self.weights.items()
        )

    def _shape(self, name: str) -> tuple[int, ...]:
        wide, inner, seen, labels = self.width, self._layer_width, len(self.features), len(LABELS)
        pieces = len(self.pieces)
        told = {table: (len(words), self._numbers(table)) for table, words in self.tables.items()}
        shapes: dict[str, tuple[int, ...]] = told | {
            "means": (seen,),
            "scales": (seen,),
            "piece-middles": (pieces,),
            "piece-scales": (pieces,),
            "enter": (seen + pieces + sum(numbers for _, numbers in told.values()), wide),
            "enter-bias": (wide,),
            "spread": (wide, wide),
            "spread-bias": (wide,),
            "leave": (wide, labels),
            "leave-bias": (labels,),
            "around": (3, wide, inner),
            "page": (2, wide, inner),
            "bias": (inner,),
            "back": (inner, wide),
        }
        return shapes.get(name) or shapes.get(name.partition("-")[2]) or (wide,)

    def _numbers(self, table: str) -> int:
        """How many each word has: in all tables of names as many, and in all of text."""
        first = OF_NAMES[0] if table in OF_NAMES else OF_TEXT[0]
        return int(self.weights[first].shape[-1]) if self.weights[first].ndim else 0

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
    def known_names(self) -> Mapping[str, int]:
        return row_by_word(self.words)

    @cached_property
    def known_text(self) -> Mapping[str, int]:
        return row_by_word(self.text_words)

    @cached_property
    def core(self) -> _core.Network:
        """The same for the core."""
        return _core.Network(packed(self.arrays), [""], kernel())

    @property
    def arrays(self) -> dict[str, NDArray[Any]]:
        """All that it is, by names: its weights, the figures that it takes, and what words and pieces it knows."""
        named = {"features": self.features, "words": self.words, "text-words": self.text_words, "pieces": self.pieces}
        return {**self.weights, **{name: np.array(names) for name, names in named.items() if names}}

    def __getstate__(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__dataclass_fields__}

    @property
    def is_native(self) -> bool:
        """Does the core compute all that it sees?"""
        return self.core.is_native

    def of_page(self, page: Page, figures: Matrix | None = None) -> Floats:
        """The probability of every label (block × label), by the core; figures are for what is not all its own."""
        given = None if figures is None else figures.tobytes()
        return np.frombuffer(self.core.marginals(page.core, given)).reshape(len(page), len(LABELS))

    def marginals(self, figures: Matrix, lengths: Ints, words: Words = NO_WORDS) -> Floats:
        """The same in numpy, from figures (feature × block), the blocks' lengths, and what the network reads of the
        page: for figures that no page has."""
        if not len(lengths):
            return np.zeros((0, len(LABELS)))
        return self.chances(self.known(figures, lengths, words))

    def chances(self, known: Matrix) -> Floats:
        """The probability of every label, from what the last layer sees."""
        return softmax((known @ self.weights["leave"] + self.weights["leave-bias"]).astype(np.float64))

    def known(self, figures: Matrix, lengths: Ints, words: Words = NO_WORDS) -> Matrix:
        """What the last layer sees: block × width."""
        with on_one_thread():
            known = self.entered(figures, words)
            shares = page_shares(lengths)
            for number in range(self.layers):
                self.add_layer(number, known, shares)
        return positive(known)

    def standardized(self, figures: Matrix) -> Matrix:
        """On a scale where all figures are alike: logarithms, in deviations from the mean; block × feature."""
        return standardized(figures, self.weights["means"], self.weights["scales"])

    def entered(self, figures: Matrix, words: Words = NO_WORDS) -> Matrix:
        """What the first layer sees: block × width."""
        seen, weights, begin = self.standardized(figures), self.weights, len(self.features)
        sums = seen @ weights["enter"][:begin] + weights["enter-bias"]
        for beside in self._beside(seen, words):
            end = begin + beside.shape[-1]
            sums += beside @ weights["enter"][begin:end]
            begin = end
        entered: Matrix = positive(sums) @ weights["spread"] + weights["spread-bias"]
        return entered

    def _beside(self, seen: Matrix, words: Words) -> Iterator[Matrix]:
        """What enters beside the figures, of each block or of the page, in the order of its weights."""
        if self.pieces:
            yield self._places(seen)
        yield from map(np.tanh, self._told(words, len(seen)))

    @cached_property
    def piece_rows(self) -> Ints:
        """Which of the figures each piece is of."""
        row_of = {name: row for row, name in enumerate(self.features)}
        return np.array([row_of[name] for name in self.pieces], np.int32)

    def _places(self, seen: Matrix) -> Matrix:
        """Where in each piece of its range a figure stands: block × piece."""
        places: Matrix = seen.T.take(self.piece_rows, axis=0)
        places -= self.weights["piece-middles"][:, None]
        places *= self.weights["piece-scales"][:, None]
        return places.clip(LOWER_END, UPPER_END, out=places).T

    def _told(self, words: Words, blocks: int) -> Iterator[Matrix]:
        """By the words of each block (block × numbers), and by those of the page, in the order of the tables."""
        if self.words:
            of_names = [self.weights[table] for table in OF_NAMES]
            yield from names.sums(words.names, self.known_names, *of_names) if words.names else _nothing(of_names)
        if self.text_words and words.text:
            yield wording.sums(words.text, self.known_text, self.weights["short"], blocks)

    def add_layer(self, number: int, known: Matrix, shares: Matrix) -> Layer:
        """Adds to what is known of the blocks what a layer makes of it."""
        around, page, bias, back, back_bias = (self.weights[f"{number}-{name}"] for name in OF_LAYER)
        active, distance = positive(known), 1 << number
        means = shares @ active
        sums = active @ around[1] + (means[0] @ page[0] + means[1] @ page[1] + bias)
        if distance < len(active):
            sums[distance:] += active[:-distance] @ around[0]
            sums[:-distance] += active[distance:] @ around[2]
        made = positive(sums)
        known += made @ back + back_bias
        return Layer(active, means, made)


def _nothing(tables: list[Matrix]) -> list[Matrix]:
    return [np.zeros(table.shape[1], np.float32) for table in tables]


def on_one_thread() -> Any:
    """While it lasts, numpy's products take one thread."""
    return _blas().limit(limits=1)


@cache
def _blas() -> Any:
    """What computes numpy's products: its threads wait for one another longer than the products of a page take."""
    from threadpoolctl import ThreadpoolController  # noqa: PLC0415

    return ThreadpoolController().select(user_api="blas")


def positive(values: Matrix) -> Matrix:
    """What is over 0, and 0 for the rest; with two borders numpy is twice as fast as with one."""
    return values.clip(_NOTHING, _ENDLESS)


def standardized(figures: Matrix, means: Matrix, scales: Matrix) -> Matrix:
    scaled = logarithms(figures)
    scaled -= means[:, None]
    scaled *= scales[:, None]
    return scaled.clip(-FARTHEST, FARTHEST, out=scaled).T


def logarithms(figures: Matrix) -> Matrix:
    """Of one more than each figure is, whatever its sign, which it keeps."""
    logs = np.abs(figures)
    logs += 1
    np.log(logs, out=logs)
    # As np.copysign does, in a quarter of its time.
    signed = logs.view(np.uint32)
    signed |= figures.view(np.uint32) & _SIGN
    return logs


def page_shares(lengths: Ints) -> Matrix:
    """How much each block counts in the two means of a page: by the root of its length, and like all others."""
    roots = np.sqrt(lengths + np.float32(1))
    return np.stack((roots / roots.sum(), np.full(len(lengths), 1 / len(lengths)))).astype(np.float32)


def softmax(scores: Floats) -> Floats:
    chances: Floats = np.exp(scores - scores.max(axis=1, keepdims=True))
    chances /= chances.sum(axis=1, keepdims=True)
    return chances
