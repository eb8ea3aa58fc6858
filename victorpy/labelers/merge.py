"""What several labelers agree on: a block is kept that more than a share of their votes keeps."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import NamedTuple

import numpy as np

from victorpy.errors import MisfitError, VictorError, suggestion
from victorpy.labelers import Labeling, Untrained
from victorpy.labelers.registry import VOTERS
from victorpy.page.blocks import LABELS, Label, Page
from victorpy.page.elements import Flags, Floats, Ints

_PLACES = {label: place for place, label in enumerate(LABELS)}
_OTHER = _PLACES[Label.OTHER]

# How many blocks the pages count for against the prior, which keeps weights from growing without end.
_EVIDENCE = 1e4
_STEPS, _LONGEST_STEP, _LEAST = 50, 5.0, 1e-9


@dataclass(frozen=True)
class Merge(Untrained):
    """Keeps a block if the labelers that keep it have more than `share` of all weights.

    Without weights all weigh alike. A block's kind is the one with the most weight among those that keep it. Named
    labelers have their usual options.
    """

    labelers: tuple[str, ...] = ("bte", "density", "rules")
    weights: tuple[float, ...] = ()
    share: float = 0.5

    def __post_init__(self) -> None:
        if not self.labelers:
            raise MisfitError("at least one labeler is wanted", "labelers")
        for item, name in enumerate(self.labelers):
            if name not in VOTERS:
                raise MisfitError(f"no labeler '{name}' to merge{suggestion(name, VOTERS)}", "labelers", item=item)
        if self.weights and len(self.weights) != len(self.labelers):
            message = f"{len(self.labelers)} are wanted, one for each labeler, not {len(self.weights)}"
            raise MisfitError(message, "weights")
        if any(weight < 0 for weight in self.weights) or (self.weights and not any(self.weights)):
            raise MisfitError("0 or more are wanted, and one above 0", "weights")
        if not 0 <= self.share < 1:
            raise MisfitError(f"0 or more, and less than 1, is wanted, not {self.share:g}", "share")
        # What one of them misses is told before any page is read.
        _labelers(self.labelers)

    def labeling(self, page: Page) -> Labeling:
        labelings = [labeler.labeling(page) for labeler in _labelers(self.labelers)]
        labels = np.array([[_PLACES[label] for label in found.labels] for found in labelings], np.intp)
        weights = np.array(self.weights or [1.0] * len(self.labelers))
        kept = weights @ (labels != _OTHER) / weights.sum()
        # Sums of weights that are a share by the rules of arithmetic may be off in the last digit.
        kinds = np.where(kept > self.share + 1e-9, _heaviest_kinds(labels, weights), _OTHER)
        told = zip(self.labelers, labelings, strict=True)
        reason = "; ".join(f"{name}: {found.reason}" for name, found in told if found.reason)
        return Labeling([LABELS[kind] for kind in kinds.tolist()], probabilities=kept.tolist(), reason=reason)


@cache
def _labelers(names: tuple[str, ...]) -> list[Untrained]:
    return [VOTERS[name]() for name in names]


def _heaviest_kinds(labels: Ints, weights: Floats) -> Ints:
    """Of each block the kind with the most weight; noise is none."""
    by_kind = np.array([weights @ (labels == kind) for kind in range(_OTHER)])
    kinds: Ints = by_kind.argmax(axis=0)
    return kinds


# Learning the weights


class _Ballot(NamedTuple):
    """Ways to vote (row × labeler), and of each how much content and how much noise was voted on so."""

    votes: Flags
    content: Floats
    noise: Floats

    def of(self, labelers: Flags) -> "_Ballot":
        """As if the others kept nothing, which gives them a weight of 0."""
        return self._replace(votes=self.votes & labelers)


def learned(merge: Merge, pages: Iterable[tuple[Page, Sequence[Label | None]]]) -> Merge:
    """The same labelers with weights, and the share to match, by logistic regression of content on their votes.

    Blocks count by their characters. Whoever speaks against what it keeps has no vote.
    """
    ballot = _ballot(merge.labelers, pages)
    if not ballot.content.any() or not ballot.noise.any():
        raise VictorError("nothing to learn weights from: both content and noise are wanted among the labeled blocks")
    weights, bias = _regression(ballot)
    while not (weights >= 0).all():
        ballot = ballot.of(weights > 0)
        weights, bias = _regression(ballot)
    if not weights.any():
        raise VictorError("none of these labelers keeps content rather than noise on these pages")
    share = min(max(-bias / float(weights.sum()), 0.0), 0.9999)
    return replace(merge, weights=tuple(np.round(weights / weights.sum(), 4).tolist()), share=round(share, 4))


def _ballot(names: tuple[str, ...], pages: Iterable[tuple[Page, Sequence[Label | None]]]) -> _Ballot:
    labelers, bits = _labelers(names), 1 << np.arange(len(names))
    ways = np.arange(1 << len(names))
    content, noise = np.zeros(len(ways)), np.zeros(len(ways))
    for page, told in pages:
        way = bits @ np.array([_are_content(labeler.labeling(page).labels) for labeler in labelers])
        is_content, is_told = _are_content(told), np.array([label is not None for label in told], np.bool_)
        content += np.bincount(way, page.lengths * is_content, len(ways))
        noise += np.bincount(way, page.lengths * (is_told & ~is_content), len(ways))
    return _Ballot((ways[:, None] & bits) > 0, content, noise)


def _are_content(labels: Sequence[Label | None]) -> Flags:
    return np.array([label is not None and label.is_content for label in labels], np.bool_)


def _regression(ballot: _Ballot) -> tuple[Floats, float]:
    """The weights of votes, and the bias: Newton's steps over the ways to vote."""
    counts = (ballot.content + ballot.noise) * (_EVIDENCE / (ballot.content + ballot.noise).sum())
    shares = ballot.content / np.maximum(ballot.content + ballot.noise, 1)
    table: Floats = np.column_stack((ballot.votes, np.ones(len(counts))))
    penalty = np.diag([*[1.0] * ballot.votes.shape[1], _LEAST])
    weights: Floats = np.zeros(table.shape[1])
    for _ in range(_STEPS):
        chances = 1 / (1 + np.exp(-(table @ weights)))
        slope = table.T @ (counts * (shares - chances)) - penalty @ weights
        weighted: Floats = table * (counts * chances * (1 - chances))[:, None]
        curve = weighted.T @ table + penalty
        step = np.clip(np.linalg.solve(curve, slope), -_LONGEST_STEP, _LONGEST_STEP)
        weights = weights + step
        if np.abs(step).max() < _LEAST:
            break
    return weights[:-1], float(weights[-1])
