"""Carry labels from the blocks of an annotation over to the current blocks of the page."""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, pairwise
from textwrap import shorten
from typing import NamedTuple, TypeVar

from victorpy.page.blocks import Label

Note = TypeVar("Note")


class Changes(NamedTuple):
    """The result of a realignment; split, merged and new are counts of current blocks."""

    kept: int
    split: int = 0
    merged: int = 0
    new: int = 0
    lost: tuple[str, ...] = ()

    @property
    def is_none(self) -> bool:
        return not (self.split or self.merged or self.new or self.lost)

    def __str__(self) -> str:
        parts = [
            f"{self.kept} kept",
            *([f"{self.split} split from longer ones"] if self.split else []),
            *([f"{self.merged} merged from several"] if self.merged else []),
            *([f"{self.new} new and not labelled"] if self.new else []),
            *([f"{len(self.lost)} lost: {self._excerpts()}"] if self.lost else []),
        ]
        return "blocks: " + ", ".join(parts)

    def _excerpts(self) -> str:
        shown = [repr(shorten(text, 40, placeholder=" …") or text[:39] + "…") for text in self.lost[:3]]
        return ", ".join(shown + ["…"] * (len(self.lost) > 3))


def realigned(
    texts: Sequence[str], labels: Sequence[Label | None], current: Sequence[str]
) -> tuple[list[Label | None], Changes]:
    """The labels for the current texts, and the changes of blocks."""
    if list(texts) == list(current):
        return list(labels), Changes(kept=len(labels))
    shared = _shared(texts, current)
    sources: list[list[int]] = [[] for _ in current]
    pieces: list[list[int]] = [[] for _ in texts]
    for then, now in shared:
        sources[now].append(then)
        pieces[then].append(now)
    found = [
        _inherited([(labels[then], pieces[then][0] == now) for then in sources[now]]) for now in range(len(current))
    ]
    return found, _changes(texts, sources, pieces)


def realigned_flags(texts: Sequence[str], flags: Mapping[int, Note], current: Sequence[str]) -> dict[int, Note]:
    """The flags on the nearest blocks with the same texts; those of texts that are gone are lost."""
    if list(texts) == list(current):
        return dict(flags)
    places = {block: [now for now, text in enumerate(current) if text == texts[block]] for block in flags}
    return {min(now, key=lambda one: abs(one - block)): flags[block] for block, now in places.items() if now}


def _inherited(parts: list[tuple[Label | None, bool]]) -> Label | None:
    """The label of a block made of these labeled blocks, or of later pieces of them."""
    for label, is_beginning in parts:
        if label and label.is_content:
            return label if is_beginning else Label.CONTINUATION
    noise = [label for label, _ in parts if label]
    fields = (label for label in noise if label is not Label.OTHER)
    return next(fields, Label.OTHER) if parts and len(noise) == len(parts) else None


def _changes(texts: Sequence[str], sources: list[list[int]], pieces: list[list[int]]) -> Changes:
    is_split = [len(then) == 1 and len(pieces[then[0]]) > 1 for then in sources]
    merged = sum(len(then) > 1 for then in sources)
    new = sum(not then for then in sources)
    return Changes(
        kept=len(sources) - sum(is_split) - merged - new,
        split=sum(is_split),
        merged=merged,
        new=new,
        lost=tuple(text for text, now in zip(texts, pieces, strict=True) if not now),
    )


class _EqualCharacters(NamedTuple):
    """`length` characters that are equal in both texts."""

    old: int
    new: int
    length: int


def _shared(texts: Sequence[str], current: Sequence[str]) -> list[tuple[int, int]]:
    """Pairs of an old and a new block where most of one is in the other."""
    old, new = [_squeezed(text) for text in texts], [_squeezed(text) for text in current]
    common: Counter[tuple[int, int]] = Counter()
    old_ends, new_ends = list(accumulate(map(len, old))), list(accumulate(map(len, new)))
    for stretch in _stretches("".join(old), "".join(new)):
        common.update(dict(_cut(stretch, old_ends, new_ends)))
    return [(then, now) for (then, now), count in common.items() if 2 * count >= min(len(old[then]), len(new[now]))]


