"""The outline of a cleaned page: each passage as a heading of some level, a list item, a paragraph, or code."""

from collections import defaultdict
from collections.abc import Sequence
from functools import partial
from itertools import groupby
from typing import Any, NamedTuple

from victorpy.output.escapes import in_one_line, printable
from victorpy.page.blocks import Label, Page
from victorpy.page.passages import Passage, joined, preformatted

_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_LISTS = ("ul", "ol", "dl", "menu", "dir")
_USUAL_LEVEL = 2


class Paragraph(NamedTuple):
    text: str


class Heading(NamedTuple):
    text: str
    level: int


class Item(NamedTuple):
    """A list item; `number` is 0 in a list without order, `is_first` marks the first item of a list."""

    text: str
    depth: int
    number: int
    is_first: bool


class Code(NamedTuple):
    """Preformatted lines: line breaks and indentation count."""

    text: str


Part = Paragraph | Heading | Item | Code

# An outline as plain tuples, which are pickled in a fifth of the time.
PlainParts = list[tuple[Any, ...]]
_KINDS: tuple[type[Any], ...] = (Paragraph, Heading, Item, Code)
_NUMBERS = {kind: number for number, kind in enumerate(_KINDS)}


def plain_parts(parts: Sequence[Part]) -> PlainParts:
    return [(_NUMBERS[type(part)], *part) for part in parts]


def parts_of(plain: PlainParts) -> list[Part]:
    return [_KINDS[kind](*fields) for kind, *fields in plain]


def outline(page: Page, passages: Sequence[Passage]) -> list[Part]:
    """The parts of the text in order. Neighbouring passages of one <pre> are one part."""
    lists = _PageLists(page)
    parts: list[Part] = []
    for pre, found in groupby(passages, partial(_pre_around, preformatted(page))):
        if pre >= 0:
            lists.open_lists.clear()
            parts.append(Code(printable(joined(page, [block for passage in found for block in passage.blocks]))))
        else:
            parts += [lists.part(passage) for passage in found]
    return parts


def _pre_around(pre: Sequence[int], passage: Passage) -> int:
    """The <pre> that holds the beginning of a passage, -1 if there is none."""
    return pre[passage.blocks[0]] if passage.blocks else -1


class _PageLists:
    """The lists that are open on a page. Its elements are read from the core without numpy."""

    def __init__(self, page: Page):
        core, markup = page.core, page.markup.core
        self.codes = memoryview(core.column("codes")).cast("h")
        self.ordered = page.markup.codes["ol"]
        self.levels = {page.markup.codes[tag]: int(tag[1]) for tag in _HEADINGS}
        self.ends = memoryview(core.column("ends")).cast("i")
        self.headings = memoryview(core.enclosing(_HEADINGS, markup)).cast("i")
        self.lists = memoryview(core.enclosing(_LISTS, markup)).cast("i")
        self.open_lists: list[int] = []
        self.counts: dict[int, int] = defaultdict(int)

    def part(self, passage: Passage) -> Part:
        text = in_one_line(passage.text)
        if not passage.blocks:
            return Heading(text, 1)
        if passage.label is Label.LIST:
            return self._item(text, passage.blocks[0])
        self.open_lists.clear()
        return self._heading(text, passage.blocks[0]) if passage.label is Label.HEADER else Paragraph(text)

    def _heading(self, text: str, block: int) -> Heading:
        element = self.headings[block]
        return Heading(text, _USUAL_LEVEL if element < 0 else self.levels[self.codes[element]])

    def _item(self, text: str, block: int) -> Item:
        element = self.lists[block]
        while self.open_lists and not self._is_within(element, self.open_lists[-1]):
            self.open_lists.pop()
        is_first = self.open_lists[-1:] != [element]
        if is_first:
            self.open_lists.append(element)
        self.counts[element] += 1
        is_ordered = element >= 0 and self.codes[element] == self.ordered
        return Item(text, len(self.open_lists) - 1, self.counts[element] if is_ordered else 0, is_first)

    def _is_within(self, element: int, outer: int) -> bool:
        return element == outer or 0 <= outer <= element < self.ends[outer]
