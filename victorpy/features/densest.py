"""Where on the page its main text seems to be, by several simple rules, and where a block stands to that."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from victorpy.blocks import Page, once_per_page
from victorpy.elements import Flags, Ints
from victorpy.features.characters import Codes, characters, counts_from
from victorpy.features.containers import deepest, kinds, spans
from victorpy.features.letters import Floats, letters, share, sums
from victorpy.features.rows import Table

# What the element with the most text loses for each linked letter, and for each block.
_PER_LINKED, _PER_BLOCK = 2.0, 12.0
_TRIGRAMS = 1 << 16

_OF_CORE = ("inside", "before", "behind", "steps-out", "steps-in", "share", "link-share", "blocks")
_CORES = ("half", "best")
_OF_BRANCH = ("letters", "blocks", "link-share", "sentence-ends", "long-share", "kind", "of-core", "position", "gap")

NAMES = (
    *(f"core.{core}.{name}" for core in _CORES for name in _OF_CORE),
    *(f"branch.{name}" for name in _OF_BRANCH),
    "stretch.inside",
    "stretch.before",
    "stretch.behind",
    "stretch.share",
    "from.start",
    "from.end",
    "from.start-letters",
    "from.longest",
    "from.h1",
    "from.title",
    "title.covers",
    "title.covered",
)


class _Core(NamedTuple):
    """An element, and the blocks in it."""

    element: int
    first: int
    last: int


def _core(page: Page, element: int) -> _Core:
    first, last = spans(page)
    return _Core(element, int(first[element]), int(last[element]))


@once_per_page
def _values(page: Page) -> Floats:
    """What each block speaks for, or against, the part that it is in."""
    found = letters(page)
    values: Floats = found.letters - _PER_LINKED * found.linked - _PER_BLOCK
    return values


def _summed(values: Floats) -> Floats:
    before = np.zeros(len(values) + 1)
    np.cumsum(values, out=before[1:])
    return before


@once_per_page
def half(page: Page) -> _Core:
    """The innermost element with more than half of the letters of long blocks."""
    before, (first, last) = sums(page)[3], spans(page)
    held = before.take(last) - before.take(first)
    return _core(page, deepest(held > before[-1] / 2))


@once_per_page
def best(page: Page) -> _Core:
    """The element with the most letters, where those of links, and blocks as such, count against it."""
    first, last = spans(page)
    before = _summed(_values(page))
    held = before.take(last) - before.take(first)
    return _core(page, deepest(held == held.max()))


@once_per_page
def best_stretch(page: Page) -> tuple[int, int]:
    """The same for any stretch of blocks (Finn et al. 2001)."""
    before = _summed(_values(page))
    lowest = np.minimum.accumulate(before)
    last = int((before - lowest).argmax())
    return int(before[: last + 1].argmin()), last


def _where(count: int, firsts: Sequence[int], lasts: Sequence[int]) -> Ints:
    """Of each stretch three rows: inside?; how many blocks before it; how many behind."""
    numbers = np.arange(count)
    where = np.zeros((len(firsts), 3, count), np.intp)
    np.maximum(np.array(firsts)[:, None] - numbers, 0, out=where[:, 1])
    np.maximum(numbers - (np.array(lasts) - 1)[:, None], 0, out=where[:, 2])
    np.equal(where[:, 1], where[:, 2], out=where[:, 0])
    return where


def _steps(page: Page, core: _Core) -> Ints:
    """Two rows: from the core up to what holds both, and from there down to the block."""
    depths, found = page.elements.depths, page.element
    common = _common_depths(depths, core.element).take(found)
    return np.array((depths[core.element] - common, depths.take(found) - common))


def _common_depths(depths: Ints, element: int) -> Ints:
    """How deep the innermost element lies that holds this one and each other: over the least deep between the two."""
    common = np.empty_like(depths)
    common[element] = depths[element] + 1
    np.minimum.accumulate(depths[element + 1 :], out=common[element + 1 :])
    np.minimum.accumulate(depths[element:0:-1], out=common[:element][::-1])
    common -= 1
    return common


def _of_core(page: Page, core: _Core) -> list[float]:
    """What is the same for all blocks."""
    totals = sums(page)
    text, linked, *_ = (totals[:, core.last] - totals[:, core.first]).tolist()
    return [text / max(totals[0, -1], 1), linked / max(text, 1), core.last - core.first]


def _branches(page: Page, core: _Core) -> Ints:
    """The largest element around each block without the core; inside of the core, its child."""
    elements = page.elements
    is_chain = elements.ends > core.element
    is_chain[core.element + 1 :] = False
    branches = np.flatnonzero(is_chain.take(elements.parents) & ~is_chain)
    if not len(branches):
        return np.zeros(len(page), np.intp)
    nearest = branches.take(branches.searchsorted(page.element, side="right") - 1, mode="clip")
    is_around = (nearest <= page.element) & (page.element < elements.ends.take(nearest))
    # A block right in the core, or in what holds the core, is in none.
    return nearest * is_around


def _branch(page: Page, core: _Core) -> list[Ints | Floats]:
    (first, last), branches = spans(page), _branches(page, core)
    firsts, lasts = first.take(branches), last.take(branches)
    totals = sums(page)
    text, linked, ends, long, _ = totals.take(lasts, axis=1) - totals.take(firsts, axis=1)
    held = totals[0, core.last] - totals[0, core.first]
    counts = lasts - firsts
    return [
        text,
        counts,
        share(linked, text),
        ends,
        share(long, text),
        kinds(page.markup).take(page.elements.codes.take(branches)),
        text / max(held, 1),
        (np.arange(len(page)) - firsts) / np.maximum(counts, 1),
        np.maximum(firsts - (core.last - 1), 0) - np.maximum((core.first + 1) - lasts, 0),
    ]


@once_per_page
def core(page: Page) -> Table:
    table = np.empty((len(NAMES), len(page)), np.float32)
    if not len(page):
        return table
    stretch, cores = best_stretch(page), (half(page), best(page))
    where = _where(len(page), [*(one.first for one in cores), stretch[0]], [*(one.last for one in cores), stretch[1]])
    behind_cores = len(_CORES) * len(_OF_CORE)
    of_cores = table[:behind_cores].reshape(len(_CORES), len(_OF_CORE), -1)
    of_cores[:, :3] = where[:-1]
    for rows, one in zip(of_cores, cores, strict=True):
        rows[3:5] = _steps(page, one)
        rows[5:] = np.array(_of_core(page, one))[:, None]
    columns = *_branch(page, cores[0]), *where[-1], *_from_stretch(page, stretch), *_from_marks(page)
    for row, column in zip(table[behind_cores:], columns, strict=True):
        row[:] = column
    return table


def _from_stretch(page: Page, stretch: tuple[int, int]) -> list[Floats | float]:
    """The stretch's share of the page, and where on the page each block is."""
    before, numbers = sums(page)[0], np.arange(len(page))
    first, last = stretch
    total = max(before[-1], 1)
    shares = numbers / len(page)
    return [(before[last] - before[first]) / total, shares, shares[::-1], before[:-1] / total]