def _squeezed(text: str) -> str:
    return "".join(text.split())


def _cut(stretch: _EqualCharacters, old_ends: list[int], new_ends: list[int]) -> Iterator[tuple[tuple[int, int], int]]:
    """How many characters of the stretch each pair of blocks shares."""
    done = 0
    then, now = bisect_right(old_ends, stretch.old), bisect_right(new_ends, stretch.new)
    while done < stretch.length:
        old_end, new_end = old_ends[then] - stretch.old, new_ends[now] - stretch.new
        end = min(old_end, new_end, stretch.length)
        if end > done:
            yield (then, now), end - done
        done = end
        then += old_end == end
        now += new_end == end


def _stretches(old: str, new: str) -> list[_EqualCharacters]:
    """The common stretches in the same order: from long strings that each side has once, then from shorter ones in
    the gaps (the idea of Bram Cohen's patience diff)."""
    if old == new:
        return [_EqualCharacters(0, 0, len(old))]
    begin, end = _EqualCharacters(0, 0, 0), _EqualCharacters(len(old), len(new), 0)
    stretches = [begin, end]
    for size in (32, 8):
        wider = [begin]
        for left, right in pairwise(stretches):
            wider += (*_between(old, new, left, right, size), right)
        stretches = wider
    return stretches


def _between(old: str, new: str, left: _EqualCharacters, right: _EqualCharacters, size: int) -> list[_EqualCharacters]:
    then, now = left.old + left.length, left.new + left.length
    inside = _common(old[then : right.old], new[now : right.new], size)
    return [_EqualCharacters(then + stretch.old, now + stretch.new, stretch.length) for stretch in inside]


def _common(old: str, new: str, size: int) -> list[_EqualCharacters]:
    """Beginning, end and anchors, each extended to both sides while the texts are equal."""
    stretches = []
    then = now = 0
    for place, counterpart in [(0, 0), *_anchors(old, new, size), (len(old), len(new))]:
        if place >= then and counterpart >= now:
            back = _alike(old[then:place][::-1], new[now:counterpart][::-1], 0, 0)
            length = back + _alike(old, new, place, counterpart)
            then, now = place - back + length, counterpart - back + length
            stretches.append(_EqualCharacters(then - length, now - length, length))
    return stretches


def _alike(old: str, new: str, then: int, now: int) -> int:
    """The number of equal characters from these two places on."""
    longest = min(len(old) - then, len(new) - now)
    return next((count for count in range(longest) if old[then + count] != new[now + count]), longest)


def _anchors(old: str, new: str, size: int) -> list[tuple[int, int]]:
    """The places of strings of this size that each side has once, in the same order on both sides."""
    there = _once(new, size)
    here = _once(old, size) if there else {}
    return _rising([(place, there[string]) for string, place in here.items() if string in there])


def _once(text: str, size: int) -> dict[str, int]:
    """The place of each string of this size that occurs once."""
    places: dict[str, int] = {}
    again = set()
    for place in range(len(text) - size + 1):
        string = text[place : place + size]
        if places.setdefault(string, place) != place:
            again.add(string)
    return {string: place for string, place in places.items() if string not in again}


def _rising(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest subsequence of the pairs, sorted by their first number, in which the second rises too."""
    tops: list[int] = []
    chosen: list[int] = []
    before: list[int] = []
    for number, (_, now) in enumerate(pairs):
        rank = bisect_left(tops, now)
        before.append(chosen[rank - 1] if rank else -1)
        tops[rank : rank + 1] = [now]
        chosen[rank : rank + 1] = [number]
    rising = []
    number = chosen[-1] if chosen else -1
    while number >= 0:
        rising.append(pairs[number])
        number = before[number]
    return rising[::-1]
