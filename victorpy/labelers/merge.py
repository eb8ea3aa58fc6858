"""A vote of several labelers: a block is kept if more than a given share of the votes keeps it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import NamedTuple

import numpy as np

from victorpy.errors import OptionError, VictorError, suggestion
from victorpy.foundation.bounds import Range, check_bounds
from victorpy.labelers import Labeling, Untrained
from victorpy.labelers.registry import VOTERS
from victorpy.page.blocks import LABELS, Label, Page
from victorpy.page.elements import Flags, Floats, Ints

_PLACES = {label: place for place, label in enumerate(LABELS)}
_OTHER = _PLACES[Label.OTHER]

# The pages count as so many blocks beside the prior, which keeps the weights from growing without limit.
_EVIDENCE = 1e4
_STEPS, _LONGEST_STEP, _LEAST = 50, 5.0, 1e-9

_LARGEST_SHARE = 0.9999


@dataclass(frozen=True)
class Merge(Untrained):
    """Keeps a block if the labelers that keep it have more than `share` of the total weight.

    Without weights, all labelers have the same weight. The kind of a block is the one with the most weight among the
    labelers that keep it. The labelers run with their default options.
    """

    labelers: tuple[str, ...] = ("bte", "density", "rules")
    weights: tuple[float, ...] = ()
    share: float = 0.5

    def __post_init__(self) -> None:
        self._check_labelers()
        self._check_weights()
        check_bounds(self, {"share": Range(0, below=1)})
        # Makes the labelers, so that a missing package is reported before any page is read.
        _labelers(self.labelers)

    def _check_labelers(self) -> None:
        if not self.labelers:
            raise OptionError("expected at least one labeler", "labelers")
        for item, name in enumerate(self.labelers):
            if name not in VOTERS:
                raise OptionError(f"no labeler '{name}' to merge{suggestion(name, VOTERS)}", "labelers", item=item)

    def _check_weights(self) -> None:
        if self.weights and len(self.weights) != len(self.labelers):
            message = f"expected {len(self.labelers)} weights, one for each labeler, got {len(self.weights)}"
            raise OptionError(message, "weights")
        if any(weight < 0 for weight in self.weights) or (self.weights and not any(self.weights)):
            raise OptionError("expected at least 0 for each, and more than 0 for one", "weights")

    def labeling(self, page: Page) -> Labeling:
        labelings = [labeler.labeling(page) for labeler in _labelers(self.labelers)]
        labels = np.array([[_PLACES[label] for label in found.labels] for found in labelings], np.intp)
        weights = np.array(self.weights or [1.0] * len(self.labelers))
        kept = _weight_of(labels != _OTHER, weights) / weights.sum()
        # A sum of weights that should equal the share may differ in the last digit.
        kinds = np.where(kept > self.share + 1e-9, _heaviest_kinds(labels, weights), _OTHER)
        by_name = zip(self.labelers, labelings, strict=True)
        reason = "; ".join(f"{name}: {found.reason}" for name, found in by_name if found.reason)
        fallback = ", ".join(dict.fromkeys(found.fallback for found in labelings if found.fallback))
        merged = [LABELS[kind] for kind in kinds.tolist()]
        return Labeling(merged, probabilities=kept.tolist(), reason=reason, fallback=fallback)


@cache
def _labelers(names: tuple[str, ...]) -> list[Untrained]:
    return [VOTERS[name]() for name in names]


def _weight_of(votes: Flags, weights: Floats) -> Floats:
    """The weight of the votes (labeler × block) for each block, added up in their order on every machine."""
    weight: Floats = (votes * weights[:, None]).sum(axis=0)
    return weight


def _heaviest_kinds(labels: Ints, weights: Floats) -> Ints:
    """The kind of content with the most weight, for each block."""
    by_kind = np.array([_weight_of(labels == kind, weights) for kind in range(_OTHER)])
    kinds: Ints = by_kind.argmax(axis=0)
    return kinds


# Learning the weights


class _Ballot(NamedTuple):
    """All combinations of votes (row × labeler), and the characters of content and of noise that got each of them."""

    votes: Flags
    content: Floats
    noise: Floats

    def of(self, labelers: Flags) -> "_Ballot":
        """The ballot as if the other labelers kept nothing, which gives them a weight of 0."""
        return self._replace(votes=self.votes & labelers)


def learned(merge: Merge, pages: Iterable[tuple[Page, Sequence[Label | None]]]) -> Merge:
    """The same labelers with weights and a share, by logistic regression of content on their votes.

    Blocks count by their characters. A labeler with a negative weight is given the weight 0.
    """
    ballot = _ballot(merge.labelers, pages)
    if not ballot.content.any() or not ballot.noise.any():
        raise VictorError("nothing to learn weights from: the labeled blocks must include both content and noise")
    weights, bias = _regression(ballot)
    while not (weights >= 0).all():
        ballot = ballot.of(weights > 0)
        weights, bias = _regression(ballot)
    if not weights.any():
        raise VictorError("none of these labelers keeps content rather than noise on these pages")
    share = min(max(-bias / float(weights.sum()), 0.0), _LARGEST_SHARE)
    return replace(merge, weights=tuple(np.round(weights / weights.sum(), 4).tolist()), share=round(share, 4))


def _ballot(names: tuple[str, ...], pages: Iterable[tuple[Page, Sequence[Label | None]]]) -> _Ballot:
    labelers, bits = _labelers(names), 1 << np.arange(len(names))
    combinations = np.arange(1 << len(names))
    content, noise = np.zeros(len(combinations)), np.zeros(len(combinations))
    for page, gold in pages:
        votes = bits @ np.array([_are_content(labeler.labeling(page).labels) for labeler in labelers])
        is_content, is_labeled = _are_content(gold), np.array([label is not None for label in gold], np.bool_)
        content += np.bincount(votes, page.lengths * is_content, len(combinations))
        noise += np.bincount(votes, page.lengths * (is_labeled & ~is_content), len(combinations))
    return _Ballot((combinations[:, None] & bits) > 0, content, noise)


def _are_content(labels: Sequence[Label | None]) -> Flags:
    return np.array([label is not None and label.is_content for label in labels], np.bool_)


def _regression(ballot: _Ballot) -> tuple[Floats, float]:
    """The weights of the votes and the bias, by Newton's method over the combinations of votes."""
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
