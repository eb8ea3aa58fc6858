"""Boosted trees that score single blocks, compiled to arrays.

The trees are oblivious (symmetric): all branches of a tree ask the same questions in the same order, so that the
answers, a bit each, are the number of the leaf.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from victorpy.foundation.arrays import are_figures
from victorpy.page.elements import Floats, Ints

Matrix = NDArray[np.float32]

# The number of a leaf has a bit for each question.
MOST_DEPTH = 12

# Blocks of a long page that are scored together: few enough for the processor's cache to hold what that takes.
_PIECE = 1 << 9


@dataclass(frozen=True, eq=False)
class Trees:
    """The log odds of content as a sum of leaves, one of each tree.

    A split asks whether the feature of its row is above its border; `questions` (depth × tree) are numbers of splits,
    the first one the lowest bit of a leaf's number; `leaves` are tree × leaf.
    """

    features: tuple[str, ...]
    rows: Ints
    borders: Matrix
    questions: Ints
    leaves: Floats
    bias: float = 0.0

    @property
    def fits(self) -> bool:
        """Have the arrays the shapes and the numbers that scoring takes for granted?"""
        return (
            are_figures(self.leaves, np.asarray(self.bias))
            and self.borders.dtype.kind == "f"
            and self.rows.ndim == 1
            and self.rows.shape == self.borders.shape
            and self.questions.ndim == 2
            and 1 <= len(self.questions) <= MOST_DEPTH
            and self.leaves.shape == (self.questions.shape[1], 1 << len(self.questions))
            and _are_numbers_under(self.rows, len(self.features))
            and _are_numbers_under(self.questions, len(self.rows))
        )

    def probabilities(self, matrix: Matrix) -> Floats:
        """Of each block the probability that it is content, from its features (feature × block)."""
        # Written so that no log odds overflow.
        probabilities: Floats = 0.5 + 0.5 * np.tanh(0.5 * self.log_odds(matrix))
        return probabilities

    def log_odds(self, matrix: Matrix) -> Floats:
        odds = np.empty(matrix.shape[1])
        firsts = np.arange(len(self.leaves))[:, None] * self.leaves.shape[1]
        every = np.ones(len(self.leaves))
        for begin in range(0, len(odds), _PIECE):
            numbers = self._leaf_numbers(matrix[:, begin : begin + _PIECE])
            odds[begin : begin + _PIECE] = every @ self.leaves.take(firsts + numbers)
        return odds + self.bias

    def _leaf_numbers(self, matrix: Matrix) -> Ints:
        """Which leaf of each tree each block comes to: tree × block."""
        answers = (matrix.take(self.rows, axis=0) > self.borders[:, None]).view(np.uint8)
        if len(self.questions) > 8:
            answers = answers.astype(np.uint16)
        numbers: Ints = answers.take(self.questions[-1], axis=0)
        for question in self.questions[-2::-1]:
            numbers <<= 1
            numbers |= answers.take(question, axis=0)
        return numbers


def _are_numbers_under(values: Ints, end: int) -> bool:
    return bool(values.dtype.kind in "iu" and (not values.size or (values.min() >= 0 and values.max() < end)))
