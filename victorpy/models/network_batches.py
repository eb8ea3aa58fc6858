"""Batches of pages, all of the same shape, so that one compiled program trains on every batch."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from victorpy.features import class_words, wording
from victorpy.features.vocabulary import WordCounts
from victorpy.models.learning_options import NetworkOptions
from victorpy.models.network import OF_CLASSES, OF_TEXT, Matrix, Network, page_shares
from victorpy.models.network_pages import UNLABELED, NetworkPage
from victorpy.models.scopes import AUTO

# Of a longer page, each epoch uses a random section of this many blocks.
_LONGEST = 2048
# A batch has this many rows and pages at most.
_BATCH_ROWS = 6144
_BATCH_PAGES = 32
# The features about the names of elements around a block, and their figure where there are none; one is of their sight.
_OF_NAMES, _NO_NAME = "near.", 64
_OF_SIGHT = "near.unseen"
# The different words per block that each table uses; blocks rarely have more.
_MOST_WORDS = {"near": 16, "whole": 24, "short": 12}


class PreparedPage(NamedTuple):
    """A page with its standardized figures (block × feature) and its known words."""

    page: NetworkPage
    figures: Matrix
    words: dict[str, WordCounts]

    @property
    def length(self) -> int:
        return min(len(self.figures), _LONGEST)


def prepared(page: NetworkPage, network: Network) -> PreparedPage:
    figures = np.ascontiguousarray(network.standardized(page.figures))
    return PreparedPage(page, figures, _known_words(page, network))


def _known_words(page: NetworkPage, network: Network) -> dict[str, WordCounts]:
    of_classes, of_text = page.words
    found: dict[str, WordCounts] = {}
    if of_classes and network.class_words:
        found |= zip(OF_CLASSES, class_words.counts(of_classes, network.known_classes), strict=True)
    if of_text and network.text_words:
        found |= dict.fromkeys(OF_TEXT, wording.counts(of_text, network.known_text))
    return found


class Batch(NamedTuple):
    """Pages one after another, with gaps of empty rows, so that no block sees those of another page.

    `shares` are the weights of each row in the two means of each page (2 × page × row). `words` has for each table the
    words of each row and their counts (row × word). `scopes` is 1 for the scope of each page (page × scope). `fields`
    has what is known of the fields of each row (row × field).
    """

    figures: Matrix
    labels: NDArray[np.int32]
    lengths: Matrix
    shares: Matrix
    weights: Matrix
    words: dict[str, tuple[NDArray[np.int32], Matrix]]
    scopes: Matrix
    fields: NDArray[np.int8]


@dataclass(frozen=True)
class BatchShape:
    """The number of rows and of pages, and the empty rows after each page."""

    rows: int
    pages: int
    gap: int

    def groups(self, lengths: Sequence[int], random: np.random.Generator) -> list[list[int]]:
        """The numbers of the pages of each batch, in random order, as many as fit."""
        groups: list[list[int]] = []
        room = 0
        for number in random.permutation(len(lengths)).tolist():
            rows = lengths[number] + self.gap
            if rows > room or len(groups[-1]) == self.pages:
                groups.append([])
                room = self.rows
            groups[-1].append(number)
            room -= rows
        return groups


def batch_shape(lengths: Sequence[int], options: NetworkOptions) -> BatchShape:
    # The distance of the last layer.
    gap = 1 << (options.layers - 1)
    total = sum(lengths) + gap * len(lengths)
    return BatchShape(min(total, _BATCH_ROWS), min(len(lengths), _BATCH_PAGES), gap)


def batch_of(
    pages: Sequence[PreparedPage],
    shape: BatchShape,
    network: Network,
    options: NetworkOptions,
    random: np.random.Generator,
) -> Batch:
    batch = _empty_batch(shape, network)
    names, nameless = _nameless(network)
    row = 0
    for number, (page, figures, words) in enumerate(pages):
        begin = int(random.integers(0, max(0, len(figures) - _LONGEST) + 1))
        section = slice(begin, min(begin + _LONGEST, len(figures)))
        rows = slice(row, row + section.stop - begin)
        batch.figures[rows], batch.labels[rows] = figures[section], page.labels[section]
        if options.name_dropout and random.random() < options.name_dropout:
            batch.figures[rows, names] = nameless[names]
        batch.lengths[rows] = page.lengths[section]
        batch.shares[:, number, rows] = page_shares(page.lengths[section])
        batch.weights[number] = page.weight, page.kinds_weight
        for column, field in enumerate(network.fields):
            if field in page.fields:
                batch.fields[rows, column] = page.fields[field][section]
        if network.scopes:
            batch.scopes[number, network.scopes.index(_shown_scope(page, options, random))] = 1
        for table in _kept_tables(words, network, options, random):
            sample = _sampled(words[table], section, options.word_dropout, random)
            numbers, counts = batch.words[table]
            _write_words(numbers[rows], counts[rows], sample)
        row = rows.stop + shape.gap
    return batch


def _nameless(network: Network) -> tuple[list[int], Matrix]:
    """The columns of the figures about names of elements, and what all figures are where no element has a name."""
    has_names = [name.startswith(_OF_NAMES) and name != _OF_SIGHT for name in network.features]
    columns = [column for column, is_of_names in enumerate(has_names) if is_of_names]
    return columns, network.standardized(np.full((len(network.features), 1), _NO_NAME, np.float32))[0]


def _shown_scope(page: NetworkPage, options: NetworkOptions, random: np.random.Generator) -> str:
    """One of the scopes of a page. It is `auto` if there is no other, or if scope dropout hides the others."""
    named = [scope for scope in page.scopes if scope != AUTO]
    is_hidden = random.random() < options.scope_dropout
    if not named or (AUTO in page.scopes and is_hidden):
        return AUTO
    return named[int(random.integers(len(named)))]


def _empty_batch(shape: BatchShape, network: Network) -> Batch:
    rows, pages = shape.rows, shape.pages
    return Batch(
        np.zeros((rows, len(network.features)), np.float32),
        np.full(rows, UNLABELED, np.int32),
        np.zeros(rows, np.float32),
        np.zeros((2, pages, rows), np.float32),
        np.zeros((pages, 2), np.float32),
        {table: _no_words(rows, _MOST_WORDS[table]) for table in network.tables},
        np.zeros((pages, len(network.scopes)), np.float32),
        np.full((rows, len(network.fields)), UNLABELED, np.int8),
    )


def _no_words(*shape: int) -> tuple[NDArray[np.int32], Matrix]:
    return np.zeros(shape, np.int32), np.zeros(shape, np.float32)


def _kept_tables(
    words: dict[str, WordCounts], network: Network, options: NetworkOptions, random: np.random.Generator
) -> list[str]:
    """The tables to use for a page: vocabulary dropout removes those of classes, or of text, at random."""
    known = (tables for tables in (OF_CLASSES, OF_TEXT) if network.tables.keys() >= {*tables})
    kept = [tables for tables in known if random.random() >= options.vocabulary_dropout]
    return [table for tables in kept for table in tables if table in words]


def _sampled(words: WordCounts, section: slice, dropout: float, random: np.random.Generator) -> WordCounts:
    """The words of a section of blocks. Word dropout removes some, and scales up the counts of the others."""
    is_inside = (section.start <= words.blocks) & (words.blocks < section.stop)
    is_kept = is_inside & (random.random(len(words.words)) >= dropout)
    blocks, numbers, counts = (array[is_kept] for array in words)
    return WordCounts(blocks - section.start, numbers, counts / np.float32(1 - dropout))


def _write_words(numbers: NDArray[np.int32], counts: Matrix, sample: WordCounts) -> None:
    """Write the words of each block side by side: block × word."""
    columns = np.arange(len(sample.blocks)) - np.searchsorted(sample.blocks, sample.blocks)
    fits = columns < numbers.shape[1]
    cells = sample.blocks[fits], columns[fits]
    numbers[cells], counts[cells] = sample.words[fits], sample.counts[fits]
