"""The elements that a block lies in, and the tags that part it from the block before."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from victorpy.page.blocks import Page, once_per_page
from victorpy.page.elements import Flags, Ints, inherited, tag_events
from victorpy.page.markup import VOID, Markup

Masks = NDArray[np.uint64]


def tags_and_classes(markup: Markup) -> list[str]:
    """All that container.X and split.X may name: classes first, then the tags, of which the short are the common."""
    classes = (name for name in markup.tables if name.startswith("class-"))
    return [*classes, *sorted(markup.codes, key=len)]


def members(markup: Markup, name: str) -> Flags:
    return markup.tables[name] if name.startswith("class-") else markup.members([name])


class _Bits(NamedTuple):
    """A bit for each tag and class, 64 of them to a word; `tables` gives the word of every tag code."""

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
    """Does the block lie inside such an element, however deep?"""
    word, bit = _bits(page.markup).places[name]
    inside: Flags = (_around_blocks(page, word) & bit) != 0
    return inside


def are_inside(name: str, page: Page, elements: Ints) -> Flags:
    """Are these elements such ones, or inside of one?"""
    word, bit = _bits(page.markup).places[name]
    inside: Flags = (_around(page, word).take(elements) & bit) != 0
    return inside


@once_per_page
def _around_blocks(page: Page, word: int) -> Masks:
    return _around(page, word).take(page.element)


@once_per_page
def _around(page: Page, word: int) -> Masks:
    """What is around each element, itself included."""
    return inherited(page.elements, _bits(page.markup).tables[word].take(page.elements.codes))


def tags_between(name: str, page: Page) -> Ints:
    """How many such tags, opening or closing, stand between the block before and this one."""
    seen = np.zeros(2 * len(page.elements.tags) + 1, np.int32)
    np.cumsum(_weights(page.markup, name).take(_event_codes(page)), out=seen[1:])
    begin, end = _gaps(page)
    return seen.take(end) - seen.take(begin)


@lru_cache
def _weights(markup: Markup, name: str) -> Ints:
    return members(markup, name).astype(np.int32)


@once_per_page
def _event_codes(page: Page) -> NDArray[np.int16]:
    """The tag of each event, but none where a void element would close."""
    events = tag_events(page.elements)
    codes = page.elements.codes.take(np.abs(events) - 1)
    codes[(events < 0) & _void(page.markup).take(codes)] = 0
    return codes


@lru_cache
def _void(markup: Markup) -> Flags:
    return markup.members(VOID)


@once_per_page
def _gaps(page: Page) -> tuple[Ints, Ints]:
    """From where to where in the tags each block's gap reaches."""
    place = page.runs.place
    begin = np.zeros(len(page), np.int32)
    begin[1:] = place[page.last_runs[:-1]]
    return begin, place[page.first_runs]
