"""A small network over the blocks of a page, in numpy.

The figures of the blocks pass a hidden layer. Each further layer then adds to a block what it computes from the
neighbours at a distance of 1, 2, 4, … blocks and from the mean of the page (dilated convolutions, van den Oord et al.
2016). The last layer gives each block a score for every label.

The meaning of a figure may change along its range. Piecewise features are therefore also encoded by their position in
each of several bins of the range (piecewise linear encoding, Gorishniy et al. 2022).

A network may know words: those in the classes of elements around a block, and those of its text. Each word has an
embedding; the sums over the words of a block are further inputs.

A network may have learned fields besides the labels: what is a comment, an author, a date or a title. Each is a further
score of the last layer.

A network may have learned scopes: each adds to the biases of all layers. `of_scope` is the network for one of them.
Where none is asked for, it may guess which scopes suit a page, and mix them (`for_page`).
"""

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import cache, cached_property
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from victorpy import _core
from victorpy.features import class_words, wording
from victorpy.features.class_words import ClassWords
from victorpy.features.vocabulary import row_by_word
from victorpy.features.wording import Wording
from victorpy.foundation.arrays import packed
from victorpy.models.kernel import kernel
from victorpy.models.scopes import AUTO, scope_row
from victorpy.page.blocks import LABELS, Label, Page
from victorpy.page.elements import Floats, Ints

Matrix = NDArray[np.float32]

# Figures are clipped at this many standard deviations from the mean.
FARTHEST = np.float32(4)
# The position of a figure in a bin, at the lower and at the upper end.
LOWER_END, UPPER_END = np.float32(-0.5), np.float32(0.5)

_SIGN = np.uint32(1 << 31)
_ZERO, _INFINITY = np.float32(0), np.float32(np.inf)

# The score of a label that no training page had.
NEVER = -1e4

# The names of weights are part of the format of `weights.npz`.
_OF_BINS = {"piece-middles", "piece-scales"}
# Weights that describe the ranges of figures, and that descent does not change.
FIXED = {"means", "scales", *_OF_BINS}
_OF_NETWORK = {"means", "scales", "enter", "enter-bias", "spread", "spread-bias", "leave", "leave-bias"}
OF_LAYER = ("around", "page", "bias", "back", "back-bias")
# What a scope adds to the biases of the entrance, of each layer, and of the output: a row for each scope.
_OF_SCOPES = {"scope": "enter-bias", "leave-scope": "leave-bias"}
# What of a page tells which scope suits it: a column for each scope.
OF_GUESS = ("guess", "guess-bias")
# The scores of fields.
OF_FIELDS = ("field", "field-bias")
# The tables of embeddings: of class words near a block and on the whole page; of words of short blocks.
OF_CLASSES = ("near", "whole")
OF_TEXT = ("short",)


class Words(NamedTuple):
    """The words of a page that a network uses."""

    classes: ClassWords | None = None
    text: Wording | None = None


NO_WORDS = Words()


class Layer(NamedTuple):
    """The positive inputs of a layer (block × width), their two means over the page, and its hidden values."""

    active: Matrix
    means: Matrix
    hidden: Matrix


def names_of_weights(layers: int) -> set[str]:
    """The names of all weights that a network with so many layers can have."""
    of_layers = {f"{number}-{name}" for number in range(layers) for name in (*OF_LAYER, "scope")}
    return of_layers.union(_OF_NETWORK, _OF_BINS, _OF_SCOPES, OF_GUESS, OF_FIELDS, OF_CLASSES, OF_TEXT)


def words_of(page: Page, *, of_classes: bool, of_text: bool) -> Words:
    return Words(class_words.class_words(page) if of_classes else None, wording.wording(page) if of_text else None)


