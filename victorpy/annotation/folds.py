"""Pages → folds: whole groups in one fold, every kind of page spread over all."""

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from victorpy.errors import UsageError, VictorError
from victorpy.foundation.files import read_text


class Membership(NamedTuple):
    """What kind of page a page is, and the group (a site) that must not be parted."""

    kind: str = ""
    group: str = ""


def folds(
    ids: Sequence[str], groups: Mapping[str, str], kinds: Mapping[str, str], count: int = 6, seed: int = 0
) -> dict[str, int]:
    """The fold of every page, from 1 to `count`; a page that `groups` does not know is a group of its own."""
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
        raise UsageError(f"{count} folds: at least 2 are wanted, one to train on and one to test on")
    if count > groups:
        noun = "group" if groups == 1 else "groups"
        raise UsageError(f"{count} folds of {groups} {noun} of pages: every fold wants a group, and groups stay whole")


def _largest_first(members: Mapping[str, Sequence[str]], seed: int) -> list[str]:
    """In a random order, but the small groups last, because they fill what gaps the large ones leave."""
    order = sorted(members)
    random.Random(seed).shuffle(order)
    return sorted(order, key=lambda group: -len(members[group]))


def _crowding(fold: Counter[str], content: Counter[str], totals: Counter[str]) -> float:
    """How much the sums of squares, of pages and of each kind's share, would grow: least where most is missing."""
    sizes = _growth(fold.total(), content.total()) / totals.total()
    return sizes + sum(_growth(fold[kind], pages) / totals[kind] for kind, pages in content.items())


def _growth(before: int, added: int) -> int:
    return (before + added) ** 2 - before**2


def read_members(path: Path) -> dict[str, Membership]:
    """A table of pages: id, kind, and, where given, group, parted by tabs."""
    if not path.is_file():
        raise UsageError("no such file", path)
    found: dict[str, tuple[int, Membership]] = {}
    for number, line in _rows(read_text(path).splitlines()):
        id, *rest = line.split("\t")
        if not 1 <= len(rest) <= 2:
            raise VictorError(f"{len(rest) + 1} columns, where a page's id, kind and group are wanted", path, number)
        first, known = found.setdefault(id, (number, Membership(*rest)))
        if known != Membership(*rest):
            raise VictorError(f"'{id}' has another kind or group than in line {first}", path, number)
    return {id: membership for id, (_, membership) in found.items()}


def _rows(lines: Iterable[str]) -> list[tuple[int, str]]:
    return [(number, line) for number, line in enumerate(lines, start=1) if line.strip()]
