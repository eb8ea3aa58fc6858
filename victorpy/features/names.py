"""What the elements around a block are called: the words of the classes that sites give to them.

`comment-list`, `related_stories`, `article__body`: names are English on sites of all languages, and the same programs
publish many sites.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from victorpy.blocks import Page, once_per_page
from victorpy.elements import Flags, Ints
from victorpy.features.rows import Table
from victorpy.features.vocabulary import Counts, counted, listed, sums_of, together
from victorpy.markup import Markup

# So many elements are near to a block: the innermost around it, its parent, and the parent of that.
_NEAR = 3
# A longer list of classes says how an element looks, not what it is.
_LONGEST = 60
_PARTING = "-_"


class Names(NamedTuple):
    """The words of every distinct class near to a block, with an end behind each; the first is empty. Which of them
    stand near to each block, a row for each element; and the words of the classes of the page."""

    words: list[str]
    near: Ints
    whole: list[str]


@once_per_page
def names(page: Page) -> Names:
    classes = page.attributes["class"]
    is_whole, around = _name_the_page(page.markup)[page.elements.codes], _around(page)
    is_near = np.zeros(len(is_whole), np.bool_)
    is_near[around] = True
    is_near[is_whole] = False
    wanted = np.flatnonzero(is_near)
    found = [*map(classes.__getitem__, wanted.tolist())]
    numbers = {name: number for number, name in enumerate(dict.fromkeys([None, *found]))}
    of_elements = np.zeros(len(is_whole), np.int32)
    of_elements[wanted] = np.fromiter(map(numbers.__getitem__, found), np.int32, len(found))
    short = (name if name and len(name) <= _LONGEST else "" for name in numbers)
    whole = (classes[number] or "" for number in np.flatnonzero(is_whole).tolist())
    return Names(together(short, _PARTING), of_elements.take(around), together(whole, _PARTING))


@lru_cache
def _name_the_page(markup: Markup) -> Flags:
    """Which elements say what the whole page is called, by the code of their tag."""
    return markup.members(("html", "body"))


def _around(page: Page) -> Ints:
    """The elements near to each block, a row for each level; around the root is the root."""
    levels = [page.element]
    for _ in range(1, _NEAR):
        levels.append(page.elements.parents[levels[-1]])
    return np.stack(levels)


def sums(names: Names, known: Mapping[str, int], near: Table, whole: Table) -> tuple[Table, Table]:
    """What the known words near to each block say together (block × columns of near), and what those of the page do.

    The tables have a row for each known word.
    """
    of_names = sums_of(listed(names.words, known), near)
    told = of_names[names.near[0]]
    for numbers in names.near[1:]:
        told += of_names[numbers]
    return told, whole[listed(names.whole, known).words].sum(axis=0)


def counts(names: Names, known: Mapping[str, int]) -> tuple[Counts, Counts]:
    """Of the known words, how often they stand near to each block, and how often in the classes of the page."""
    found, (levels, blocks) = listed(names.words, known), names.near.shape
    numbers = np.arange(blocks)
    lengths, within = _gathered(found.bounds, names.near.ravel())
    near = np.repeat(np.tile(numbers, levels), lengths) * len(known) + found.words[within]
    whole = np.add.outer(numbers * len(known), listed(names.whole, known).words)
    return counted(near, len(known)), counted(whole.ravel(), len(known))


def _gathered(bounds: Ints, wanted: Ints) -> tuple[Ints, Ints]:
    """How long each of some stretches is, and where all that they hold stands."""
    lengths = bounds[wanted + 1] - bounds[wanted]
    before = np.cumsum(lengths) - lengths
    return lengths, np.repeat(bounds[wanted] - before, lengths) + np.arange(lengths.sum())
