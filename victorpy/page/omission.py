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


def omissions(page: Page, blocks: Sequence[int], start: int, end: int) -> list[Omission]:
    """The part of a passage of these blocks that goes from one character to another, block by block."""
    found, at = [], 0
    for piece in pieces(page, blocks):
        at += len(piece.gap)
        begin, stop = max(start - at, 0), min(end - at, len(piece.text))
        if begin < stop:
            found.append(Omission(piece.block, piece.start + begin, piece.start + stop))
        at += len(piece.text)
    return found


def without(page: Page, parts: Iterable[Omission]) -> tuple[Page, list[int]]:
    """The page without these parts, and for each block that is left the block that it was.

    What is known of the whole page but its text stays as it is. The page has no site counts any more.
    """
    core, origins = page.core.without([*parts], page.markup.core)
    left = replace(page, core=core, site_counts=None, derived={})
    return left, memoryview(origins).cast("I").tolist()
