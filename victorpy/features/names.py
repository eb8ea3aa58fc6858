"""What the elements around a block are called: the words of the classes and ids that sites give to them.

`comment-list`, `related_stories`, `article__body`: names are English on sites of all languages, and the same programs
publish many sites.
"""

from collections.abc import Mapping
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from victorpy.blocks import Flags, Ints, Page, once_per_page
from victorpy.features.rows import Table
from victorpy.features.vocabulary import Counts, Listed, counted, listed, sums_of, together
from victorpy.markup import Markup

# So many elements are near to a block: the innermost around it, its parent, and the parent of that.
_NEAR = 3


class Names(NamedTuple):
    """The words of every distinct class or id near to a block or of the page, with an end behind each name; the first
    name is empty. Which names stand near to each block, a row for each attribute and element; and those of the page."""

    words: list[str]
    near: Ints
    whole: Ints


@once_per_page
def names(page: Page) -> Names:
    """Of those attributes that the page has kept."""
    columns = [page.attributes[name] for name in ("class", "id") if name in page.attributes]
    is_whole, around = _name_the_page(page.markup)[page.elements.codes], _around(page)
    is_wanted = is_whole.copy()
    is_wanted[around] = True
    wanted = np.flatnonzero(is_wanted)
    found = [[*map(column.__getitem__, wanted.tolist())] for column in columns]
    numbers = {name: number for number, name in enumerate(dict.fromkeys([None, *chain.from_iterable(found)]))}
    of_elements = np.zeros((len(columns), len(is_whole)), np.int32)
    for row, column in zip(of_elements, found, strict=True):
        row[wanted] = np.fromiter(map(numbers.__getitem__, column), np.int32, len(column))
    whole = of_elements[:, is_whole].ravel()
    of_elements[:, is_whole] = 0
    near = of_elements[:, around].reshape(_NEAR * len(columns), len(page))
    return Names(together((name or "" for name in numbers), "-_"), near, whole)


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
    found = listed(names.words, known)
    of_names = sums_of(found, near)
    told = np.zeros((names.near.shape[1], near.shape[1]), np.float32)
    for numbers in names.near:
        told += of_names[numbers]
    _, within = _gathered(found.bounds, names.whole)
    return told, whole[found.words[within]].sum(axis=0)


def counts(names: Names, known: Mapping[str, int]) -> tuple[Counts, Counts]:
    """Of the known words, how often they stand near to each block, and how often in the name of the page."""
    found, blocks = listed(names.words, known), np.arange(names.near.shape[1])
    levels, every = len(names.near), len(names.whole)
    near = _pairs(found, np.tile(blocks, levels), names.near.ravel(), len(known))
    whole = _pairs(found, np.repeat(blocks, every), np.tile(names.whole, len(blocks)), len(known))
    return counted(near, len(known)), counted(whole, len(known))


def _pairs(found: Listed, blocks: Ints, numbers: Ints, known: int) -> NDArray[np.int64]:
    """Each block with each word of its name, as one number."""
    lengths, within = _gathered(found.bounds, numbers)
    return np.repeat(blocks, lengths).astype(np.int64) * known + found.words[within]


def _gathered(bounds: Ints, wanted: Ints) -> tuple[Ints, Ints]:
    """How long each of some stretches is, and where all that they hold stands."""
    lengths = bounds[wanted + 1] - bounds[wanted]
    before = np.cumsum(lengths) - lengths
    return lengths, np.repeat(bounds[wanted] - before, lengths) + np.arange(lengths.sum())
