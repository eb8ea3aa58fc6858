"""How much of a page's text is new, compared with a reference page of the same site, level by level of their trees."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from victorpy.features.duplicates import text_hashes
from victorpy.foundation.hashing import Hashes
from victorpy.foundation.subsequence import common_subsequence
from victorpy.labelers.density import main_part
from victorpy.page.blocks import Page, once_per_page
from victorpy.page.elements import Flags, Floats
from victorpy.page.omission import Omission

# Two long sequences count as entirely different if their table would be larger. A table of this size takes a second.
_LARGEST_TABLE = 100_000_000

_WORD = re.compile(r"\S+")


@once_per_page
def distinct_texts(page: Page) -> Hashes:
    """The hashes of the page's different texts, in ascending order."""
    return np.unique(text_hashes(page))


def likeness(page: Page, other: Page) -> float:
    """How many different texts two pages share, as a share of the page that has fewer."""
    texts, others = distinct_texts(page), distinct_texts(other)
    fewer = min(len(texts), len(others))
    return len(np.intersect1d(texts, others, assume_unique=True)) / fewer if fewer else 0.0


def new_shares(page: Page, reference: Page, starts_at_target: bool = False) -> Floats:
    """The share of each block's characters that is new. It is 0 if the reference holds the block's text anywhere."""
    theirs = _reference_tree(reference)
    ours, starts = _tree(page, theirs.known), _starts(page, reference, starts_at_target)
    new = np.array([len(text) for text in ours.texts], float)
    for run, (start, end) in _differences(ours, theirs, starts):
        new[run] = len(" ".join(ours.texts[run][start:end].split()))
    if starts_at_target:
        new[~_is_inside(page, starts[0])] = 0
    shares: Floats = np.bincount(page.runs.block, new, len(page)) / np.maximum(page.lengths, 1)
    shares[np.isin(text_hashes(page), distinct_texts(reference))] = 0
    return shares


def common_parts(page: Page, reference: Page, starts_at_target: bool = False) -> list[Omission]:
    """The parts of the page's texts that the texts at the same places of the reference have as well.

    "posted by " of "posted by Jack F.", if the reference says "posted by anonymous".
    """
    theirs = _reference_tree(reference)
    ours, starts = _tree(page, theirs.known), _starts(page, reference, starts_at_target)
    blocks, begins = page.runs.block.tolist(), page.runs.start.tolist()
    parts: list[Omission] = []
    for run, (start, end) in _differences(ours, theirs, starts):
        text, block = ours.texts[run], blocks[run]
        # The text of a run is without the white space around it.
        offset = page.texts[block].find(text, begins[run])
        parts += [Omission(block, offset, offset + start), Omission(block, offset + end, offset + len(text))]
    return sorted(part for part in parts if part.start < part.end)


def _starts(page: Page, reference: Page, at_target: bool) -> tuple[int, int]:
    return (main_part(page).element, main_part(reference).element) if at_target else (0, 0)


def _is_inside(page: Page, element: int) -> Flags:
    inside: Flags = (page.runs.element >= element) & (page.runs.element < page.elements.ends[element])
    return inside


class _TextTree(NamedTuple):
    """The elements that hold text: for each its children, its own runs of text, and its shape.

    Two elements have the same shape if they have the same tag, texts and children. `known` numbers the shapes.
    """

    codes: list[int]
    children: list[list[int]]
    runs: list[list[int]]
    shapes: list[int]
    texts: list[str]
    known: dict[tuple[object, ...], int]


@once_per_page
def _reference_tree(page: Page) -> _TextTree:
    return _tree(page, {})


def _tree(page: Page, known: dict[tuple[object, ...], int]) -> _TextTree:
    count, texts = len(page.elements.tags), _run_texts(page)
    runs: list[list[int]] = [[] for _ in range(count)]
    for run, element in enumerate(page.runs.element.tolist()):
        runs[element].append(run)
    children: list[list[int]] = [[] for _ in range(count)]
    shapes, known = [-1] * count, dict(known)
    parents, codes = page.elements.parents.tolist(), page.elements.codes.tolist()
    for element in reversed(range(count)):
        children[element].reverse()
        if not (runs[element] or children[element]):
            continue
        inside = tuple(shapes[child] for child in children[element])
        shape = (codes[element], tuple(texts[run] for run in runs[element]), inside)
        shapes[element] = known.setdefault(shape, len(known))
        if element:
            children[parents[element]].append(element)
    return _TextTree(codes, children, runs, shapes, texts, known)


