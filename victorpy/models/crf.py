"""The CRF: learned weights compiled to tables, so that labeling is a few look-ups and a sum."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod

import numpy as np
from numpy.typing import NDArray

from victorpy.features.buckets import Codes
from victorpy.foundation.arrays import are_figures, are_numbers
from victorpy.models.chain import best_path, marginals
from victorpy.models.templates import Template, Templates
from victorpy.page.blocks import LABELS, Label
from victorpy.page.elements import Floats, Ints

# Larger tables of weights are stored sparsely: sorted by code, without zero rows.
_LARGEST_DENSE_TABLE = 1 << 16

# The blocks of a long page that are scored together; their values fit into the processor's cache.
_CHUNK = 1 << 12

# The score of a label that no training page had.
_NEVER = -1e4


@dataclass(frozen=True, eq=False)
class Layout:
    """The layout of weights: features with their numbers of codes, the templates over them, and the labels."""

    counts: Mapping[str, int]
    templates: Templates
    labels: tuple[Label, ...] = LABELS

    @cached_property
    def rows(self) -> list[int]:
        """The relative rows of templates with a single feature."""
        return sorted({template[0].row for template in self.templates.unigrams if len(template) == 1})

    @cached_property
    def reach(self) -> int:
        """The greatest distance of a row in any template."""
        return max((abs(reference.row) for template in self.templates.unigrams for reference in template), default=0)

    @cached_property
    def places(self) -> dict[str, int]:
        return {name: place for place, name in enumerate(self.counts)}

    def padded(self, codes: Codes) -> Codes:
        """The codes with extra rows before and behind the page, where every feature has a code of its own."""
        outside = np.array([*self.counts.values()], np.uint8)[:, None].repeat(self.reach, axis=1)
        return np.concatenate((outside, codes, outside), axis=1)

    def sizes(self, template: Template) -> list[int]:
        return [self.counts[reference.feature] + 1 for reference in template]

    def template_codes(self, template: Template, padded: Ints) -> NDArray[np.int64]:
        """One number for the combination of the values of all references."""
        count = padded.shape[1] - 2 * self.reach
        codes = np.zeros(count, np.int64)
        for reference, size in zip(template, self.sizes(template), strict=True):
            begin = self.reach + reference.row
            codes = codes * size + padded[self.places[reference.feature], begin : begin + count]
        return codes


@dataclass(frozen=True, eq=False)
class Conjunction:
    """The weights of a template with several references: by code, or sparse, by position in `keys`."""

    template: Template
    weights: Floats
    keys: NDArray[np.int64] | None = None

    def fits(self, size: int, labels: int) -> bool:
        rows = size if self.keys is None else len(self.keys) + 1
        has_keys = self.keys is None or (are_numbers(self.keys) and self.keys.ndim == 1)
        return has_keys and are_figures(self.weights) and self.weights.shape == (rows, labels)

    def scores(self, codes: NDArray[np.int64]) -> Floats:
        if self.keys is None:
            return self.weights[codes]
        # The last row of a sparse table is for all codes without a weight: zeros.
        rows = np.searchsorted(self.keys, codes)
        known = np.append(self.keys, -1)
        return self.weights[np.where(known[rows] == codes, rows, len(self.keys))]


@dataclass(frozen=True, eq=False)
class CRF:
    """Compiled weights: codes in, scores and transitions out. Labels in `unseen` are never given."""

    layout: Layout
    singles: Floats
    conjunctions: tuple[Conjunction, ...]
    transitions: Floats
    unseen: tuple[int, ...] = ()

    @property
    def fits(self) -> bool:
        """Do the tables hold finite numbers, in the shapes of the layout?"""
        counts, labels = self.layout.counts.values(), len(self.layout.labels)
        return (
            are_figures(self.singles, self.transitions)
            and self.singles.dtype == self.transitions.dtype == np.float64
            and self.singles.shape == (sum(counts) + len(counts), len(self.layout.rows) * labels)
            and self.transitions.shape == (labels, labels)
            and all(isinstance(label, int) and 0 <= label < labels for label in self.unseen)
            and all(
                conjunction.fits(prod(self.layout.sizes(conjunction.template)), labels)
                for conjunction in self.conjunctions
            )
        )

    def scores(self, codes: Codes) -> Floats:
        """The score of each block for every label: block × label."""
        padded, around = self.layout.padded(codes), 2 * self.layout.reach
        scores = np.empty((codes.shape[1], len(self.layout.labels)))
        for begin in range(0, len(scores), _CHUNK):
            chunk = padded[:, begin : begin + _CHUNK + around].astype(np.int64)
            scores[begin : begin + _CHUNK] = self._scores(chunk)
        scores[:, list(self.unseen)] = _NEVER
        return scores

    def _scores(self, padded: Ints) -> Floats:
        layout = self.layout
        count, labels, rows = padded.shape[1] - 2 * layout.reach, len(layout.labels), layout.rows
        scores = np.zeros((count, labels))
        sums = self._sums(padded)
        for place, row in enumerate(rows):
            begin = layout.reach + row
            scores += sums[begin : begin + count, place * labels : (place + 1) * labels]
        for conjunction in self.conjunctions:
            scores += conjunction.scores(layout.template_codes(conjunction.template, padded))
        return scores

    def _sums(self, padded: Ints) -> Floats:
        """The weights of every row for the blocks around it: row × (relative row, label)."""
        sums = np.zeros((padded.shape[1], self.singles.shape[1]))
        gathered = np.empty_like(sums)
        begin = 0
        for feature, count in enumerate(self.layout.counts.values()):
            np.take(self.singles[begin : begin + count + 1], padded[feature], axis=0, out=gathered, mode="clip")
            sums += gathered
            begin += count + 1
        return sums

    def marginals(self, codes: Codes) -> Floats:
        return marginals(self.scores(codes), self.transitions)

    def best_path(self, codes: Codes) -> list[int]:
        return best_path(self.scores(codes), self.transitions)


def compiled(layout: Layout, weights: Sequence[Mapping[int, Floats]], transitions: Floats) -> CRF:
    """Arrange learned weights (template → code → one per label) in tables."""
    labels, rows = len(layout.labels), layout.rows
    firsts = dict(
        zip(layout.counts, np.cumsum([0, *(count + 1 for count in layout.counts.values())]).tolist(), strict=False)
    )
    singles = np.zeros((sum(layout.counts.values()) + len(layout.counts), len(rows) * labels))
    conjunctions = []
    for template, learned in zip(layout.templates.unigrams, weights, strict=True):
        if len(template) > 1:
            conjunctions.append(_conjunction(template, layout, learned))
            continue
        place = rows.index(template[0].row) * labels
        for code, values in learned.items():
            singles[firsts[template[0].feature] + code, place : place + labels] = values
    return CRF(layout, singles, tuple(conjunctions), transitions)


def _conjunction(template: Template, layout: Layout, learned: Mapping[int, Floats]) -> Conjunction:
    size = prod(layout.sizes(template))
    is_dense = size <= _LARGEST_DENSE_TABLE
    keys = np.array(sorted(learned), np.int64)
    weights = np.zeros((size if is_dense else len(keys) + 1, len(layout.labels)))
    for place, key in enumerate(keys.tolist()):
        weights[key if is_dense else place] = learned[key]
    return Conjunction(template, weights, None if is_dense else keys)
