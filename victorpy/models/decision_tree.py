"""A decision tree: plain arrays, evaluated level by level for all blocks at once."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from victorpy.features.buckets import Codes
from victorpy.foundation.arrays import are_figures, are_numbers
from victorpy.foundation.portable_math import logarithms
from victorpy.models.crf import Layout
from victorpy.models.templates import Reference
from victorpy.page.elements import Floats, Ints

# The score of a label that no block of a leaf has.
_NEVER = -1e4

_LEAF = -1


@dataclass(frozen=True, eq=False)
class DecisionTree:
    """A tree that scores each block by its leaf: codes in, scores out, independent of other labels.

    An inner node compares the code in its column, one for each reference of the layout, with its border; `children`
    (2 × node) has the next nodes for lower or equal and for higher codes. A leaf has column -1, and the shares of its
    labels in `shares` (node × label).
    """

    layout: Layout
    columns: Ints
    borders: Ints
    children: Ints
    shares: Floats

    @property
    def fits(self) -> bool:
        """Do the arrays have the shapes and values that scoring relies on, and do children follow their parents?"""
        count = len(self.columns)
        is_inner = self.columns != _LEAF
        return (
            count > 0
            and are_numbers(self.columns, self.borders, self.children)
            and are_figures(self.shares)
            and self.columns.shape == self.borders.shape == (count,)
            and self.children.shape == (2, count)
            and self.shares.shape == (count, len(self.layout.labels))
            and bool(((self.columns >= _LEAF) & (self.columns < len(references(self.layout)))).all())
            and bool((self.children[:, is_inner] > np.flatnonzero(is_inner)).all())
            and bool((self.children[:, is_inner] < count).all())
        )

    @property
    def transitions(self) -> Floats:
        return np.zeros((len(self.layout.labels),) * 2)

    def scores(self, codes: Codes) -> Floats:
        """The logarithm of each label's share in the leaf of each block: block × label."""
        return self._scores.take(self._leaves(values(self.layout, codes)), axis=0)

    def marginals(self, codes: Codes) -> Floats:
        """The shares themselves: block × label."""
        return self.shares.take(self._leaves(values(self.layout, codes)), axis=0)

    @cached_property
    def _scores(self) -> Floats:
        smallest = np.finfo(float).tiny
        return np.where(self.shares > 0, logarithms(np.maximum(self.shares, smallest)), _NEVER)

    def _leaves(self, values: Codes) -> Ints:
        nodes = np.zeros(values.shape[1], np.intp)
        inner = np.arange(values.shape[1])
        while len(inner := inner[self.columns[nodes[inner]] != _LEAF]):
            at = nodes[inner]
            is_above = values[self.columns[at], inner] > self.borders[at]
            nodes[inner] = self.children[is_above.astype(np.intp), at]
        return nodes


def references(layout: Layout) -> list[Reference]:
    """The inputs of a tree: each feature and row that any template names, once."""
    return [*dict.fromkeys(reference for template in layout.templates.unigrams for reference in template)]


def values(layout: Layout, codes: Codes) -> Codes:
    """The code of each reference at every block: reference × block."""
    padded, count = layout.padded(codes), codes.shape[1]
    inputs = references(layout)
    rows = np.empty((len(inputs), count), np.uint8)
    for place, (feature, row) in enumerate(inputs):
        begin = layout.reach + row
        rows[place] = padded[layout.places[feature], begin : begin + count]
    return rows
