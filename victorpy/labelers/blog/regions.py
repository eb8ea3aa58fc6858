"""Finds the parts of a page that are posts."""

from typing import NamedTuple

import numpy as np

from victorpy.labelers.blog.bylines import written_date
from victorpy.labelers.blog.marks import HEADINGS, Marks
from victorpy.page.elements import Flags

# A post without marks ends with the innermost part of the page that holds this many characters of its text.
_LEAST_TEXT = 100


class Region(NamedTuple):
    """The blocks of a post, from `first` up to `last`."""

    first: int
    last: int


def regions(marks: Marks) -> list[Region]:
    return _of_containers(marks) or _of_bodies(marks) or _of_dated_headings(marks)


def _of_containers(marks: Marks) -> list[Region]:
    """Elements named as posts, and articles. An element that holds several of them with titles is their list."""
    elements = marks.page.elements
    candidates = np.flatnonzero(marks.posts)
    around = marks.holders(marks.posts)
    titled = np.zeros(len(around), np.bool_)
    titled[around[np.append(marks.titles, marks.headings)]] = True
    inner = np.bincount(around[candidates[titled[candidates]]], minlength=len(around))
    has_body = np.zeros(len(around), np.bool_)
    has_body[around[np.flatnonzero(marks.bodies)]] = True
    kept: list[int] = []
    for element in candidates.tolist():
        is_inside = kept and element < elements.ends[kept[-1]]
        if not is_inside and (inner[element] < 2 or has_body[element]):
            kept.append(element)
    return [Region(int(marks.first[element]), int(marks.last[element])) for element in kept]


def _of_bodies(marks: Marks) -> list[Region]:
    """Bodies next to their titles. Each region starts at the last title or heading before the body."""
    heads = np.sort(np.append(marks.titles, marks.headings))
    regions: list[Region] = []
    for element in np.flatnonzero(marks.bodies & (marks.holders(marks.bodies) == 0)).tolist():
        end = regions[-1].last if regions else 0
        title = marks.within(heads, end, int(marks.first[element]))
        first = marks.begins[title[-1]] if title else marks.first[element]
        regions.append(Region(int(first), int(marks.last[element])))
    return regions


def _of_dated_headings(marks: Marks) -> list[Region]:
    """Headings next to a date, of the level that has the most. Each region ends at the next one or with its part."""
    heads = [[*map(int, marks.headings[_are_tag(marks, tag)])] for tag in HEADINGS]
    dated = max(([head for head in level if _is_dated(marks, head)] for level in heads), key=len)
    firsts = [int(marks.begins[head]) for head in dated]
    ends = [_end(marks, head) for head in dated]
    return [
        Region(first, min(end, following))
        for first, end, following in zip(firsts, ends, [*firsts, len(marks.page)][1:], strict=True)
    ]


def _are_tag(marks: Marks, tag: str) -> Flags:
    are: Flags = marks.page.elements.codes[marks.headings] == marks.page.markup.codes[tag]
    return are


def _is_dated(marks: Marks, head: int) -> bool:
    """Is there a date in a short block nearby?"""
    begin = int(marks.begins[head])
    return bool(written_date(marks, range(max(0, begin - 1), min(begin + 3, len(marks.page)))))


def _end(marks: Marks, head: int) -> int:
    """The end of the innermost part that holds some text after the heading."""
    page, element = marks.page, head
    heading_end = page.starts[marks.begins[head]] + page.lengths[marks.begins[head]]
    while element and page.elements.tags[element] != "body":
        element = int(page.elements.parents[element])
        last = int(marks.last[element]) - 1
        if page.starts[last] + page.lengths[last] - heading_end >= _LEAST_TEXT:
            break
    return int(marks.last[element])
