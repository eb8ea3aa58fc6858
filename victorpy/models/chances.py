"""Probabilities of labels, put together and taken apart; and the likeliest sequence of labels."""

from collections.abc import Sequence

import numpy as np

from victorpy.models.chain import best_path
from victorpy.page.blocks import LABELS, Label
from victorpy.page.elements import Floats

_OTHER = LABELS.index(Label.OTHER)

# Bias 1 makes odds of content e² times what the model says.
_LOG_ODDS_PER_BIAS = 2.0


def content(marginals: Floats) -> Floats:
    """The probability of each block that it is content at all."""
    chances: Floats = 1.0 - marginals[:, _OTHER]
    return chances


def likeliest_path(
    scores: Floats, transitions: Floats, bias: float = 0.0, labels: Sequence[Label] = LABELS
) -> list[Label]:
    """The likeliest sequence of labels, told by the five."""
    biased = scores.copy()
    biased[:, [not label.is_content for label in labels]] -= _LOG_ODDS_PER_BIAS * bias
    return [labels[label].base for label in best_path(biased, transitions)]


def folded(chances: Floats, labels: Sequence[Label]) -> Floats:
    """The probabilities of the five alone: every field counts for its base."""
    if len(labels) == len(LABELS):
        return chances
    together = np.zeros((len(chances), len(LABELS)))
    for place, label in enumerate(labels):
        together[:, LABELS.index(label.base)] += chances[:, place]
    return together


def unfolded(of_five: Floats, chances: Floats, labels: Sequence[Label]) -> Floats:
    """What others made of the probabilities of the five, shared out among the labels as they were before."""
    if len(labels) == len(LABELS):
        return of_five
    bases = [LABELS.index(label.base) for label in labels]
    before = np.maximum(folded(chances, labels), np.finfo(float).tiny)
    shared: Floats = chances * (of_five / before)[:, bases]
    return shared


def detailed(decided: Sequence[Label], chances: Floats, labels: Sequence[Label]) -> list[Label]:
    """Of the labels that one of the five stands for, the likeliest for each block."""
    bases = np.array([LABELS.index(label.base) for label in labels])
    wanted = np.array([LABELS.index(label) for label in decided], np.intp)
    likeliest = np.where(bases == wanted[:, None], chances, -1.0).argmax(axis=1)
    return [labels[place] for place in likeliest.tolist()]
