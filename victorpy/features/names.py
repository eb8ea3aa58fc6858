"""What the elements around a block are called: the words of the classes and ids that sites give to them.

`comment-list`, `relatedStories`, `article__body`: names are English on sites of all languages, and the same programs
publish many sites.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from victorpy.blocks import Ints, Page, once_per_page
from victorpy.features.rows import Table

# So many elements are near to a block: the innermost around it, its parent, and the parent of that.
_NEAR = 3
# And so many more are around it; what is farther out counts for nothing, so that no nesting takes long.
_FAR = 32

# Parts of names are joined from words by digits, or letters in upper case.
_WORD = re.compile(r"[A-Z]?[a-z]{2,}|[A-Z]{2,}")

# Behind every name when all are cut at once: no attribute of a page can hold it.
_END = "\0"
# Parts of names, of which most pages have the same.
_REMEMBERED = 1 << 15


class Names(NamedTuple):
    """The distinct parts of all classes and ids of a page, as words. The parts of each distinct class or id, one name
    after the other, and where each name begins; the first name is empty. Which name each element has, a row for each
    attribute. The innermost element around each block."""

    words: list[tuple[str, ...]]
    parts: Ints
    bounds: Ints
    numbers: Ints
    parents: Ints
    blocks: Ints


class Counts(NamedTuple):
    """How often elements around a block have a word in their name: a column for each block, word and count over 0."""

    blocks: Ints
    words: Ints
    counts: Ints


@once_per_page
def names(page: Page) -> Names:
    """Of those attributes that the page has kept."""
    columns = [page.attributes[name] for name in ("class", "id") if name in page.attributes]
    numbers = {name: number for number, name in enumerate(dict.fromkeys([None, *chain.from_iterable(columns)]))}
    rows = [np.fromiter(map(numbers.__getitem__, column), np.int32, len(column)) for column in columns]
    of_elements = np.stack(rows) if rows else np.zeros((1, len(page.elements.tags)), np.int32)
    return Names(*_parts([name or "" for name in numbers]), of_elements, page.elements.parents, page.element)


def _parts(names: list[str]) -> tuple[list[tuple[str, ...]], Ints, Ints]:
    """All names at once, because one by one they take three times as long."""
    flat = f" {_END} ".join([*names, ""]).replace("-", " ").replace("_", " ").split()
    known = {part: number for number, part in enumerate(dict.fromkeys(flat))}
    numbers = np.fromiter(map(known.__getitem__, flat), np.int32, len(flat))
    is_end = numbers == known[_END]
    ends = np.flatnonzero(is_end)
    bounds = np.append(np.int32(0), (ends - np.arange(len(ends))).astype(np.int32))
    return [*map(_words, known)], numbers[~is_end], bounds


@lru_cache(_REMEMBERED)
def _words(part: str) -> tuple[str, ...]:
    """Of a part of a name, in small letters."""
    return tuple(map(str.lower, _WORD.findall(part)))


def sums(names: Names, places: Mapping[str, int], near: Table, far: Table) -> Table:
    """What the known words around each block say together: block × (columns of near + columns of far).

    `places` are the rows of the words in the two tables: one for words of near elements, one for those of the others.
    """
    own = _by_element(names, _listed(names, places), np.concatenate((near, far), axis=1))
    own_near, own_far, parents = own[:, : near.shape[1]], own[:, near.shape[1] :], _upwards(names)
    elements, places_of_blocks = np.unique(names.blocks, return_inverse=True)
    near_sums, elements = _going_up(own_near, elements, parents, _NEAR)
    distinct, places_of_elements = np.unique(elements, return_inverse=True)
    far_sums, _ = _going_up(own_far, distinct, parents, _FAR)
    together: Table = np.concatenate((near_sums, far_sums[places_of_elements]), axis=1)[places_of_blocks]
    return together


def _upwards(names: Names) -> Ints:
    """The parent of each element; that of the root is one more than there are, and its own parent."""
    beyond = len(names.parents)
    parents = np.append(names.parents, np.int32(beyond))
    parents[0] = beyond
    return parents


def _going_up(own: Table, elements: Ints, parents: Ints, levels: int) -> tuple[Table, Ints]:
    """The sums over so many levels, from these elements outwards, and what they come to behind them."""
    sums = np.zeros((len(elements), own.shape[1]), np.float32)
    beyond = len(parents) - 1
    for _ in range(levels):
        if elements.min(initial=beyond) == beyond:
            break
        sums += own[elements]
        elements = parents[elements]
    return sums, elements


class _Listed(NamedTuple):
    """Known words, those of one part or name after the other, and where each begins."""

    words: Ints
    bounds: Ints


def _listed(names: Names, places: Mapping[str, int]) -> _Listed:
    """The known words of every part."""
    known = [[places[word] for word in words if word in places] for words in names.words]
    return _Listed(np.fromiter(chain.from_iterable(known), np.int32), _bounds(np.fromiter(map(len, known), np.int32)))


def _bounds(lengths: Ints) -> Ints:
    bounds = np.zeros(len(lengths) + 1, np.int32)
    np.cumsum(lengths, out=bounds[1:])
    return bounds


def _by_element(names: Names, listed: _Listed, table: Table) -> Table:
    """The sum over the words of each element, and one more row of zeros, for what is beyond the root."""
    of_parts = _stretches(table[listed.words], listed.bounds)
    of_names = _stretches(of_parts[names.parts], names.bounds)
    own = np.zeros((names.numbers.shape[1] + 1, table.shape[1]), np.float32)
    for numbers in names.numbers:
        own[:-1] += of_names[numbers]
    return own


def _stretches(values: Table, bounds: Ints) -> Table:
    """The sums of rows, from each bound to the next."""
    sums = np.zeros((len(bounds) - 1, values.shape[1]), np.float32)
    has_any = bounds[1:] > bounds[:-1]
    if len(values):
        sums[has_any] = np.add.reduceat(values, bounds[:-1][has_any], axis=0)
    return sums


def counts(names: Names, places: Mapping[str, int]) -> tuple[Counts, Counts]:
    """Of the known words, how often they stand near to each block, and how often farther out."""
    listed, parents = _of_names(names, _listed(names, places)), names.parents
    found: list[list[NDArray[np.int64]]] = [[], []]
    blocks, elements, level = np.arange(len(names.blocks)), names.blocks, 0
    while len(blocks) and level < _NEAR + _FAR:
        for numbers in names.numbers:
            lengths, within = _gathered(listed.bounds, numbers[elements])
            pairs = np.repeat(blocks, lengths).astype(np.int64) * len(places) + listed.words[within]
            found[level >= _NEAR].append(pairs)
        inner = elements > 0
        blocks, elements, level = blocks[inner], parents[elements[inner]], level + 1
    near, far = (_counted(np.concatenate([*pairs, np.zeros(0, np.int64)]), len(places)) for pairs in found)
    return near, far


def _of_names(names: Names, listed: _Listed) -> _Listed:
    """The words of every name, from those of its parts."""
    lengths, within = _gathered(listed.bounds, names.parts)
    return _Listed(listed.words[within], _bounds(lengths)[names.bounds])


def _gathered(bounds: Ints, wanted: Ints) -> tuple[Ints, Ints]:
    """How long each of some stretches is, and where all that they hold stands."""
    lengths = bounds[wanted + 1] - bounds[wanted]
    offsets = np.repeat(bounds[wanted] - _bounds(lengths)[:-1], lengths)
    return lengths, offsets + np.arange(len(offsets), dtype=np.int32)


def _counted(pairs: NDArray[np.int64], known: int) -> Counts:
    distinct, many = np.unique(pairs, return_counts=True)
    blocks, words = np.divmod(distinct, max(known, 1))
    return Counts(blocks.astype(np.int32), words.astype(np.int32), many.astype(np.int32))