def _from_marks(page: Page) -> list[Ints | Floats]:
    """How far behind the longest block, the first heading and the title; and how much of a title each is."""
    numbers = np.arange(len(page))
    is_heading = kinds(page.markup).take(page.elements.codes.take(page.element)) == _H1
    covers, covered = title_overlap(page)
    longest = int(letters(page).letters.argmax())
    return [numbers - longest, numbers - _first(is_heading), numbers - _first(covered >= _MATCH), covers, covered]


_H1 = 16
_MATCH = 0.7


def _first(is_wanted: Flags) -> int:
    """Where there is none, far behind."""
    return int(is_wanted.argmax()) if is_wanted.any() else len(is_wanted)


@once_per_page
def title_overlap(page: Page) -> tuple[Floats, Floats]:
    """By three characters in a row: the share of the block that is in the title, and the other way round."""
    title = np.frombuffer(page.title.encode("utf-32-le", "surrogatepass"), "<u4")
    text = characters(page)
    if len(title) < 3 or not len(page):
        return np.zeros(len(page)), np.zeros(len(page))
    is_known = np.zeros(_TRIGRAMS, np.bool_)
    is_known[_trigrams(title)] = True
    # No title holds the line end that parts two blocks.
    hits = counts_from(is_known.take(_trigrams(text.codes)).nonzero()[0], text.begins)
    return hits / np.maximum(page.lengths - 2, 1), np.minimum(hits / (len(title) - 2), 1.0)


def _trigrams(codes: Codes) -> Codes:
    """A number for each three characters in a row; the difference between cases is one bit."""
    low = codes.astype(np.uint16)
    low |= np.uint16(32)
    numbers: Codes = low[:-2] * np.uint16(31)
    numbers += low[1:-1]
    numbers *= np.uint16(31)
    numbers += low[2:]
    return numbers
