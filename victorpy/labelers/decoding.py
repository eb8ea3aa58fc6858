"""Probabilities → labels.

Which blocks to keep is the set with the best expected F1 of the page: with p the probability that a block is content
and w its weight, the set that maximises 2·Σkept p·w / (Σkept w + Σall p·w). Sorted by p, that set is a prefix
(Lewis 1995; Nan Ye et al. 2012).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from victorpy.blocks import LABELS, Label, Page
from victorpy.elements import Flags, Ints
from victorpy.errors import MisfitError
from victorpy.labelers.chain import Floats, best_path

_OTHER = LABELS.index(Label.OTHER)

LARGEST_BIAS = 100.0

# Bias 1 makes odds of content e² times what the model says.
_LOG_ODDS_PER_BIAS = 2.0

# Shorter texts are said again for good reasons: names of columns, of speakers, of parts.
_SAID = 20


@dataclass(frozen=True)
class Decoding:
    """How labels are chosen; `bias` over 0 keeps more, under 0 keeps less.

    The method `threshold` keeps every block whose probability is at least that.
    `prior-characters` are added to what a page is expected to hold, and nothing is kept whose mean probability is under
    `least-probability`: both spare pages without content. What the page has said before is kept again only where both
    copies have at least `repeat-probability`; 0 keeps all. The three are for `expected-f1`.
    """

    method: Literal["viterbi", "likeliest", "expected-f1", "threshold"] = "expected-f1"
    bias: float = 0.0
    prior_characters: float = 500.0
    least_probability: float = 0.15
    threshold: float = 0.5
    repeat_probability: float = 0.0

    def __post_init__(self) -> None:
        if not -LARGEST_BIAS <= self.bias <= LARGEST_BIAS:
            raise MisfitError(f"from {-LARGEST_BIAS:g} to {LARGEST_BIAS:g} is wanted, not {self.bias:g}", "bias")
        if self.prior_characters < 0:
            raise MisfitError(f"0 or more is wanted, not {self.prior_characters:g}", "prior-characters")
        if not 0 <= self.least_probability <= 1:
            raise MisfitError(f"from 0 to 1 is wanted, not {self.least_probability:g}", "least-probability")
        if not 0 <= self.threshold <= 1:
            raise MisfitError(f"from 0 to 1 is wanted, not {self.threshold:g}", "threshold")
        if not 0 <= self.repeat_probability <= 1:
            raise MisfitError(f"from 0 to 1 is wanted, not {self.repeat_probability:g}", "repeat-probability")


def content(marginals: Floats, bias: float = 0.0) -> Floats:
    """The probability of each block that it is content at all."""
    noise = marginals[:, _OTHER]
    if not bias:
        return 1.0 - noise
    keeping, dropping = _factors(bias)
    kept, dropped = (1.0 - noise) * keeping, noise * dropping
    probabilities: Floats = kept / np.maximum(kept + dropped, np.finfo(float).tiny)
    return probabilities


def _factors(bias: float) -> tuple[float, float]:
    """Of content and of noise: either is made less likely, never more, so that no bias overflows."""
    keeping, dropping = np.exp(np.minimum(0.0, [_LOG_ODDS_PER_BIAS * bias, -_LOG_ODDS_PER_BIAS * bias])).tolist()
    return keeping, dropping


def joined(marginals: Floats, probabilities: Floats, share: float) -> Floats:
    """The marginals after somebody else, who knows of content and noise only, has had a share in them."""
    before = content(marginals)
    after = (1.0 - share) * before + share * probabilities
    together = marginals * (after / np.maximum(before, np.finfo(float).tiny))[:, None]
    together[:, _OTHER] = 1.0 - after
    return together


def best_expected_f1(probabilities: Floats, weights: Ints, decoding: Decoding) -> Flags:
    """The blocks to keep."""
    keeps = np.zeros(len(probabilities), np.bool_)
    order = np.argsort(-probabilities, kind="stable")
    gains = np.cumsum((probabilities * weights)[order])
    if not len(gains) or not gains[-1]:
        return keeps
    kept = np.cumsum(weights[order])
    count = int(np.argmax(gains / (kept + gains[-1] + decoding.prior_characters))) + 1
    if gains[count - 1] >= decoding.least_probability * kept[count - 1]:
        keeps[order[:count]] = True
    return keeps


def kept_blocks(probabilities: Floats, page: Page, decoding: Decoding) -> Flags:
    """The blocks of a page to keep, by a threshold or by expected F1."""
    if decoding.method == "threshold":
        return probabilities >= decoding.threshold
    keeps = best_expected_f1(probabilities, page.lengths, decoding)
    return _said_once(keeps, probabilities, page, decoding) if decoding.repeat_probability else keeps


def _said_once(keeps: Flags, probabilities: Floats, page: Page, decoding: Decoding) -> Flags:
    """Without what stands on the page before, unless it surely belongs to the text in both places."""
    once, is_sure = keeps.copy(), probabilities >= decoding.repeat_probability
    first: dict[str, int] = {}
    for number in np.flatnonzero(keeps & (page.lengths >= _SAID)).tolist():
        before = first.setdefault(page.texts[number], number)
        once[number] = before == number or (is_sure[before] and is_sure[number])
    return once


def likeliest_kinds(marginals: Floats, keeps: Flags) -> list[Label]:
    """Of what is kept, the likeliest kind of each."""
    kinds = np.where(keeps, marginals[:, :_OTHER].argmax(axis=1), _OTHER)
    return [LABELS[kind] for kind in kinds.tolist()]


def likeliest_path(
    scores: Floats, transitions: Floats, bias: float = 0.0, labels: Sequence[Label] = LABELS
) -> list[Label]:
    """The likeliest sequence of labels, told by the five."""
    biased = scores.copy()
    biased[:, [not label.is_content for label in labels]] -= _LOG_ODDS_PER_BIAS * bias
    return [labels[label].base for label in best_path(biased, transitions)]


def likeliest_labels(marginals: Floats, bias: float = 0.0) -> list[Label]:
    """The likeliest label of every block by itself: of no other labels are more expected to be right."""
    keeping, dropping = _factors(bias)
    weights = np.full(len(LABELS), keeping)
    weights[_OTHER] = dropping
    return [LABELS[label] for label in (marginals * weights).argmax(axis=1).tolist()]


# Fields of posts, each of which is one of the five as well


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
