"""The words in the classes of the elements around a block.

`comment-list`, `related_stories`, `article__body`: classes are English on sites of all languages, and the same programs
publish many sites.
"""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from victorpy.features.feature_rows import Table
from victorpy.features.vocabulary import WordCounts, counted, known_words, sums_of
from victorpy.page.blocks import Page
from victorpy.page.elements import Ints


class ClassWords(NamedTuple):
    """The words of classes on a page.

    `words` has the words of each distinct class near a block, with an end mark after each class; the first class is
    empty. `near` has the number of the class near each block, with a row for each of the three innermost elements.
    `whole` has the words of the classes of the whole page.
    """

    words: list[str]
    near: Ints
    whole: list[str]


def class_words(page: Page) -> ClassWords:
    words, near, whole = page.core.names()
    return ClassWords(words, np.frombuffer(near, np.int32).reshape(3, len(page)), whole)


def sums(names: ClassWords, known: Mapping[str, int], near: Table, whole: Table) -> tuple[Table, Table]:
    """The summed rows of the known words near each block (block × columns of `near`), and of the words of the page.

    The tables have a row for each known word.
    """
    of_names = sums_of(known_words(names.words, known), near)
    sums = of_names[names.near[0]]
    for numbers in names.near[1:]:
        sums += of_names[numbers]
    return sums, whole[known_words(names.whole, known).words].sum(axis=0)


def counts(names: ClassWords, known: Mapping[str, int]) -> tuple[WordCounts, WordCounts]:
    """How often the known words occur near each block, and how often in the classes of the page."""
    found, (levels, blocks) = known_words(names.words, known), names.near.shape
    numbers = np.arange(blocks)
    lengths, within = _gathered(found.bounds, names.near.ravel())
    near = np.repeat(np.tile(numbers, levels), lengths) * len(known) + found.words[within]
    whole = np.add.outer(numbers * len(known), known_words(names.whole, known).words)
    return counted(near, len(known)), counted(whole.ravel(), len(known))


def _gathered(bounds: Ints, stretches: Ints) -> tuple[Ints, Ints]:
    """The length of each of these stretches, and the places of everything in them."""
    lengths = bounds[stretches + 1] - bounds[stretches]
    before = np.cumsum(lengths) - lengths
    return lengths, np.repeat(bounds[stretches] - before, lengths) + np.arange(lengths.sum())
