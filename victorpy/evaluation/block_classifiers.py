"""The simplest classifiers of blocks by one figure, and what a figure says of the class: ZeroR, 1R, information gain.

As in the evaluation of Pan Ei San, Nilar Aye: Noise Block Cleaning and Main Content Block Extraction, section 5, after
Kohlschütter, Fankhauser, Nejdl (2010). Everything is weighted by the words of a block.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from victorpy.annotation.text_scores import Score
from victorpy.page.elements import Flags, Floats

# A rule's intervals hold at least so many words, as the leaves of the paper's trees.
LEAST_WORDS = 1_000
_BINS = 20


class OneRule(NamedTuple):
    """The intervals of one figure: what is below `borders[0]`, between the borders, and above the last one."""

    borders: Floats
    are_content: Flags

    def predictions(self, values: Floats) -> Flags:
        found: Flags = self.are_content[np.searchsorted(self.borders, values, side="right")]
        return found


def zero_rule(are_content: Flags, words: Floats) -> OneRule:
    """ZeroR: the class of most words, always."""
    return OneRule(np.zeros(0), np.array([_is_majority(are_content, words)]))


def one_rule(values: Floats, are_content: Flags, words: Floats, least_words: float = LEAST_WORDS) -> OneRule:
    """1R: intervals of at least `least_words`, each of the class of most of its words; equal neighbours are joined."""
    order = np.argsort(values, kind="stable")
    sorted_values, classes, weights = values[order], are_content[order], words[order]
    starts = _interval_starts(sorted_values, weights, least_words)
    content = np.add.reduceat(weights * classes, starts)
    sides = 2 * content > np.add.reduceat(weights, starts)
    is_new = np.append(True, sides[1:] != sides[:-1])
    return OneRule(sorted_values[starts[is_new]][1:], sides[is_new])


def _interval_starts(values: Floats, weights: Floats, least: float) -> "np.typing.NDArray[np.intp]":
    """The places where intervals begin: never between equal values, and only after enough words."""
    starts, held = [0], 0.0
    left = float(weights.sum())
    for place in range(1, len(values)):
        held += weights[place - 1]
        left -= weights[place - 1]
        if held >= least and left >= least and values[place] > values[place - 1]:
            starts.append(place)
            held = 0.0
    return np.array(starts)


def _is_majority(are_content: Flags, words: Floats) -> bool:
    return bool(2 * words[are_content].sum() >= words.sum())


def information_gain(values: Floats, are_content: Flags, words: Floats) -> float:
    """H(C) - H(C|A) in bits, with the figure A in twenty parts of about equal words."""
    order = np.argsort(values, kind="stable")
    upto = np.cumsum(words[order])
    borders = np.unique(values[order][np.searchsorted(upto, upto[-1] * np.arange(1, _BINS) / _BINS)])
    bins = np.searchsorted(borders, values, side="left")
    counts = np.array([np.bincount(bins, words * side, len(borders) + 1) for side in (are_content, ~are_content)])
    shares = counts.sum(axis=0) / counts.sum()
    return _entropy(counts.sum(axis=1)) - float(
        sum(share * _entropy(of) for share, of in zip(shares, counts.T, strict=True))
    )


def _entropy(counts: Floats) -> float:
    shares = counts[counts > 0] / max(counts.sum(), 1e-300)
    return float(-(shares * np.log2(shares)).sum())


def weighted_score(predicted: Flags, gold: Flags, words: Floats) -> Score:
    """Precision, recall and F of both classes, averaged with the words of each class as weights, as Weka does."""
    found = [_score_of(predicted == side, gold == side, words) for side in (True, False)]
    sizes = [words[gold == side].sum() for side in (True, False)]
    return Score(*(float(np.average(column, weights=sizes)) for column in zip(*found, strict=True)))


def _score_of(predicted: Flags, gold: Flags, words: Floats) -> Sequence[float]:
    common, ours, theirs = (float(words[side].sum()) for side in (predicted & gold, predicted, gold))
    precision, recall = common / ours if ours else 0.0, common / theirs if theirs else 0.0
    return precision, recall, 2 * precision * recall / (precision + recall) if precision + recall else 0.0
