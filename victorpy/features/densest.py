"""Where on the page its main text seems to be, by several simple rules, and where a block stands to that."""

from typing import NamedTuple

import numpy as np

from victorpy.blocks import Flags, Ints, Page, nearest_marked, once_per_page
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


def _where(count: int, first: int, last: int) -> tuple[Ints, Ints, Ints]:
    """Inside?; how many blocks before it; how many behind."""
    numbers = np.arange(count)
    before, behind = np.maximum(first - numbers, 0), np.maximum(numbers - last + 1, 0)
    return (before + behind) == 0, before, behind


def _steps(page: Page, core: _Core) -> tuple[Ints, Ints]:
    """From the core up to what holds both, and from there down to the block."""
    elements = page.elements
    numbers = np.arange(core.element + 1)
    chain = numbers[elements.ends[: core.element + 1] > core.element]
    found = page.element
    common = np.minimum(
        np.searchsorted(chain, found, side="right"),
        len(chain) - np.searchsorted(elements.ends.take(chain)[::-1], found, side="right"),
    )
    depths = elements.depths
    return len(chain) - common, depths.take(found) - depths.take(chain.take(common - 1))


def _of_core(page: Page, core: _Core) -> list[Ints | Floats | float]:
    totals = sums(page)
    text, linked, *_ = totals[:, core.last] - totals[:, core.first]
    return [
        *_where(len(page), core.first, core.last),
        *_steps(page, core),
        text / max(totals[0, -1], 1),
        linked / max(text, 1),
        core.last - core.first,
    ]


def _branch(page: Page, core: _Core) -> list[Ints | Floats]:
    """The largest element around the block without the core; inside of the core, its child."""
    elements, (first, last) = page.elements, spans(page)
    numbers = np.arange(len(elements.parents), dtype=np.int32)
    is_chain = (numbers <= core.element) & (elements.ends > core.element)
    branches = nearest_marked(elements, is_chain.take(elements.parents) & ~is_chain).take(page.element)
    firsts, lasts = first.take(branches), last.take(branches)
    totals = sums(page)
    text, linked, ends, long, _ = totals.take(lasts, axis=1) - totals.take(firsts, axis=1)
    held = totals[0, core.last] - totals[0, core.first]
    return [
        text,
        lasts - firsts,
        share(linked, text),
        ends,
        share(long, text),
        kinds(page.markup).take(elements.codes.take(branches)),
        text / max(held, 1),
        (np.arange(len(page)) - firsts) / np.maximum(lasts - firsts, 1),
        np.maximum(firsts - core.last + 1, 0) - np.maximum(core.first - lasts + 1, 0),
    ]


@once_per_page
def core(page: Page) -> Table:
    table = np.empty((len(NAMES), len(page)), np.float32)
    if not len(page):
        return table
    first, last = best_stretch(page)
    before = sums(page)[0]
    numbers = np.arange(len(page))
    covers, covered = title_overlap(page)
    columns = [
        *_of_core(page, half(page)),
        *_of_core(page, best(page)),
        *_branch(page, half(page)),
        *_where(len(page), first, last),
        (before[last] - before[first]) / max(before[-1], 1),
        numbers / len(page),
        numbers[::-1] / len(page),
        share(before[:-1], before[-1]),
        numbers - int(letters(page).letters.argmax()),
        numbers - _first(kinds(page.markup).take(page.elements.codes.take(page.element)) == _H1),
        numbers - _first(covered >= _MATCH),
        covers,
        covered,
    ]
    for row, column in enumerate(columns):
        table[row] = column
    return table


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
