"""Labels for the blocks that a page has today, from those that it had when it was annotated."""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from textwrap import shorten
from typing import NamedTuple

from victorpy.page.blocks import Label


class Changes(NamedTuple):
    """What became of the annotated blocks; split, merged and new count the blocks that the page has today."""

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
    texts: Sequence[str], labels: Sequence[Label | None], today: Sequence[str]
) -> tuple[list[Label | None], Changes]:
    """The labels for the texts of today, and what became of the blocks."""
    if list(texts) == list(today):
        return list(labels), Changes(kept=len(labels))
    shared = _shared(texts, today)
    sources: list[list[int]] = [[] for _ in today]
    pieces: list[list[int]] = [[] for _ in texts]
    for then, now in shared:
        sources[now].append(then)
        pieces[then].append(now)
    found = [_inherited([(labels[then], pieces[then][0] == now) for then in sources[now]]) for now in range(len(today))]
    return found, _changes(texts, sources, pieces)


def _inherited(parts: list[tuple[Label | None, bool]]) -> Label | None:
    """The label of a block that consists of these labeled blocks, or of later pieces of them."""
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


class _Stretch(NamedTuple):
    """`length` characters that are the same in both texts."""

    old: int
    new: int
    length: int


def _shared(texts: Sequence[str], today: Sequence[str]) -> list[tuple[int, int]]:
    """Pairs of an old and a new block where one of them is, for the most part, in the other."""
    old, new = [_squeezed(text) for text in texts], [_squeezed(text) for text in today]
    common: Counter[tuple[int, int]] = Counter()
    old_ends, new_ends = list(accumulate(map(len, old))), list(accumulate(map(len, new)))
    for stretch in _stretches("".join(old), "".join(new)):
        common.update(dict(_cut(stretch, old_ends, new_ends)))
    return [(then, now) for (then, now), count in common.items() if 2 * count >= min(len(old[then]), len(new[now]))]


def _squeezed(text: str) -> str:
    return "".join(text.split())


def _cut(stretch: _Stretch, old_ends: list[int], new_ends: list[int]) -> Iterator[tuple[tuple[int, int], int]]:
    """The stretch cut at the borders of both sides' blocks: which blocks share how many characters."""
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


def _stretches(old: str, new: str) -> list[_Stretch]:
    """What both have in common in the same order: found from long strings that each has once, then from shorter ones
    in the gaps between (the idea of Bram Cohen's patience diff)."""
    if old == new:
        return [_Stretch(0, 0, len(old))]
    begin, end = _Stretch(0, 0, 0), _Stretch(len(old), len(new), 0)
    stretches = [begin, end]
    for size in (32, 8):
        wider = [begin]
        for left, right in pairwise(stretches):
            wider += (*_between(old, new, left, right, size), right)
        stretches = wider
    return stretches


def _between(old: str, new: str, left: _Stretch, right: _Stretch, size: int) -> list[_Stretch]:
    then, now = left.old + left.length, left.new + left.length
    inside = _common(old[then : right.old], new[now : right.new], size)
    return [_Stretch(then + stretch.old, now + stretch.new, stretch.length) for stretch in inside]


def _common(old: str, new: str, size: int) -> list[_Stretch]:
    """Beginning, end and anchors, each grown to both sides as far as the texts are alike."""
    stretches = []
    then = now = 0
    for place, counterpart in [(0, 0), *_anchors(old, new, size), (len(old), len(new))]:
        if place >= then and counterpart >= now:
            back = _alike(old[then:place][::-1], new[now:counterpart][::-1], 0, 0)
            length = back + _alike(old, new, place, counterpart)
            then, now = place - back + length, counterpart - back + length
            stretches.append(_Stretch(then - length, now - length, length))
    return stretches


def _alike(old: str, new: str, then: int, now: int) -> int:
    """For how many characters both go on alike."""
    longest = min(len(old) - then, len(new) - now)
    return next((count for count in range(longest) if old[then + count] != new[now + count]), longest)


def _anchors(old: str, new: str, size: int) -> list[tuple[int, int]]:
    """Where strings of this size stand that each side has once, those that are in the same order."""
    there = _once(new, size)
    here = _once(old, size) if there else {}
    return _rising([(place, there[string]) for string, place in here.items() if string in there])


def _once(text: str, size: int) -> dict[str, int]:
    """Where each string of this size begins that does not come again."""
    places: dict[str, int] = {}
    again = set()
    for place in range(len(text) - size + 1):
        string = text[place : place + size]
        if places.setdefault(string, place) != place:
            again.add(string)
    return {string: place for string, place in places.items() if string not in again}


def _rising(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest choice of the pairs, given by their first number, in which the second rises too."""
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
