"""Probabilities of labels with and without fields, and the likeliest sequence of labels."""

from collections.abc import Sequence

import numpy as np

from victorpy.models.chain import best_path
from victorpy.page.blocks import LABELS, Label
from victorpy.page.elements import Floats

_OTHER = LABELS.index(Label.OTHER)

# Bias 1 multiplies the odds of content by e².
_LOG_ODDS_PER_BIAS = 2.0


def content(marginals: Floats) -> Floats:
    """The probability of each block that it is content."""
    probabilities: Floats = 1.0 - marginals[:, _OTHER]
    return probabilities


def likeliest_path(
    scores: Floats, transitions: Floats, bias: float = 0.0, labels: Sequence[Label] = LABELS
) -> list[Label]:
    """The likeliest sequence of labels; fields become their base labels."""
    biased = scores.copy()
    biased[:, [not label.is_content for label in labels]] -= _LOG_ODDS_PER_BIAS * bias
    return [labels[label].base for label in best_path(biased, transitions)]


def summed_by_base(probabilities: Floats, labels: Sequence[Label]) -> Floats:
    """The probabilities of the five labels; each field counts for its base."""
    if len(labels) == len(LABELS):
        return probabilities
    sums = np.zeros((len(probabilities), len(LABELS)))
    for column, label in enumerate(labels):
        sums[:, LABELS.index(label.base)] += probabilities[:, column]
    return sums


def with_fields(of_five: Floats, probabilities: Floats, labels: Sequence[Label]) -> Floats:
    """The probabilities of the five labels, split among their fields in the proportions of `probabilities`."""
    if len(labels) == len(LABELS):
        return of_five
    bases = [LABELS.index(label.base) for label in labels]
    sums = np.maximum(summed_by_base(probabilities, labels), np.finfo(float).tiny)
    split: Floats = probabilities * (of_five / sums)[:, bases]
    return split


def detailed(decided: Sequence[Label], probabilities: Floats, labels: Sequence[Label]) -> list[Label]:
    """For each block the likeliest label or field that has the decided label as its base."""
    bases = np.array([LABELS.index(label.base) for label in labels])
    decided_bases = np.array([LABELS.index(label) for label in decided], np.intp)
    likeliest = np.where(bases == decided_bases[:, None], probabilities, -1.0).argmax(axis=1)
    return [labels[column] for column in likeliest.tolist()]
