"""Labeled blocks → passages: a content block with its continuations joined is what gets printed."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from victorpy.blocks import Flags, Ints, Label, Page, nearest_marked, once_per_page


class Passage(NamedTuple):
    """A paragraph, a header or a list item; `text` is one line, or the lines of preformatted text."""

    label: Label
    text: str
    blocks: tuple[int, ...]


def passages(page: Page, labels: Sequence[Label], blocks: Iterable[int] | None = None) -> list[Passage]:
    """Joins continuations with the white space that the page had; of some blocks, as if the others were noise."""
    texts = page.texts
    return [
        Passage(_kind(labels[group[0]]), texts[group[0]] if len(group) == 1 else joined(page, group), tuple(group))
        for group in _groups(labels, range(len(labels)) if blocks is None else sorted(set(blocks)))
    ]


def _kind(label: Label) -> Label:
    return Label.PARAGRAPH if label is Label.CONTINUATION else label


def _groups(labels: Sequence[Label], blocks: Iterable[int]) -> list[list[int]]:
    """The blocks of each passage; a continuation of nothing begins one."""
    other, continuation = Label.OTHER, Label.CONTINUATION
    groups: list[list[int]] = []
    for number in blocks:
        label = labels[number]
        if label is other:
            continue
        if label is continuation and groups:
            groups[-1].append(number)
        else:
            groups.append([number])
    return groups


def joined(page: Page, blocks: Sequence[int]) -> str:
    pieces = [page.texts[blocks[0]]]
    for before, number in pairwise(blocks):
        gap = _gap(page, before, number)
        text = page.texts[number]
        # Only behind a line break is white space the indentation of preformatted text.
        pieces += (gap, text if gap == "\n" else text.lstrip())
    return "".join(pieces)


def _gap(page: Page, before: int, number: int) -> str:
    """What stands between two blocks that are joined, whatever was dropped between them."""
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
    """For every block what parts it from the one before: a line break inside <pre>, a blank, or nothing."""
    gaps = [" " if is_spaced else "" for is_spaced in page.is_spaced.tolist()]
    for number in np.flatnonzero(_begins_line(page)).tolist():
        gaps[number] = "\n"
    return gaps


@once_per_page
def preformatted(page: Page) -> list[int]:
    """For every block the <pre> around it, -1 where there is none."""
    found: list[int] = enclosing(page, "pre").tolist()
    return found


@once_per_page
def enclosing(page: Page, *tags: str) -> Ints:
    """For every block the nearest element of these tags around it, -1 where there is none."""
    is_meant = page.markup.members(tags)[page.elements.codes]
    if not is_meant.any():
        return np.full(len(page), -1, np.int32)
    around = nearest_marked(page.elements, is_meant)[page.element]
    return np.where(is_meant[around], around, np.int32(-1))


def _begins_line(page: Page) -> Flags:
    """Does a block of preformatted text stand on another line than the block before, in the same <pre>?"""
    pre = enclosing(page, "pre")
    begins: Flags = page.is_new_line & (pre == np.roll(pre, 1)) & (pre >= 0)
    return begins