@dataclass(frozen=True, eq=False)
class Network:
    """The features of a network, and its weights by name; those of layer n begin with `n-`.

    `class_words` and `text_words` are the words that it knows. `bin_features` has the feature of each bin. `scopes` are
    those that it has learned, `auto` first. `fields` are those that it has learned, in the order of the core.
    """

    features: tuple[str, ...]
    weights: Mapping[str, Matrix]
    class_words: tuple[str, ...] = ()
    text_words: tuple[str, ...] = ()
    bin_features: tuple[str, ...] = ()
    scopes: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()

    @property
    def layers(self) -> int:
        return sum(name.endswith("-around") for name in self.weights)

    @property
    def _of_network(self) -> set[str]:
        optional = (
            (self.bin_features, _OF_BINS),
            (self.scopes, _OF_SCOPES),
            (self.guesses, OF_GUESS),
            (self.fields, OF_FIELDS),
        )
        return _OF_NETWORK.union(*(names for has_any, names in optional if has_any))

    @property
    def scope_weights(self) -> dict[str, str]:
        """The bias that each table of scopes adds to."""
        if not self.scopes:
            return {}
        return _OF_SCOPES | {f"{number}-scope": f"{number}-bias" for number in range(self.layers)}

    @property
    def guesses(self) -> bool:
        """Does it guess which scopes suit a page where none is asked for?"""
        return bool(self.scopes) and OF_GUESS[0] in self.weights

    def of_scope(self, scope: str) -> "Network":
        """The same network for one scope, which is then part of its biases, unless the page decides."""
        row = scope_row(self.scopes, scope)
        if row is None or (scope == AUTO and self.guesses):
            return self
        return self._with_shares(np.eye(len(self.scopes), dtype=np.float32)[row])

    def for_page(self, figures: Matrix, lengths: Ints) -> "Network":
        """The network with the scopes that suit a page; the same one if it does not guess."""
        return self._with_shares(self.scope_shares(figures, lengths)) if self.guesses and len(lengths) else self

    def scope_shares(self, figures: Matrix, lengths: Ints) -> Matrix:
        """How likely each scope suits a page, from the means of figures over the blocks."""
        means = page_shares(lengths)[0] @ self.standardized(figures)
        scores = means @ self.weights["guess"] + self.weights["guess-bias"]
        shares: Matrix = softmax(scores[None].astype(np.float64))[0].astype(np.float32)
        return shares

    def _with_shares(self, shares: Matrix) -> "Network":
        """The network with the biases that scopes have in these shares."""
        tables = self.scope_weights
        weights = {name: array for name, array in self.weights.items() if name not in {*tables, *OF_GUESS}}
        weights |= {bias: self.weights[bias] + shares @ self.weights[table] for table, bias in tables.items()}
        return replace(self, weights=weights, scopes=())

    @property
    def tables(self) -> dict[str, tuple[str, ...]]:
        """The words that each table of embeddings has a row for."""
        of_classes = dict.fromkeys(OF_CLASSES, self.class_words) if self.class_words else {}
        return of_classes | (dict.fromkeys(OF_TEXT, self.text_words) if self.text_words else {})

    def words(self, page: Page) -> Words:
        """The words of a page that the network uses."""
        return words_of(page, of_classes=bool(self.class_words), of_text=bool(self.text_words))

    @property
    def width(self) -> int:
        return int(self.weights["enter"].shape[-1])

    @property
    def _layer_width(self) -> int:
        bias = self.weights.get("0-bias")
        return 0 if bias is None else bias.size

    def with_refined(self, refined: "Network", scope: str) -> "Network":
        """This network with the weights that it has for one scope (`of_scope`) after learning more."""
        row = scope_row(self.scopes, scope)
        if row is None or refined.guesses:
            return refined
        biases = {bias: refined.weights[bias] - self.weights[table][row] for table, bias in self.scope_weights.items()}
        return replace(self, weights={**self.weights, **refined.weights, **biases})

    @property
    def fits(self) -> bool:
        """Do the arrays have the names, shapes and types that labeling relies on?"""
        of_layers = {f"{number}-{name}" for number in range(self.layers) for name in OF_LAYER}
        names = of_layers | self._of_network | self.scope_weights.keys() | self.tables.keys()
        if self.weights.keys() != names or not {*self.bin_features} <= {*self.features}:
            return False
        if self.fields != tuple(name for name in _core.FIELDS if name in self.fields):
            return False
        return all(
            array.shape == self._shape(name) and array.dtype == np.float32 and bool(np.isfinite(array).all())
            for name, array in self.weights.items()
        )

    def _shape(self, name: str) -> tuple[int, ...]:
        wide, inner, figures, labels = self.width, self._layer_width, len(self.features), len(LABELS)
        bins = len(self.bin_features)
        tables = {table: (len(words), self._embedding_size(table)) for table, words in self.tables.items()}
        shapes: dict[str, tuple[int, ...]] = tables | {
            "means": (figures,),
            "scales": (figures,),
            "piece-middles": (bins,),
            "piece-scales": (bins,),
            "enter": (figures + bins + sum(size for _, size in tables.values()), wide),
            "enter-bias": (wide,),
            "spread": (wide, wide),
            "spread-bias": (wide,),
            "leave": (wide, labels),
            "leave-bias": (labels,),
            "field": (wide, len(self.fields)),
            "field-bias": (len(self.fields),),
            "guess": (figures, len(self.scopes)),
            "guess-bias": (len(self.scopes),),
            "around": (3, wide, inner),
            "page": (2, wide, inner),
            "bias": (inner,),
            "back": (inner, wide),
        }
        if name in self.scope_weights:
            return len(self.scopes), *self._shape(self.scope_weights[name])
        return shapes.get(name) or shapes.get(name.partition("-")[2]) or (wide,)

    def _embedding_size(self, table: str) -> int:
        """All tables of class words have the same size, and so have all of text."""
        first = OF_CLASSES[0] if table in OF_CLASSES else OF_TEXT[0]
        return int(self.weights[first].shape[-1]) if self.weights[first].ndim else 0

    def gives(self, label: Label) -> bool:
        """Has the network learned from any block with this label?"""
        return bool(self.weights["leave-bias"][LABELS.index(label)] > NEVER / 2)

    @property
    def mean_figures(self) -> Matrix:
        """The figure of each feature that is at the mean of its range."""
        means = self.weights["means"]
        figures: Matrix = np.copysign(np.expm1(np.abs(means)), means)
        return figures

    @cached_property
    def known_classes(self) -> Mapping[str, int]:
        return row_by_word(self.class_words)

    @cached_property
    def known_text(self) -> Mapping[str, int]:
        return row_by_word(self.text_words)

    @cached_property
    def core(self) -> _core.Network:
        """The same network in the core."""
        return _core.Network(packed(self.arrays), [""], kernel())

    @property
    def arrays(self) -> dict[str, NDArray[Any]]:
        """Weights, and names of features, words and bins, as `weights.npz` stores them."""
        names = {
            "features": self.features,
            "words": self.class_words,
            "text-words": self.text_words,
            "pieces": self.bin_features,
            "scopes": self.scopes,
            "fields": self.fields,
        }
        return {**self.weights, **{name: np.array(values) for name, values in names.items() if values}}

    def __getstate__(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__dataclass_fields__}

    @property
    def is_native(self) -> bool:
        """Does the core compute all features?"""
        return self.core.is_native

    def of_page(self, page: Page, figures: Matrix | None = None) -> Floats:
        """The probability of every label (block × label), by the core; `figures` if it cannot compute all features."""
        return self.with_fields_of_page(page, figures)[0]

    def with_fields_of_page(self, page: Page, figures: Matrix | None = None) -> tuple[Floats, bytes]:
        """The same, and for each block its likeliest field among those of the core, from 1, or 0."""
        given = None if figures is None else figures.tobytes()
        marginals, fields = self.core.marginals_and_fields(page.core, given)
        return np.frombuffer(marginals).reshape(len(page), len(LABELS)), fields

    def marginals(self, figures: Matrix, lengths: Ints, words: Words = NO_WORDS) -> Floats:
        """The same in numpy, from figures (feature × block), lengths of blocks and words: for invented figures."""
        if not len(lengths):
            return np.zeros((0, len(LABELS)))
        network = self.for_page(figures, lengths)
        return network.probabilities(network._last_inputs(figures, lengths, words))

    def probabilities(self, inputs: Matrix) -> Floats:
        """The probability of every label, from the inputs of the last layer."""
        return softmax((inputs @ self.weights["leave"] + self.weights["leave-bias"]).astype(np.float64))

    def field_scores(self, figures: Matrix, lengths: Ints, words: Words = NO_WORDS) -> Matrix:
        """The score of every field (block × field), in numpy; over 0 it is likely."""
        inputs = self.for_page(figures, lengths)._last_inputs(figures, lengths, words)
        scores: Matrix = inputs @ self.weights["field"] + self.weights["field-bias"]
        return scores

    def _last_inputs(self, figures: Matrix, lengths: Ints, words: Words = NO_WORDS) -> Matrix:
        """The inputs of the last layer: block × width."""
        with on_one_thread():
            values = self.first_inputs(figures, words)
            shares = page_shares(lengths)
            for number in range(self.layers):
                self.add_layer(number, values, shares)
        return positive(values)

    def standardized(self, figures: Matrix) -> Matrix:
        """Logarithms of figures, in standard deviations from the mean: block × feature."""
        return standardized(figures, self.weights["means"], self.weights["scales"])

    def first_inputs(self, figures: Matrix, words: Words = NO_WORDS) -> Matrix:
        """The inputs of the first layer: block × width."""
        inputs, weights, begin = self.standardized(figures), self.weights, len(self.features)
        sums = inputs @ weights["enter"][:begin] + weights["enter-bias"]
        for more in self._more_inputs(inputs, words):
            end = begin + more.shape[-1]
            sums += more @ weights["enter"][begin:end]
            begin = end
        entered: Matrix = positive(sums) @ weights["spread"] + weights["spread-bias"]
        return entered

    def _more_inputs(self, figures: Matrix, words: Words) -> Iterator[Matrix]:
        """The inputs after the figures, of each block or of the page, in the order of the weights."""
        if self.bin_features:
            yield self._bin_positions(figures)
        yield from map(np.tanh, self._embeddings(words, len(figures)))

    @cached_property
    def bin_rows(self) -> Ints:
        """The row of the feature of each bin."""
        row_of = {name: row for row, name in enumerate(self.features)}
        return np.array([row_of[name] for name in self.bin_features], np.int32)

    def _bin_positions(self, figures: Matrix) -> Matrix:
        """The position of figures in each bin: block × bin."""
        positions: Matrix = figures.T.take(self.bin_rows, axis=0)
        positions -= self.weights["piece-middles"][:, None]
        positions *= self.weights["piece-scales"][:, None]
        return positions.clip(LOWER_END, UPPER_END, out=positions).T

    def _embeddings(self, words: Words, blocks: int) -> Iterator[Matrix]:
        """Sums of embeddings for each block (block × number) or for the page, in the order of the tables."""
        if self.class_words:
            tables = [self.weights[table] for table in OF_CLASSES]
            yield from class_words.sums(words.classes, self.known_classes, *tables) if words.classes else _zeros(tables)
        if self.text_words and words.text:
            yield wording.sums(words.text, self.known_text, self.weights["short"], blocks)

    def add_layer(self, number: int, values: Matrix, shares: Matrix) -> Layer:
        """Add the output of a layer to the values of the blocks, in place."""
        around, page, bias, back, back_bias = (self.weights[f"{number}-{name}"] for name in OF_LAYER)
        active, distance = positive(values), 1 << number
        means = shares @ active
        sums = active @ around[1] + (means[0] @ page[0] + means[1] @ page[1] + bias)
        if distance < len(active):
            sums[distance:] += active[:-distance] @ around[0]
            sums[:-distance] += active[distance:] @ around[2]
        hidden = positive(sums)
        values += hidden @ back + back_bias
        return Layer(active, means, hidden)


