"""Assign pages to folds: a group stays in one fold, and each kind of page is spread over all folds."""

import random
from collections import Counter
from collections.abc import Mapping, Sequence

from victorpy.errors import UsageError


def folds(
    ids: Sequence[str], groups: Mapping[str, str], kinds: Mapping[str, str], count: int = 6, seed: int = 0
) -> dict[str, int]:
    """The fold of each page, from 1 to `count`; a page without an entry in `groups` is its own group."""
    members: dict[str, list[str]] = {}
    for id in ids:
        members.setdefault(groups.get(id, id), []).append(id)
    _check_count(count, len(members))
    filled = [Counter[str]() for _ in range(count)]
    totals = Counter(kinds.get(id, "") for id in ids)
    fold_of: dict[str, int] = {}
    for group in _largest_first(members, seed):
        content = Counter(kinds.get(id, "") for id in members[group])
        fold = min(range(count), key=lambda number: _crowding(filled[number], content, totals))
        filled[fold] += content
        fold_of |= dict.fromkeys(members[group], fold + 1)
    return {id: fold_of[id] for id in ids}


def _check_count(count: int, groups: int) -> None:
    if count < 2:
        raise UsageError(f"expected at least 2 folds (one to train on, one to test on), got {count}")
    if count > groups:
        noun = "group" if groups == 1 else "groups"
        raise UsageError(
            f"{count} folds need {count} groups of pages, but there {'is' if groups == 1 else 'are'} {groups} {noun}"
        )


def _largest_first(members: Mapping[str, Sequence[str]], seed: int) -> list[str]:
    """In random order, but with small groups last: they fill the gaps that large ones leave."""
    order = sorted(members)
    random.Random(seed).shuffle(order)
    return sorted(order, key=lambda group: -len(members[group]))


def _crowding(fold: Counter[str], content: Counter[str], totals: Counter[str]) -> float:
    """How much the group would increase the sums of squares of pages and of kinds: least in the emptiest fold."""
    sizes = _growth(fold.total(), content.total()) / totals.total()
    return sizes + sum(_growth(fold[kind], pages) / totals[kind] for kind, pages in content.items())


def _growth(before: int, added: int) -> int:
    return (before + added) ** 2 - before**2
