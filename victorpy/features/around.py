"""What stands before and behind a block: its neighbours, the text around it, the section that it is in."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from victorpy.blocks import Page, once_per_page
from victorpy.elements import Flags, Ints
from victorpy.features.containers import kinds
from victorpy.features.letters import letters, share, sums
from victorpy.features.rows import Table

STEPS = (-2, -1, 1, 2)
WIDTHS = (2, 10)
_FIRST_HEADING, _LAST_HEADING = 12, 16

_OF_NEIGHBOUR = ("letters", "link-share", "kind")
_OF_WINDOW = ("letters", "link-share", "sentence-ends", "long-share")

NAMES = (
    *(f"beside.{step:+}.{name}" for name in _OF_NEIGHBOUR for step in STEPS),
    *(f"window.{width}.{name}" for name in _OF_WINDOW for width in WIDTHS),
    "section.blocks-before",
    "section.blocks-behind",
    "section.letters-before",
    "section.letters-behind",
    "section.link-share",
    "section.long-share",
    "section.sentence-ends",
    "section.number",
    "section.level",
    "section.next-level",
)


@once_per_page
def around(page: Page) -> Table:
    return np.concatenate((_neighbours(page), _windows(page), _sections(page)))


def _neighbours(page: Page) -> Table:
    """Beyond the ends of the page all are 0."""
    found, farthest = letters(page), max(STEPS)
    padded = np.zeros((len(_OF_NEIGHBOUR), len(page) + 2 * farthest), np.float32)
    middle = padded[:, farthest : farthest + len(page)]
    middle[0] = found.letters
    middle[1] = share(found.linked, found.letters)
    middle[2] = _kinds(page)
    table = np.empty((len(_OF_NEIGHBOUR), len(STEPS), len(page)), np.float32)
    for row, step in enumerate(STEPS):
        table[:, row] = padded[:, farthest + step : farthest + step + len(page)]
    return table.reshape(len(_OF_NEIGHBOUR) * len(STEPS), len(page))


@once_per_page
def _kinds(page: Page) -> Table:
    return kinds(page.markup).take(page.elements.codes.take(page.element))


def _windows(page: Page) -> Table:
    numbers = np.arange(len(page))
    widths = np.array(WIDTHS)[:, None]
    totals = sums(page)
    ends = np.minimum(numbers + widths + 1, len(page))
    text, linked, sentences, long, _ = totals.take(ends, axis=1) - totals.take(np.maximum(numbers - widths, 0), axis=1)
    return np.concatenate((text, share(linked, text), sentences, share(long, text))).astype(np.float32)


def _sections(page: Page) -> Table:
    """A section begins with its heading; the first one with the page."""
    kind = _kinds(page)
    is_heading = (kind >= _FIRST_HEADING) & (kind <= _LAST_HEADING)
    numbers = np.arange(len(page))
    begin = np.maximum.accumulate(np.where(is_heading, numbers, 0))
    end = _next(is_heading, numbers)
    totals = sums(page)
    text, linked, ends, long, _ = totals.take(end, axis=1) - totals.take(begin, axis=1)
    level = np.where(is_heading, kind, 0)
    columns: list[NDArray[Any]] = [
        numbers - begin,
        end - numbers,
        totals[0, :-1] - totals[0].take(begin),
        totals[0].take(end) - totals[0, :-1],
        share(linked, text),
        share(long, text),
        ends,
        np.cumsum(is_heading, dtype=np.int32),
        level.take(begin) if len(page) else level,
        np.append(level, 0).take(end),
    ]
    return np.array(columns, np.float32)


def _next(is_marked: Flags, numbers: Ints) -> Ints:
    """The next marked one behind each, or the end."""
    count = len(numbers)
    following = np.append(np.where(is_marked, numbers, count)[1:], count)[:count]
    found: Ints = np.minimum.accumulate(following[::-1])[::-1]
    return found
