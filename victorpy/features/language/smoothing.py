"""Turns counts into probabilities of n-grams, interpolated with those of shorter n-grams.

Modified Kneser-Ney (Chen & Goodman 1999) and Witten-Bell (1991). With both, single symbols are smoothed by Witten-Bell,
so that unknown symbols have a probability even after little training text. `backoff` takes the quotients of counts as
they are (Fernández-Pichel et al. 2022, equation 2), and for unseen n-grams a part of the shorter one's (Brants 2007).
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from victorpy.features.language.counting import NgramCounts, Numbers
from victorpy.features.language.symbols import Keys

Smoothing = Literal["kneser-ney", "witten-bell", "backoff"]
Floats = NDArray[np.floating[Any]]
Groups = NDArray[np.intp]


class Estimate(NamedTuple):
    """N-grams of one order, by ascending keys: ln of their probability, and of the share left to shorter n-grams."""

    keys: Keys
    chances: Floats
    rests: Floats


class Estimates(NamedTuple):
    """The estimates of all orders, and ln of the probability of an unknown symbol."""

    orders: list[Estimate]
    unknown: float


def estimates(counts: Sequence[NgramCounts], smoothing: Smoothing, least: int, begin: np.uint64) -> Estimates:
    """The probabilities. N-grams of two or more symbols that occur less than `least` times are left out.

    Every text begins with the symbol `begin`.
    """
    if smoothing == "backoff":
        return _quotients(counts, least, begin)
    weights = [*map(_weights[smoothing], counts, [*counts[1:], None])]
    first, chances, unknown = _singles(counts[0], weights[0], begin)
    found = [first]
    for size, weight in zip(counts[1:], weights[1:], strict=True):
        shares, groups, contexts = _shares(size, weight, smoothing)
        is_kept = size.counts >= least
        kept = np.where(is_kept, shares, 0.0)
        rests = np.maximum(1.0 - np.bincount(groups, kept, len(contexts)), _SMALLEST)
        shorter = chances[np.searchsorted(found[-1].keys, size.endings[is_kept])]
        _store_rests(found[-1], contexts, rests)
        chances = shares[is_kept] + rests[groups[is_kept]] * shorter
        found.append(Estimate(size.keys[is_kept], np.log(chances), np.zeros(len(chances))))
    return Estimates(found, unknown)


_SMALLEST = 1e-9

# What an unseen n-gram keeps of the probability of the shorter one (Brants et al. 2007, "stupid backoff").
_BACKOFF = 0.4


def _quotients(counts: Sequence[NgramCounts], least: int, begin: np.uint64) -> Estimates:
    """The count of each n-gram as a share of the count of its context. An unknown symbol counts as a part of one."""
    total = int(counts[0].counts.sum())
    unknown = _BACKOFF / total
    place = int(np.searchsorted(counts[0].keys, begin))
    keys = np.insert(counts[0].keys, place, begin)
    chances = np.insert(counts[0].counts / total, place, unknown)
    found = [_backing_off(keys, chances)]
    for shorter, size in pairwise(counts):
        is_kept = size.counts >= least
        shares = size.counts / _context_counts(size, shorter)
        found.append(_backing_off(size.keys[is_kept], shares[is_kept]))
    return Estimates(found, float(np.log(unknown)))


def _backing_off(keys: Keys, chances: Floats) -> Estimate:
    return Estimate(keys, np.log(chances), np.full(len(keys), np.log(_BACKOFF)))


def _context_counts(size: NgramCounts, shorter: NgramCounts) -> Numbers:
    """How often the context of each n-gram occurs. Beginnings of texts are not counted, but all have successors."""
    contexts, groups = np.unique(size.contexts, return_inverse=True)
    times = np.bincount(groups, size.counts, len(contexts))
    places = np.searchsorted(shorter.keys, contexts)
    is_there = shorter.keys.take(places, mode="clip") == contexts
    times[is_there] = shorter.counts[places[is_there]]
    found: Numbers = times.astype(np.int64)[groups]
    return found


def _raw(size: NgramCounts, _: NgramCounts | None) -> Numbers:
    return size.counts


def _continuations(size: NgramCounts, longer: NgramCounts | None) -> Numbers:
    """In how many contexts each n-gram occurs. An n-gram that only begins texts has no context and keeps its count."""
    if longer is None:
        return size.counts
    endings, times = np.unique(longer.endings, return_counts=True)
    weights = size.counts.copy()
    places = np.searchsorted(size.keys, endings)
    is_there = size.keys.take(places, mode="clip") == endings if len(size.keys) else np.zeros(len(places), np.bool_)
    weights[places[is_there]] = times[is_there]
    return weights


_weights: Mapping[str, Callable[[NgramCounts, NgramCounts | None], Numbers]] = {
    "kneser-ney": _continuations,
    "witten-bell": _raw,
}


def _singles(size: NgramCounts, weights: Numbers, begin: np.uint64) -> tuple[Estimate, Floats, float]:
    """The single symbols. The beginning of texts is included as a context, though it never follows another symbol."""
    total, kinds = int(weights.sum()), len(weights)
    unknown = kinds / (total + kinds) / (kinds + 1)
    place = int(np.searchsorted(size.keys, begin))
    chances = np.insert(weights / (total + kinds) + unknown, place, unknown)
    keys = np.insert(size.keys, place, begin)
    return Estimate(keys, np.log(chances), np.zeros(len(keys))), chances, float(np.log(unknown))


def _shares(size: NgramCounts, weights: Numbers, smoothing: Smoothing) -> tuple[Floats, Groups, Keys]:
    """Each n-gram's own share of its context, the number of its context, and the contexts."""
    contexts, groups = np.unique(size.contexts, return_inverse=True)
    totals = np.bincount(groups, weights, len(contexts))
    if smoothing == "witten-bell":
        return weights / (totals + np.bincount(groups, minlength=len(contexts)))[groups], groups, contexts
    return (weights - discounts(weights)[np.minimum(weights, 3)]) / totals[groups], groups, contexts


def discounts(weights: Numbers) -> Floats:
    """The discounts of weights of 1, 2, and 3 or more. They are bounded, because little text gives extreme figures."""
    times = np.maximum(np.bincount(np.minimum(weights, 5), minlength=6)[:5], 1).astype(float)
    share = times[1] / (times[1] + 2 * times[2])
    sizes = np.arange(1, 4)
    found = sizes - (sizes + 1) * share * times[2:5] / times[1:4]
    return np.concatenate(([0.0], np.clip(found, 0.1, 0.95 * sizes)))


def _store_rests(shorter: Estimate, contexts: Keys, rests: Floats) -> None:
    """Stores the rests of contexts. A context that was left out needs none: it has no longer n-grams."""
    places = np.searchsorted(shorter.keys, contexts)
    is_there = shorter.keys.take(places, mode="clip") == contexts
    shorter.rests[places[is_there]] = np.log(rests[is_there])
