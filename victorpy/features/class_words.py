"""What the elements around a block are called: the words of the classes that sites give to them.

`comment-list`, `related_stories`, `article__body`: names are English on sites of all languages, and the same programs
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
    """The words of every distinct class near to a block, with an end behind each; the first is empty. Which of them
    stand near to each block, a row for each of the three innermost elements; and the words of the classes of the page.
    """

    words: list[str]
    near: Ints
    whole: list[str]


def class_words(page: Page) -> ClassWords:
    words, near, whole = page.core.names()
    return ClassWords(words, np.frombuffer(near, np.int32).reshape(3, len(page)), whole)


def sums(names: ClassWords, known: Mapping[str, int], near: Table, whole: Table) -> tuple[Table, Table]:
    """What the known words near to each block say together (block × columns of near), and what those of the page do.

    The tables have a row for each known word.
    """
    of_names = sums_of(known_words(names.words, known), near)
    told = of_names[names.near[0]]
    for numbers in names.near[1:]:
        told += of_names[numbers]
    return told, whole[known_words(names.whole, known).words].sum(axis=0)


def counts(names: ClassWords, known: Mapping[str, int]) -> tuple[WordCounts, WordCounts]:
    """Of the known words, how often they stand near to each block, and how often in the classes of the page."""
    found, (levels, blocks) = known_words(names.words, known), names.near.shape
    numbers = np.arange(blocks)
    lengths, within = _gathered(found.bounds, names.near.ravel())
    near = np.repeat(np.tile(numbers, levels), lengths) * len(known) + found.words[within]
    whole = np.add.outer(numbers * len(known), known_words(names.whole, known).words)
    return counted(near, len(known)), counted(whole.ravel(), len(known))


def _gathered(bounds: Ints, wanted: Ints) -> tuple[Ints, Ints]:
    """How long each of some stretches is, and where all that they hold stands."""
    lengths = bounds[wanted + 1] - bounds[wanted]
    before = np.cumsum(lengths) - lengths
    return lengths, np.repeat(bounds[wanted] - before, lengths) + np.arange(lengths.sum())
