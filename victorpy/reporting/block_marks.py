"""What a report says of each block: kept or dropped, and whether a gold labeling or another system agrees."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from victorpy.output.cleaned import Cleaned
from victorpy.page.blocks import Page

# `extra` is kept by this system only, `missed` by the gold or the other system only.
Mark = Literal["kept", "dropped", "extra", "missed"]
MARKS: tuple[Mark, ...] = ("kept", "extra", "missed", "dropped")

# A block is kept by a system with other blocks if it keeps at least this share of its characters.
_MOST = 0.5


class Legend(NamedTuple):
    """What each mark means, in the order of MARKS."""

    kept: str
    extra: str
    missed: str
    dropped: str


ALONE = Legend("kept", "", "", "dropped")
WITH_GOLD = Legend(
    "kept, as in the gold", "kept, not in the gold", "dropped, but in the gold", "dropped, as in the gold"
)


def legend_of_two(ours: str, theirs: str) -> Legend:
    return Legend("kept by both", f"kept by {ours} only", f"kept by {theirs} only", "dropped by both")


def marks_of(keeps: Sequence[bool], theirs: Sequence[bool | None] | None) -> list[Mark]:
    """The mark of each block. Where the other side says nothing, the block is just kept or dropped."""
    others: Sequence[bool | None] = theirs if theirs is not None else [None] * len(keeps)
    return [_mark(ours, ours if other is None else other) for ours, other in zip(keeps, others, strict=True)]


def _mark(ours: bool, theirs: bool) -> Mark:
    if ours:
        return "kept" if theirs else "extra"
    return "missed" if theirs else "dropped"


def kept_blocks(cleaned: Cleaned) -> list[bool]:
    return [label.is_content for label in cleaned.labels]


def kept_by_other(page: Page, other: Cleaned) -> list[bool]:
    """Which blocks of the page another system keeps, even if it splits the page into other blocks."""
    if other.page.texts == page.texts:
        return kept_blocks(other)
    ranges = _ranges(other.page)
    kept = sorted(place for place, keeps in zip(ranges, kept_blocks(other), strict=True) if place and keeps)
    return [place is not None and _covered(place, kept) >= _MOST for place in _ranges(page)]


def _ranges(page: Page) -> list[tuple[int, int] | None]:
    return [place for _, place in page.core.places([[block] for block in range(len(page))])]


def _covered(place: tuple[int, int], kept: Sequence[tuple[int, int]]) -> float:
    """The share of a range that others cover; the others are sorted."""
    from bisect import bisect_left  # noqa: PLC0415

    begin, end = place
    first = max(bisect_left(kept, (begin, 0)) - 1, 0)
    shared = 0
    for other_begin, other_end in kept[first:]:
        if other_begin >= end:
            break
        shared += max(min(end, other_end) - max(begin, other_begin), 0)
    return shared / max(end - begin, 1)