def _run_texts(page: Page) -> list[str]:
    starts, blocks = page.runs.start.tolist(), page.runs.block.tolist()
    ends = [start or None for start in (*starts[1:], *starts[:1])]
    return [page.texts[block][start:end].strip() for block, start, end in zip(blocks, starts, ends, strict=True)]


_Part = tuple[int, int]


def _differences(ours: _TextTree, theirs: _TextTree, starts: tuple[int, int]) -> Iterator[tuple[int, _Part]]:
    """The runs of text that match a run of the reference, each with the part of its text that is new."""
    waiting = [starts]
    while waiting:
        element, other = waiting.pop()
        if ours.shapes[element] == theirs.shapes[other]:
            yield from ((run, (0, 0)) for run in _runs_inside(ours, element))
            continue
        own, others = ours.runs[element], theirs.runs[other]
        for run, against in _matched_texts([ours.texts[run] for run in own], [theirs.texts[run] for run in others]):
            yield own[run], _new_part(ours.texts[own[run]], theirs.texts[others[against]])
        waiting += _matched_children(ours, theirs, element, other)


def _runs_inside(tree: _TextTree, element: int) -> Iterator[int]:
    waiting = [element]
    while waiting:
        inside = waiting.pop()
        yield from tree.runs[inside]
        waiting += tree.children[inside]


def _matched_texts(texts: Sequence[str], others: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Pairs of equal texts in order; the texts between two such pairs are paired one by one."""
    numbers: dict[str, int] = {}
    ours, theirs = ([numbers.setdefault(text, len(numbers)) for text in side] for side in (texts, others))
    pairs = _common_pairs(ours, theirs)
    yield from pairs
    for (i, j), (next_i, next_j) in pairwise([(-1, -1), *pairs, (len(texts), len(others))]):
        yield from zip(range(i + 1, next_i), range(j + 1, next_j), strict=False)


def _matched_children(ours: _TextTree, theirs: _TextTree, element: int, other: int) -> Iterator[tuple[int, int]]:
    """Pairs of equal children in order; the children between two such pairs are paired by their tags."""
    own, others = ours.children[element], theirs.children[other]
    pairs = _common_pairs([ours.shapes[child] for child in own], [theirs.shapes[child] for child in others])
    yield from ((own[i], others[j]) for i, j in pairs)
    for (i, j), (next_i, next_j) in pairwise([(-1, -1), *pairs, (len(own), len(others))]):
        gap, their_gap = own[i + 1 : next_i], others[j + 1 : next_j]
        tags, their_tags = [ours.codes[child] for child in gap], [theirs.codes[child] for child in their_gap]
        yield from ((gap[k], their_gap[m]) for k, m in _common_pairs(tags, their_tags))


def _common_pairs(ours: Sequence[int], theirs: Sequence[int]) -> list[tuple[int, int]]:
    """The places of a longest common subsequence, or nothing if the search would take seconds."""
    return common_subsequence(ours, theirs) if len(ours) * len(theirs) <= _LARGEST_TABLE else []


def _new_part(text: str, other: str) -> _Part:
    """The text without the words that both texts begin with and the words that both end with."""
    spans, others = [match.span() for match in _WORD.finditer(text)], other.split()
    words = [text[start:end] for start, end in spans]
    begin = _common_beginning(words, others)
    end = _common_beginning(words[begin:][::-1], others[begin:][::-1])
    left = spans[begin : len(words) - end]
    return (left[0][0], left[-1][1]) if left else (0, 0)


def _common_beginning(words: Sequence[str], others: Sequence[str]) -> int:
    pairs = zip(words, others, strict=False)
    return next((count for count, (word, other) in enumerate(pairs) if word != other), min(len(words), len(others)))
