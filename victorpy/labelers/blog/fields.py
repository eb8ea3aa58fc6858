"""The fields of a post: title, date, author and body."""

from typing import NamedTuple

import numpy as np

from victorpy import _core
from victorpy.labelers.blog.bylines import shown_date, written_date
from victorpy.labelers.blog.marks import Marks
from victorpy.labelers.blog.regions import Region, regions
from victorpy.page.blocks import Page
from victorpy.page.elements import Flags, Ints
from victorpy.page.posts import Post

# How many characters a line may have besides its date to count as the date's line.
_LONGEST_BESIDE = 40


class Draft(NamedTuple):
    """A post, and the blocks of its title."""

    post: Post
    title: range


def drafts(marks: Marks) -> list[Draft]:
    """The posts of a page that have a body, in document order."""
    places = regions(marks)
    ends = (0, *(place.last for place in places))
    found = [_draft(marks, place, before, len(places) == 1) for place, before in zip(places, ends, strict=False)]
    return [draft for draft in found if draft.post.blocks]


def _draft(marks: Marks, region: Region, before: int, is_only: bool) -> Draft:
    _core.check_deadline()
    # Its title and date may come before the region, after the end of the previous post.
    title = _title(marks, region, before if is_only else region.first)
    begin = marks.begins[title] if title else 0
    lines = range(begin, max(begin + 1, int(marks.last[title]))) if title else range(0)
    date, datetime = _date(marks, region, before)
    blocks = _body(marks, region, lines, date)
    return Draft(Post(marks.text(title) if title else "", date, datetime, _author(marks, region), blocks), lines)


def _title(marks: Marks, region: Region, before: int) -> int:
    """The first title or heading in the post; if it is the only post of the page, else the last one before it."""
    for heads in (marks.titles, marks.headings):
        inside = marks.within(heads, *region)
        if inside and not _is_text(marks, inside[0]):
            return inside[0]
    for heads in (marks.titles, marks.headings):
        outside = marks.within(heads, before, region.first)
        if outside:
            return outside[-1]
    return 0


def _is_text(marks: Marks, head: int) -> bool:
    """A heading in the middle of a body is not a title; a heading at its start may be."""
    begin = int(marks.begins[head])
    return bool(marks.blocks_of_bodies[begin] and begin > 0 and marks.blocks_of_bodies[begin - 1])


def _date(marks: Marks, region: Region, before: int) -> tuple[str, str]:
    """By name in the post or before it; else in a short block; else the date of the day, which posts may share."""
    dates = marks.within(marks.dates, *region) or marks.within(marks.dates, before, region.first)[::-1]
    for element in dates:
        shown = shown_date(marks, element)
        if any(shown):
            return shown
    around = [*range(region.first, region.last), *range(region.first - 1, before - 1, -1)]
    if written := written_date(marks, around):
        return written, ""
    earlier = marks.within(marks.dates_between, 0, region.first)
    return shown_date(marks, earlier[-1]) if earlier else ("", "")


def _author(marks: Marks, region: Region) -> str:
    """The innermost of the elements inside the first match; if that has a link, the link."""
    found = marks.within(marks.authors, *region)
    if not found:
        return ""
    elements = marks.page.elements
    inner = [element for element in found if element < elements.ends[found[0]]]
    links = [element for element in marks.inside(inner[-1]) if elements.tags[element] == "a"]
    text = marks.text(links[0] if links else inner[-1])
    return text if len(text) <= marks.rules.longest_byline else ""


def _body(marks: Marks, region: Region, title: range, date: str) -> tuple[int, ...]:
    """The blocks named as a body; without any, all but the title, the date and other facts about the post."""
    blocks = np.arange(*region)
    is_title = np.isin(blocks, title)
    is_about = marks.blocks_of_noise[blocks] | marks.blocks_of_meta[blocks] | is_title
    is_text = marks.blocks_of_bodies[blocks] & ~is_about
    if not is_text.any():
        is_text = ~(is_about | marks.blocks_of_bylines[blocks] | _holds(marks.page, blocks, date))
    found: list[int] = blocks[is_text].tolist()
    return tuple(found)


def _holds(page: Page, blocks: Ints, date: str) -> Flags:
    """Is each block a line with this date?"""
    limit = len(date) + _LONGEST_BESIDE
    return np.array(
        [bool(date) and date in page.texts[block] and page.lengths[block] <= limit for block in blocks], bool
    )
