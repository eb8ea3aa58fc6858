"""The kind of a kept block by its markup: `h` in a heading, `l` in a list item, else `p`.

For labelers that only separate content from noise.
"""

from victorpy.page.blocks import LABELS, Label, Page
from victorpy.page.elements import Flags, Ints, nearest_marked

_PARAGRAPH, _HEADER, _LIST, _CONTINUATION, _OTHER = range(len(LABELS))


def labels_of(page: Page, keeps: Flags) -> list[Label]:
    """Kept blocks get their kind by markup; all others are noise."""
    kinds = kinds_by_markup(page)
    if page.markup.mode != "block":
        kinds[1:][_continues(page) & keeps[:-1]] = _CONTINUATION
    kinds[~keeps] = _OTHER
    return [*map(LABELS.__getitem__, kinds.tolist())]


def kinds_by_markup(page: Page) -> Ints:
    """The index in LABELS of each block's kind."""
    kinds = page.markup.members(["li"]) * _LIST
    kinds[page.markup.tables["class-header"]] = _HEADER
    of_elements = kinds[page.elements.codes]
    kind: Ints = of_elements[nearest_marked(page.elements, of_elements != _PARAGRAPH)[page.element]]
    return kind


def _continues(page: Page) -> Flags:
    """Is each block after the first in the same block-level element as the block before it?"""
    is_block = page.markup.tables["class-block"][page.elements.codes]
    around = nearest_marked(page.elements, is_block)[page.element]
    same: Flags = (around[1:] == around[:-1]) & ~page.is_new_line[1:]
    return same
