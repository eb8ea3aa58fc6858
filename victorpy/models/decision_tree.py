"""A decision tree as a labeler: plain arrays, asked level by level for all blocks at once."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from victorpy.features.buckets import Codes
from victorpy.foundation.arrays import are_figures, are_numbers
from victorpy.models.crf import Layout
from victorpy.models.templates import Reference
from victorpy.page.elements import Floats, Ints

# The score of a label that no block of a leaf can have.
_NEVER = -1e4

_LEAF = -1


@dataclass(frozen=True, eq=False)
class DecisionTree:
    """Scores blocks by the leaf they come to: codes in, scores out; nothing depends on the labels of other blocks.

    An inner node asks whether the code in its column, one for each reference of the layout, is above its border, and
    `children` (2 × node) are where no and yes lead; a leaf has no column, and `shares` (node × label) are its labels'.
    """

    layout: Layout
    columns: Ints
    borders: Ints
    children: Ints
    shares: Floats

    @property
    def fits(self) -> bool:
        """Have the arrays the shapes and the numbers that scoring takes for granted, and do all children come later?"""
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
        return np.where(self.shares > 0, np.log(np.maximum(self.shares, smallest)), _NEVER)

    def _leaves(self, values: Codes) -> Ints:
        nodes = np.zeros(values.shape[1], np.intp)
        asked = np.arange(values.shape[1])
        while len(asked := asked[self.columns[nodes[asked]] != _LEAF]):
            at = nodes[asked]
            answers = values[self.columns[at], asked] > self.borders[at]
            nodes[asked] = self.children[answers.astype(np.intp), at]
        return nodes


def references(layout: Layout) -> list[Reference]:
    """What a tree may ask for: each feature of each row that any template names, once."""
    return [*dict.fromkeys(reference for template in layout.templates.unigrams for reference in template)]


def values(layout: Layout, codes: Codes) -> Codes:
    """A row for each reference, its code at every block."""
    padded, count = layout.padded(codes), codes.shape[1]
    wanted = references(layout)
    rows = np.empty((len(wanted), count), np.uint8)
    for place, (feature, row) in enumerate(wanted):
        begin = layout.reach + row
        rows[place] = padded[layout.places[feature], begin : begin + count]
    return rows
