"""Marks the elements of a page, and the blocks inside them, that are parts of a blog."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from victorpy import _core
from victorpy.features.element_blocks import blocks_in_elements
from victorpy.labelers.blog.element_names import named
from victorpy.labelers.blog.name_patterns import Patterns
from victorpy.page.blocks import Page
from victorpy.page.elements import Flags, Ints, nearest_marked

HEADINGS = ("h1", "h2", "h3")
# The facts about a post are short. The limit keeps nested elements from being searched once for each ancestor.
_MOST_INSIDE = 100

# Elements whose names describe the whole page.
_WHOLE_PAGE = ("html", "body", "main")


class Marks:
    """The marks of all elements, and of the blocks inside them."""

    def __init__(self, page: Page, rules: Patterns):
        self.page, self.rules = page, rules
        self.first, self.last = blocks_in_elements(page)
        self.is_noise = self._inside(self._noise())
        is_used = ~self.is_noise & self._has_text()
        self.posts = self._named(rules.post, is_used) & ~self._tags(
            "h1", "h2", "h3", "h4", "a", "span", "time", "ul", "ol"
        )
        self.posts |= self._tags("article") & is_used
        self.bodies = self._named(rules.body, is_used)
        self.titles = np.flatnonzero(self._named(rules.title, is_used))
        self.headings = np.flatnonzero(self._tags(*HEADINGS) & is_used)
        self.is_date = self._named(rules.date, is_used) | (self._tags("time") & is_used)
        self.is_author = self._named(rules.author, is_used)
        self.dates, self.authors = np.flatnonzero(self.is_date), np.flatnonzero(self.is_author)

    @cached_property
    def dates_between(self) -> Ints:
        """The dates that are in no post."""
        return self.dates[~self._inside(self.posts)[self.dates]]

    def _named(self, patterns: Sequence[str], is_used: Flags) -> Flags:
        return named(self.page, patterns) & is_used & ~self._tags(*_WHOLE_PAGE)

    def _tags(self, *tags: str) -> Flags:
        are: Flags = self.page.markup.members(tags)[self.page.elements.codes]
        return are

    def _has_text(self) -> Flags:
        place, elements = self.page.runs.place, self.page.elements
        opens = 2 * np.arange(len(self.first)) - elements.depths + 1
        has: Flags = place.searchsorted(opens) < place.searchsorted(2 * elements.ends - elements.depths)
        return has

    def _noise(self) -> Flags:
        roles = [_core.ROLES.index(role) + 1 for role in ("navigation", "complementary", "search", "dialog")]
        by_markup = self._tags("nav", "aside", "form", "dialog") | np.isin(self.page.elements.roles, roles)
        return (by_markup | named(self.page, self.rules.noise)) & ~self._tags(*_WHOLE_PAGE)

    def _inside(self, are: Flags) -> Flags:
        inside: Flags = are[nearest_marked(self.page.elements, are)]
        return inside

    def holders(self, are: Flags) -> Ints:
        """For each element the nearest marked ancestor, or the root."""
        return nearest_marked(self.page.elements, are)[self.page.elements.parents]

    @cached_property
    def blocks_of_noise(self) -> Flags:
        return self.is_noise[self.page.element]

    @cached_property
    def blocks_of_meta(self) -> Flags:
        are = named(self.page, self.rules.meta) | self._tags("header", "footer")
        return self._inside(are & ~self._tags(*_WHOLE_PAGE))[self.page.element]

    @cached_property
    def blocks_of_bodies(self) -> Flags:
        return self._inside(self.bodies)[self.page.element]

    @cached_property
    def blocks_of_bylines(self) -> Flags:
        """Short blocks that are a date or an author, or contain one."""
        bylines = self._inside(self.is_date | self.is_author)[self.page.element]
        bylines[self.begins[np.append(self.dates, self.authors)]] = True
        return bylines & (self.page.lengths <= self.rules.longest_byline)

    @cached_property
    def begins(self) -> Ints:
        """For each element the block in which its text begins, perhaps in the middle of the block."""
        runs = self.page.runs
        opens = 2 * np.arange(len(self.first)) - self.page.elements.depths + 1
        begins: Ints = np.append(runs.block, len(self.page))[runs.place.searchsorted(opens)]
        return begins

    def within(self, elements: Ints, first: int, last: int) -> list[int]:
        """The elements, in document order, whose text begins in the blocks from `first` up to `last`."""
        begins = self.begins[elements]
        low, high = begins.searchsorted([first, last])
        found: list[int] = elements[low:high].tolist()
        return found

    def inside(self, element: int) -> range:
        """The element and the first elements in it."""
        return range(element, min(int(self.page.elements.ends[element]), element + _MOST_INSIDE))

    def text(self, element: int) -> str:
        """The text of an element; only the beginning of a long one."""
        runs = self._runs(element)
        return " ".join(filter(None, self._pieces(runs))) if runs else ""

    def _runs(self, element: int) -> range:
        elements, place = self.page.elements, self.page.runs.place
        opens = 2 * element - int(elements.depths[element]) + 1
        closes = 2 * int(elements.ends[element]) - int(elements.depths[element])
        begin = int(place.searchsorted(opens))
        return range(begin, min(int(place.searchsorted(closes)), begin + _MOST_INSIDE))

    def _pieces(self, runs: range) -> list[str]:
        """The part of the runs in each block."""
        blocks, starts = self.page.runs.block, self.page.runs.start
        first, last = int(blocks[runs.start]), int(blocks[runs.stop - 1])
        begin = int(starts[runs.start])
        is_cut = runs.stop < len(blocks) and blocks[runs.stop] == last
        texts = self.page.texts[first : last + 1]
        texts[-1] = texts[-1][: int(starts[runs.stop])] if is_cut else texts[-1]
        return [text.strip() for text in (texts[0][begin:], *texts[1:])]
