"""Joins labeled blocks to passages: a content block and its continuations are printed together."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from victorpy import _core
from victorpy.page.blocks import Label, Page, once_per_page

if TYPE_CHECKING:
    from victorpy.page.elements import Ints


class Passage(NamedTuple):
    """A paragraph, a header or a list item; `text` is one line, or the lines of preformatted text."""

    label: Label
    text: str
    blocks: tuple[int, ...]


def passages(page: Page, labels: Sequence[Label], blocks: Iterable[int] | None = None) -> list[Passage]:
    """Join continuations with the white space of the page; if `blocks` are given, all others count as noise."""
    return list(each_passage(page, labels, blocks))


def each_passage(page: Page, labels: Sequence[Label], blocks: Iterable[int] | None = None) -> Iterator[Passage]:
    for group in _groups(page, labels, range(len(labels)) if blocks is None else sorted(set(blocks))):
        _core.check_deadline()
        text = page.core.text(group[0]) if len(group) == 1 else joined(page, group)
        yield Passage(_kind(labels[group[0]]), text, tuple(group))


def _kind(label: Label) -> Label:
    return Label.PARAGRAPH if label is Label.CONTINUATION else label


def _groups(page: Page, labels: Sequence[Label], blocks: Iterable[int]) -> Iterator[list[int]]:
    """The blocks of each passage; a continuation without a passage, or in another part of the page, begins one."""
    other, continuation, part = Label.OTHER, Label.CONTINUATION, parts(page)
    group: list[int] = []
    for number in blocks:
        label = labels[number]
        if label is other:
            continue
        if label is continuation and group and part[group[-1]] == part[number]:
            group.append(number)
            continue
        if group:
            yield group
        group = [number]
    if group:
        yield group


class PassagePart(NamedTuple):
    """The part of a passage that is one block, with the white space before it. It begins at `start` in the block."""

    gap: str
    block: int
    text: str
    start: int


def joined(page: Page, blocks: Sequence[int]) -> str:
    return "".join(piece.gap + piece.text for piece in pieces(page, blocks))


def pieces(page: Page, blocks: Sequence[int]) -> list[PassagePart]:
    found = [PassagePart("", blocks[0], page.core.text(blocks[0]), 0)]
    for before, number in pairwise(blocks):
        gap, whole = _gap(page, before, number), page.core.text(number)
        # White space is indentation of preformatted text only after a line break.
        text = whole if gap == "\n" else whole.lstrip()
        found.append(PassagePart(gap, number, text, len(whole) - len(text)))
    return found


def _gap(page: Page, before: int, number: int) -> str:
    """The white space between two joined blocks, even if blocks between them were dropped."""
    gaps = gaps_before(page)
    if number == before + 1:
        return gaps[number]
    return (
        "\n"
        if preformatted(page)[number] == preformatted(page)[before] and "\n" in gaps[before + 1 : number + 1]
        else " "
    )


@once_per_page
def gaps_before(page: Page) -> list[str]:
    """The white space before each block: a line break inside <pre>, a space, or nothing."""
    gaps = [" " if is_spaced else "" for is_spaced in page.core.column("is-spaced")]
    pre = preformatted(page)
    for number, is_new_line in enumerate(page.core.column("is-new-line")):
        # For the first block, pre[-1] is that of the last block.
        if is_new_line and pre[number] == pre[number - 1] >= 0:
            gaps[number] = "\n"
    return gaps


# No passage goes over their borders, whatever labels say.
_PARTS = ["pre", "table", "caption", "td", "th", "li", "dt", "dd", "h1", "h2", "h3", "h4", "h5", "h6"]


@once_per_page
def parts(page: Page) -> memoryview:
    """For each block the nearest listing, table, cell, list item or heading around it, or -1."""
    return memoryview(page.core.enclosing(_PARTS, page.markup.core)).cast("i")


@once_per_page
def preformatted(page: Page) -> memoryview:
    """For each block the <pre> around it, or -1."""
    return memoryview(page.core.enclosing(["pre"], page.markup.core)).cast("i")


@once_per_page
def enclosing(page: Page, *tags: str) -> "Ints":
    """For each block the nearest element of these tags around it, or -1."""
    import numpy as np  # noqa: PLC0415

    return np.frombuffer(page.core.enclosing(tags, page.markup.core), np.int32)