def _zeros(tables: list[Matrix]) -> list[Matrix]:
    return [np.zeros(table.shape[1], np.float32) for table in tables]


class _OneThread:
    """A limit on numpy's products that several threads may set at once. The last to leave restores what was before."""

    def __init__(self) -> None:
        self._lock, self._users, self._limits = Lock(), 0, ExitStack()

    @contextmanager
    def held(self) -> Iterator[None]:
        with self._lock:
            if not self._users:
                self._limits.enter_context(_blas().limit(limits=1))
            self._users += 1
        try:
            yield
        finally:
            with self._lock:
                self._users -= 1
                if not self._users:
                    self._limits.close()


_ONE_THREAD = _OneThread()


def on_one_thread() -> AbstractContextManager[None]:
    """A context in which numpy's products use one thread. Cleaning needs none: the core computes there."""
    return _ONE_THREAD.held()


@cache
def _blas() -> Any:
    """numpy's BLAS. For one page, its threads would wait for one another longer than the products take."""
    from threadpoolctl import ThreadpoolController  # noqa: PLC0415

    return ThreadpoolController().select(user_api="blas")


def positive(values: Matrix) -> Matrix:
    """Values above 0, and 0 for others; with two limits numpy clips twice as fast as with one."""
    return values.clip(_ZERO, _INFINITY)


def standardized(figures: Matrix, means: Matrix, scales: Matrix) -> Matrix:
    scaled = logarithms(figures)
    scaled -= means[:, None]
    scaled *= scales[:, None]
    return scaled.clip(-FARTHEST, FARTHEST, out=scaled).T


def logarithms(figures: Matrix) -> Matrix:
    """log(1 + |x|) with the sign of x."""
    logs = np.abs(figures)
    logs += 1
    np.log(logs, out=logs)
    # The same as np.copysign, in a quarter of the time.
    signed = logs.view(np.uint32)
    signed |= figures.view(np.uint32) & _SIGN
    return logs


def page_shares(lengths: Ints) -> Matrix:
    """The weights of the blocks in the two means of a page: by the root of their lengths, and equal."""
    roots = np.sqrt(lengths + np.float32(1))
    return np.stack((roots / roots.sum(), np.full(len(lengths), 1 / len(lengths)))).astype(np.float32)


def softmax(scores: Floats) -> Floats:
    probabilities: Floats = np.exp(scores - scores.max(axis=1, keepdims=True))
    probabilities /= probabilities.sum(axis=1, keepdims=True)
    return probabilities
