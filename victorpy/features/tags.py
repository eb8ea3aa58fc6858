"""The elements around a block, and the tags between it and the previous block."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from victorpy.page.blocks import Page, once_per_page
from victorpy.page.elements import Flags, Ints, inherited, tag_events
from victorpy.page.markup import VOID, Markup
from victorpy.page.passages import enclosing

Masks = NDArray[np.uint64]


def tags_and_classes(markup: Markup) -> list[str]:
    """The names allowed in container.X and split.X: first the classes, then the tags, short ones first."""
    classes = (name for name in markup.tables if name.startswith("class-"))
    return [*classes, *sorted(markup.codes, key=len)]


def members(markup: Markup, name: str) -> Flags:
    return markup.tables[name] if name.startswith("class-") else markup.members([name])


class _Bits(NamedTuple):
    """A bit for each tag and class, with 64 bits per word. `tables` has the words of each tag code."""

    places: dict[str, tuple[int, np.uint64]]
    tables: list[Masks]


@lru_cache
def _bits(markup: Markup) -> _Bits:
    names = tags_and_classes(markup)
    tables = [np.zeros(len(markup.codes) + 1, np.uint64) for _ in range(0, len(names), 64)]
    places = {name: (number // 64, np.uint64(1 << number % 64)) for number, name in enumerate(names)}
    for name, (word, bit) in places.items():
        tables[word][members(markup, name)] |= bit
    return _Bits(places, tables)


def is_inside(name: str, page: Page) -> Flags:
    """Is the block inside such an element, at any depth?"""
    word, bit = _bits(page.markup).places[name]
    inside: Flags = (_around_blocks(page, word) & bit) != 0
    return inside


def are_inside(name: str, page: Page, elements: Ints) -> Flags:
    """Is each element such an element, or inside one?"""
    word, bit = _bits(page.markup).places[name]
    inside: Flags = (_around(page, word).take(elements) & bit) != 0
    return inside


@once_per_page
def _around_blocks(page: Page, word: int) -> Masks:
    return _around(page, word).take(page.element)


@once_per_page
def _around(page: Page, word: int) -> Masks:
    """The bits of each element and of all elements around it."""
    return inherited(page.elements, _bits(page.markup).tables[word].take(page.elements.codes))


def tags_between(name: str, page: Page) -> Ints:
    """How many such tags, opening or closing, are between the previous block and this one."""
    passed = np.zeros(2 * len(page.elements.tags) + 1, np.int32)
    np.cumsum(_weights(page.markup, name).take(_event_codes(page)), out=passed[1:])
    begin, end = _gaps(page)
    counts = passed.take(end) - passed.take(begin)
    if page.markup.pre_lines_split and _counts_line_breaks(page.markup, name):
        return counts + _begin_lines_of_pre(page)
    return counts


@lru_cache
def _counts_line_breaks(markup: Markup, name: str) -> bool:
    return bool(members(markup, name)[markup.codes["br"]])


def _begin_lines_of_pre(page: Page) -> Ints:
    """1 for each block that begins a new line of the same <pre> as the block before it."""
    pre = enclosing(page, "pre")
    begin = np.zeros(len(page), np.int32)
    begin[1:] = page.is_new_line[1:] & (pre[1:] == pre[:-1]) & (pre[1:] >= 0)
    return begin


@lru_cache
def _weights(markup: Markup, name: str) -> Ints:
    return members(markup, name).astype(np.int32)


@once_per_page
def _event_codes(page: Page) -> NDArray[np.int16]:
    """The tag of each event; 0 where a void element would close."""
    events = tag_events(page.elements)
    codes = page.elements.codes.take(np.abs(events) - 1)
    codes[(events < 0) & _void(page.markup).take(codes)] = 0
    return codes


@lru_cache
def _void(markup: Markup) -> Flags:
    return markup.members(VOID)


@once_per_page
def _gaps(page: Page) -> tuple[Ints, Ints]:
    """The range of tags between each block and the previous one."""
    place = page.runs.place
    begin = np.zeros(len(page), np.int32)
    begin[1:] = place[page.last_runs[:-1]]
    return begin, place[page.first_runs]
