"""The parts of a page around a block: each next larger one, what it holds, and how often its like is beside it."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from victorpy.blocks import Page, once_per_page
from victorpy.elements import Flags, Ints, fixed_points, tag_places
from victorpy.features.letters import letters, share, sums
from victorpy.features.rows import Table, twins
from victorpy.markup import Markup

LEVELS = 5

# Kinds of elements, from what seldom is content to what usually is; 0 is any other.
_KINDS = (
    "nav footer header aside form select button label",
    "a span abbr small time",
    "table tbody tr",
    "td th",
    "ul ol dl menu",
    "li",
    "dt dd",
    "div",
    "section center body",
    "img picture figure",
    "figcaption",
    "h6 h5",
    "h4",
    "h3",
    "h2",
    "h1",
    "pre code",
    "blockquote",
    "article main",
    "p",
)


@lru_cache
def kinds(markup: Markup) -> Table:
    """By the code of a tag."""
    table = np.zeros(len(markup.codes) + 1, np.float32)
    for number, tags in enumerate(_KINDS, start=1):
        table[markup.members(tags.split())] = number
    return table


class Spans(NamedTuple):
    """For every element the first block in it, and the first behind it."""

    first: Ints
    last: Ints


@once_per_page
def spans(page: Page) -> Spans:
    opening, closing = tag_places(page.elements)
    places = page.runs.place.take(page.first_runs)
    # How many blocks begin before the tag behind each place.
    before = np.bincount(places, minlength=2 * len(opening) + 1).cumsum()
    return Spans(before.take(opening), before.take(closing))


class Parts(NamedTuple):
    """The levels of each block: the branch it is on, and above it branches of ever larger parts, a row for each.

    A branch is an element whose parent holds more blocks than it does itself.
    """

    branches: Ints
    levels: Ints


@once_per_page
def parts(page: Page) -> Parts:
    parents, (first, last) = page.elements.parents, spans(page)
    counts = last - first
    is_alone = counts == counts.take(parents)
    branches = fixed_points(np.where(is_alone, parents, np.arange(len(parents), dtype=parents.dtype)))
    levels = np.empty((LEVELS + 1, len(page)), np.int32)
    levels[0] = branches.take(page.element)
    for level in range(LEVELS):
        levels[level + 1] = branches.take(parents.take(levels[level]))
    return Parts(branches, levels)


_MIXERS = np.array([0x9E3779B97F4A7C15, 0xD1342543DE82EF95], np.uint64)


@once_per_page
def likes(page: Page) -> Table:
    """Of each branch: how many branches its parent has, how many of the same tag, and how many are built alike."""
    elements, (first, last) = page.elements, spans(page)
    branches = parts(page).branches
    is_branch = (branches == np.arange(len(branches))) & (last > first)
    units = np.flatnonzero(is_branch)
    parents, codes = elements.parents.take(units), elements.codes.take(units)
    beside = np.bincount(parents, minlength=len(branches)).take(parents)
    family = parents.astype(np.uint64) * _MIXERS[0] + codes.astype(np.uint64)
    builds = _builds(page).take(units)
    table = np.zeros((3, len(branches)), np.float32)
    # Both at once, where none of the one ever equals one of the other.
    same, alike = twins(np.array((family, family + (builds + np.uint64(1)) * _MIXERS[1])))
    table[:, units] = beside, same, alike
    return table


def _builds(page: Page) -> Ints:
    """Of each element a number for the set of tags of its children."""
    bits = np.uint64(1) << (page.elements.codes.astype(np.uint64) & np.uint64(63))
    builds = np.zeros(len(bits), np.uint64)
    np.bitwise_or.at(builds, page.elements.parents, bits)
    return builds


_OF_LEVEL = (
    "letters",
    "blocks",
    "link-share",
    "sentence-ends",
    "letters-per-block",
    "page-share",
    "position",
    "kind",
    "beside",
    "same-tag",
    "alike",
    "growth",
    "long-share",
    "letters-per-tag",
    "digit-share",
)
_OF_BRANCH = ("kind", "beside", "same-tag", "alike")

NAMES = (
    *(f"part.{level}.{name}" for name in _OF_LEVEL for level in range(1, LEVELS + 1)),
    *(f"part.0.{name}" for name in _OF_BRANCH),
    "part.depth",
    "part.element-kind",
    "part.parent-kind",
)


@once_per_page
def containers(page: Page) -> Table:
    levels, (first, last) = parts(page).levels[1:], spans(page)
    firsts, lasts = first.take(levels), last.take(levels)
    totals = sums(page)
    text, linked, ends, long, digits = totals.take(lasts, axis=1) - totals.take(firsts, axis=1)
    blocks = lasts - firsts
    some, some_blocks = np.maximum(text, 1), np.maximum(blocks, 1)
    table = np.empty((len(NAMES), len(page)), np.float32)
    of_levels = table[: len(_OF_LEVEL) * LEVELS].reshape(len(_OF_LEVEL), LEVELS, -1)
    of_levels[0] = text
    of_levels[1] = blocks
    of_levels[2] = linked / some
    of_levels[3] = ends
    of_levels[4] = text / some_blocks
    of_levels[5] = share(text, totals[0, -1])
    of_levels[6] = (np.arange(len(page)) - firsts) / some_blocks
    of_levels[11, 0] = letters(page).letters / some[0]
    of_levels[11, 1:] = text[:-1] / some[1:]
    of_levels[12] = long / some
    of_levels[13] = text / (page.elements.ends.take(levels) - levels)
    of_levels[14] = digits / some
    _describe(page, table, of_levels)
    return table


def _describe(page: Page, table: Table, of_levels: Table) -> None:
    """What the elements themselves are: the tag of the innermost that holds the part, and its like beside it."""
    elements, levels = page.elements, parts(page).levels
    kind = kinds(page.markup).take(elements.codes)
    like = likes(page).take(levels, axis=1)
    of_levels[7] = kind.take(elements.parents.take(levels[:-1]))
    of_levels[8:11] = like[:, 1:]
    rest = table[len(_OF_LEVEL) * LEVELS :]
    rest[0] = kind.take(levels[0])
    rest[1:4] = like[:, 0]
    rest[4] = elements.depths.take(page.element)
    rest[5] = kind.take(page.element)
    rest[6] = kind.take(elements.parents.take(page.element))


def deepest(is_wanted: Flags) -> int:
    """Of elements that lie inside of one another the innermost."""
    found = np.flatnonzero(is_wanted)
    return int(found[-1]) if len(found) else 0
