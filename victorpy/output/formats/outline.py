"""What each passage is on its page: a heading of some level, an item of some list, a paragraph, or code."""

from collections import defaultdict
from functools import partial
from itertools import groupby
from typing import NamedTuple

from victorpy.output.cleaned import Cleaned
from victorpy.output.formats.escapes import in_one_line, printable
from victorpy.page.blocks import Label, Page
from victorpy.page.passages import Passage, enclosing, joined, preformatted

_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_LISTS = ("ul", "ol", "dl", "menu", "dir")
_USUAL_LEVEL = 2


class Paragraph(NamedTuple):
    text: str


class Heading(NamedTuple):
    text: str
    level: int


class Item(NamedTuple):
    """`number` is 0 where the list is not ordered; `is_first` where a list begins."""

    text: str
    depth: int
    number: int
    is_first: bool


class Code(NamedTuple):
    """Lines whose breaks and indentation count."""

    text: str


Part = Paragraph | Heading | Item | Code


def outline(cleaned: Cleaned) -> list[Part]:
    """The parts of the text in order; passages that follow each other in one <pre> are one."""
    page, lists = cleaned.page, _Lists(cleaned.page)
    parts: list[Part] = []
    for pre, found in groupby(cleaned.passages, partial(_pre_around, page)):
        if pre >= 0:
            lists.close()
            parts.append(Code(printable(joined(page, [block for passage in found for block in passage.blocks]))))
        else:
            parts += [_part(page, lists, passage) for passage in found]
    return parts


def _pre_around(page: Page, passage: Passage) -> int:
    """The <pre> in which a passage begins, -1 where there is none."""
    return preformatted(page)[passage.blocks[0]] if passage.blocks else -1


def _part(page: Page, lists: "_Lists", passage: Passage) -> Part:
    text = in_one_line(passage.text)
    if not passage.blocks:
        return Heading(text, 1)
    if passage.label is Label.LIST:
        return lists.item(text, passage.blocks[0])
    lists.close()
    return _heading(page, text, passage.blocks[0]) if passage.label is Label.HEADER else Paragraph(text)


def _heading(page: Page, text: str, block: int) -> Heading:
    element = int(enclosing(page, *_HEADINGS)[block])
    return Heading(text, _USUAL_LEVEL if element < 0 else int(page.elements.tags[element][1]))


class _Lists:
    """The lists that are open while the parts are gone through."""

    def __init__(self, page: Page):
        self.elements = page.elements
        self.around = enclosing(page, *_LISTS)
        self.open: list[int] = []
        self.counts: dict[int, int] = defaultdict(int)

    def close(self) -> None:
        self.open.clear()

    def item(self, text: str, block: int) -> Item:
        element = int(self.around[block])
        while self.open and not self._is_within(element, self.open[-1]):
            self.open.pop()
        is_first = self.open[-1:] != [element]
        if is_first:
            self.open.append(element)
        self.counts[element] += 1
        is_ordered = element >= 0 and self.elements.tags[element] == "ol"
        return Item(text, len(self.open) - 1, self.counts[element] if is_ordered else 0, is_first)

    def _is_within(self, element: int, outer: int) -> bool:
        return element == outer or 0 <= outer <= element < self.elements.ends[outer]
