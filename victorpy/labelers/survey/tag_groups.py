"""Groups of blocks that are near one another: children of one element, with the same tag and class."""

from typing import NamedTuple

import numpy as np

from victorpy.features.characters import characters, counts_from
from victorpy.features.link_text import linked_characters
from victorpy.features.tokens import words
from victorpy.page.blocks import Page, once_per_page
from victorpy.page.elements import Floats, Ints, nearest_marked
from victorpy.page.passages import enclosing

# Other blocks may be between two of a group, such as a picture's caption between two paragraphs.
_FURTHEST = 3

_MARKS = [*map(ord, ".,;:!?…。，、；！？：।؟،")]


class TagGroups(NamedTuple):
    """The group of each block, and figures of each group; `in_links` are its characters in links."""

    of_block: Ints
    blocks: Floats
    characters: Floats
    words: Floats
    marks: Floats
    links: Floats
    in_links: Floats


@once_per_page
def tag_groups(page: Page) -> TagGroups:
    groups = _groups(page)
    columns = (None, page.lengths, words(page), marks(page), links(page), linked_characters(page))
    return TagGroups(groups, *(np.bincount(groups, column).astype(float) for column in columns))


def _groups(page: Page) -> Ints:
    """The number of the group of each block."""
    elements, classes = page.elements, page.attributes["class"]
    parents, codes = elements.parents.tolist(), elements.codes.tolist()
    groups, last = [], dict[tuple[int, int, str | None], tuple[int, int]]()
    count = 0
    for block, element in enumerate(enclosing(page, *page.markup.class_block).tolist()):
        key = (parents[element], codes[element], classes[element]) if element >= 0 else (-1, 0, None)
        before, group = last.get(key, (-_FURTHEST - 1, count))
        if block - before > _FURTHEST:
            group, count = count, count + 1
        last[key] = (block, group)
        groups.append(group)
    return np.array(groups, np.intp)


@once_per_page
def marks(page: Page) -> Ints:
    """How many punctuation marks each block has."""
    text = characters(page)
    return counts_from(np.isin(text.codes, _MARKS).nonzero()[0], text.begins)


@once_per_page
def links(page: Page) -> Ints:
    """How many links are in each block, whole or in part."""
    runs, code = page.runs, page.markup.codes["a"]
    nearest = nearest_marked(page.elements, page.elements.codes == code)[runs.element]
    is_linked = page.elements.codes[nearest] == code
    pairs = np.unique(np.stack((runs.block[is_linked], nearest[is_linked])), axis=1)
    return np.bincount(pairs[0].astype(np.intp), minlength=len(page))
