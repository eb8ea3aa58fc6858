"""Leaves parts of blocks out of a page, such as single sentences."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from victorpy.page.blocks import Page
from victorpy.page.passages import pieces


class Omission(NamedTuple):
    """A part of the text of a block, in characters."""

    block: int
    start: int
    end: int


def omissions(page: Page, blocks: Sequence[int], ranges: Sequence[tuple[int, int]]) -> list[Omission]:
    """The parts of a passage of these blocks that are in ranges of its characters, block by block.

    The ranges are in order. All of them at once, because each look at a block copies its text.
    """
    found, end, next = [], 0, 0
    for piece in pieces(page, blocks):
        begin = end + len(piece.gap)
        end = begin + len(piece.text)
        offset = piece.start - begin
        while next < len(ranges) and ranges[next][0] < end:
            first, last = max(ranges[next][0], begin), min(ranges[next][1], end)
            if first < last:
                found.append(Omission(piece.block, first + offset, last + offset))
            if ranges[next][1] > end:
                break
            next += 1
    return found


def without(page: Page, parts: Iterable[Omission]) -> tuple[Page, list[int]]:
    """The page without these parts, and for each block that is left the block that it was.

    What is known of the whole page but its text stays as it is. The page has no site counts any more.
    """
    core, origins = page.core.without([*parts], page.markup.core)
    left = replace(page, core=core, site_counts=None, derived={})
    return left, memoryview(origins).cast("I").tolist()
