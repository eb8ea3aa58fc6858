"""The target nodes of FIASCO: elements with a tenth of their text in text of their own. And the features of each."""

from typing import NamedTuple

import numpy as np

from victorpy.features.element_blocks import blocks_in_elements
from victorpy.features.link_text import linked_characters
from victorpy.features.sentence_figures import sentences
from victorpy.features.tokens import words
from victorpy.foundation.words import SIGNATURE_WORD
from victorpy.page.blocks import Page, once_per_page
from victorpy.page.elements import Flags, Floats, Ints, nearest_marked

OWN_SHARE = 0.1

FEATURES = (
    "characters",
    "words",
    "types",
    "sentences",
    "sentence-length",
    "keywords",
    "depth",
    "is-heading",
    "is-paragraph",
    "links",
    "tags",
)

# The beginning of a node is enough to count its different words. Nodes may be nested.
_BEGINNING = 2000


class TargetNodes(NamedTuple):
    """The elements that decide about blocks, in document order, and for each block the place of its one among them."""

    elements: Ints
    of_block: Ints


@once_per_page
def target_nodes(page: Page) -> TargetNodes:
    """The target node of a block is the nearest one around it; without one, the block's own element."""
    nearest = nearest_marked(page.elements, are_target_nodes(page))[page.element]
    deciders = np.where(are_target_nodes(page)[nearest], nearest, page.element)
    elements, of_block = np.unique(deciders, return_inverse=True)
    return TargetNodes(elements, of_block)


@once_per_page
def are_target_nodes(page: Page) -> Flags:
    runs = page.runs
    begins = page.starts[runs.block] + runs.start
    lengths = np.diff(begins, append=len(page.text))
    own = np.bincount(runs.element, lengths, len(page.elements.tags))
    upto = np.append(0, np.cumsum(own))
    inside = upto[page.elements.ends] - upto[:-1]
    are: Flags = (own > 0) & (own >= OWN_SHARE * inside)
    return are


def node_features(page: Page, keywords: frozenset[str]) -> Floats:
    """The features of each target node: node × feature."""
    nodes, elements = target_nodes(page).elements, page.elements
    first, last = (borders[nodes] for borders in blocks_in_elements(page))
    last = np.maximum(last, first + 1)
    counts, ends, linked, lengths = (
        _inside(column, first, last) for column in (words(page), sentences(page), linked_characters(page), page.lengths)
    )
    types, share = _words_inside(page, first, last, keywords)
    tags = elements.ends[nodes] - nodes
    headings, paragraphs = (
        page.markup.members(names)[elements.codes[nodes]] for names in (page.markup.class_header, ("p",))
    )
    rows = (
        np.log1p(lengths),
        np.log1p(counts),
        np.log1p(types),
        np.log1p(ends),
        np.log1p(counts / np.maximum(ends, 1)),
        share,
        np.log1p(elements.depths[nodes]),
        headings,
        paragraphs,
        linked / np.maximum(lengths, 1),
        np.log1p(100 * tags / np.maximum(lengths, 1)),
    )
    return np.stack(rows, axis=1).astype(float)


def _inside(column: Ints, first: Ints, last: Ints) -> Floats:
    upto = np.append(0, np.cumsum(column))
    sums: Floats = (upto[last] - upto[first]).astype(float)
    return sums


def _words_inside(page: Page, first: Ints, last: Ints, keywords: frozenset[str]) -> tuple[Floats, Floats]:
    """The number of different words in each node, and the share of its words that are keywords."""
    figures = np.zeros((2, len(first)))
    for place, (begin, end) in enumerate(zip(first.tolist(), last.tolist(), strict=True)):
        start = int(page.starts[begin])
        stop = min(int(page.starts[end - 1] + page.lengths[end - 1]), start + _BEGINNING)
        found = SIGNATURE_WORD.findall(page.text[start:stop].lower())
        figures[0, place] = len({*found})
        figures[1, place] = [*map(keywords.__contains__, found)].count(True) / max(len(found), 1)
    return figures[0], figures[1]
