"""Pages of one site cleaned against one another, level by level: the way of WC Cleaner with several files."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import NamedTuple

import numpy as np

from victorpy.errors import MisfitError
from victorpy.features.duplicates import Hashes, text_hashes
from victorpy.foundation.subsequence import common_subsequence
from victorpy.labelers import Labeling
from victorpy.labelers.density import Density, target
from victorpy.labelers.markup_kinds import labels_of
from victorpy.page.blocks import Page, once_per_page
from victorpy.page.elements import Flags, Floats

# The table of two long sequences beyond which they are taken for different throughout: it takes a second.
_LARGEST_TABLE = 100_000_000


@dataclass(frozen=True)
class Site:
    """Drops what the reference page of the same site holds as well.

    What a text has in common with the one in its place does not count: "posted by", where "posted by Jack F." stands
    against "posted by anonymous". A block is content if at least the share `least-new` of its characters is left; 0
    keeps whatever differs at all. With `starts-at-target` only the densest parts of both pages are compared, and the
    rest is noise. The reference is the page of a site that is most like the others (`alike`), the page of median size
    (`median`), or a file. Pages that have less than `least-alike` of their texts in common with it are cleaned by
    density (0: none), and so are pages without a reference.
    """

    reference: str = "alike"
    starts_at_target: bool = True
    least_new: float = 0.8
    least_alike: float = 0.15

    def __post_init__(self) -> None:
        for name in ("least_new", "least_alike"):
            if not 0 <= getattr(self, name) <= 1:
                raise MisfitError(f"from 0 to 1 is wanted, not {getattr(self, name):g}", name.replace("_", "-"))

    def labeling(self, page: Page) -> Labeling:
        """A page by itself has nothing to be compared with."""
        return by_density(page, "no other page of its site to compare it with")


@dataclass(frozen=True)
class Against:
    """Cleans pages against one reference, and the reference itself against the second."""

    options: Site
    references: tuple[Page, ...]

    def labeling(self, page: Page) -> Labeling:
        other = next((other for other in self.references if other.texts != page.texts), None)
        if other is None:
            return self.options.labeling(page)
        alike = likeness(page, other)
        if len(page) and alike < self.options.least_alike:
            return by_density(page, f"unlike the reference page ({alike:.0%} of its texts in common)")
        shares = new_shares(page, other, self.options.starts_at_target)
        return Labeling(labels_of(page, (shares > 0) & (shares >= self.options.least_new)))


def by_density(page: Page, why: str) -> Labeling:
    return Density().labeling(page)._replace(reason=f"{why}: cleaned by density" if len(page) else "")


def references(pages: Sequence[Page], way: str) -> tuple[Page, ...]:
    """The page to compare the others with, and a second one, with other texts, for that page itself."""
    ordered = [pages[number] for number in WAYS[way](pages)] if pages else []
    seconds = (page for page in ordered[1:] if page.texts != ordered[0].texts)
    return (*ordered[:1], *islice(seconds, 1))


def likeness(page: Page, other: Page) -> float:
    """How many different texts two pages have in common, as a share of the page that has fewer."""
    texts, others = _texts(page), _texts(other)
    fewer = min(len(texts), len(others))
    return len(np.intersect1d(texts, others, assume_unique=True)) / fewer if fewer else 0.0


@once_per_page
def _texts(page: Page) -> Hashes:
    return np.unique(text_hashes(page))


def by_likeness(pages: Sequence[Page]) -> list[int]:
    """First the page that has most in common with the others: Dice's coefficient of the texts, summed."""
    texts = [_texts(page) for page in pages]
    known = np.unique(np.concatenate(texts))
    has = np.zeros((len(pages), len(known)), np.float32)
    for row, of_page in zip(has, texts, strict=True):
        row[np.searchsorted(known, of_page)] = 1
    sizes = has.sum(axis=1)
    likenesses = 2 * (has @ has.T) / np.maximum(sizes[:, None] + sizes, 1)
    return [*np.argsort(-likenesses.sum(axis=1), kind="stable").tolist()]


def by_median_size(pages: Sequence[Page]) -> list[int]:
    """First the page of median size, as the original took it; then those nearest to it in the order of sizes."""
    order = sorted(range(len(pages)), key=lambda number: len(pages[number].text))
    middle = (len(order) - 1) // 2
    return [order[place] for place in sorted(range(len(order)), key=lambda place: abs(place - middle))]


WAYS: Mapping[str, Callable[[Sequence[Page]], list[int]]] = {"alike": by_likeness, "median": by_median_size}


# Trees against one another


class _Tree(NamedTuple):
    """Of each element the children that hold text, its own texts (runs), and a number that equal elements share."""

    codes: list[int]
    children: list[list[int]]
    runs: list[list[int]]
    shapes: list[int]
    texts: list[str]
    known: dict[tuple[object, ...], int]


def new_shares(page: Page, reference: Page, starts_at_target: bool = False) -> Floats:
    """Of each block the share of its characters that is new: nothing, where the reference holds the text anywhere."""
    theirs = _reference_tree(reference)
    ours = _tree(page, theirs.known)
    new = np.array([len(text) for text in ours.texts], float)
    starts = (target(page).element, target(reference).element) if starts_at_target else (0, 0)
    for run, count in _differences(ours, theirs, starts):
        new[run] = count
    if starts_at_target:
        new[~_is_inside(page, starts[0])] = 0
    shares: Floats = np.bincount(page.runs.block, new, len(page)) / np.maximum(page.lengths, 1)
    shares[np.isin(text_hashes(page), _texts(reference))] = 0
    return shares


def _is_inside(page: Page, element: int) -> Flags:
    inside: Flags = (page.runs.element >= element) & (page.runs.element < page.elements.ends[element])
    return inside


@once_per_page
def _reference_tree(page: Page) -> _Tree:
    return _tree(page, {})


def _tree(page: Page, known: dict[tuple[object, ...], int]) -> _Tree:
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
    return _Tree(codes, children, runs, shapes, texts, known)


def _run_texts(page: Page) -> list[str]:
    starts, blocks = page.runs.start.tolist(), page.runs.block.tolist()
    ends = [start or None for start in (*starts[1:], *starts[:1])]
    return [page.texts[block][start:end].strip() for block, start, end in zip(blocks, starts, ends, strict=True)]


def _differences(ours: _Tree, theirs: _Tree, starts: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """Texts that stand against one of the reference, each with the number of its characters that are new."""
    waiting = [starts]
    while waiting:
        element, other = waiting.pop()
        if ours.shapes[element] == theirs.shapes[other]:
            yield from ((run, 0) for run in _runs_inside(ours, element))
            continue
        own, others = ours.runs[element], theirs.runs[other]
        for run, against in _matched([ours.texts[run] for run in own], [theirs.texts[run] for run in others]):
            yield own[run], _new(ours.texts[own[run]], theirs.texts[others[against]])
        waiting += _matched_children(ours, theirs, element, other)


def _runs_inside(tree: _Tree, element: int) -> Iterator[int]:
    waiting = [element]
    while waiting:
        inside = waiting.pop()
        yield from tree.runs[inside]
        waiting += tree.children[inside]


def _matched(texts: Sequence[str], others: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Equal texts in order, and between them one after the other."""
    numbers: dict[str, int] = {}
    ours, theirs = ([numbers.setdefault(text, len(numbers)) for text in side] for side in (texts, others))
    pairs = _in_order(ours, theirs)
    yield from pairs
    for (i, j), (next_i, next_j) in pairwise([(-1, -1), *pairs, (len(texts), len(others))]):
        yield from zip(range(i + 1, next_i), range(j + 1, next_j), strict=False)


def _matched_children(ours: _Tree, theirs: _Tree, element: int, other: int) -> Iterator[tuple[int, int]]:
    """Equal children in order, and between them those of the same tags in order."""
    own, others = ours.children[element], theirs.children[other]
    pairs = _in_order([ours.shapes[child] for child in own], [theirs.shapes[child] for child in others])
    yield from ((own[i], others[j]) for i, j in pairs)
    for (i, j), (next_i, next_j) in pairwise([(-1, -1), *pairs, (len(own), len(others))]):
        gap, their_gap = own[i + 1 : next_i], others[j + 1 : next_j]
        tags, their_tags = [ours.codes[child] for child in gap], [theirs.codes[child] for child in their_gap]
        yield from ((gap[k], their_gap[m]) for k, m in _in_order(tags, their_tags))


def _in_order(ours: Sequence[int], theirs: Sequence[int]) -> list[tuple[int, int]]:
    """What both have in common, in order; nothing where to find it would take seconds."""
    return common_subsequence(ours, theirs) if len(ours) * len(theirs) <= _LARGEST_TABLE else []


def _new(text: str, other: str) -> int:
    """How many characters are left without the words that both begin with, and those that both end with."""
    words, others = text.split(), other.split()
    begin = _common(words, others)
    end = _common(words[begin:][::-1], others[begin:][::-1])
    left = words[begin : len(words) - end]
    return len(" ".join(left))


def _common(words: Sequence[str], others: Sequence[str]) -> int:
    pairs = zip(words, others, strict=False)
    return next((count for count, (word, other) in enumerate(pairs) if word != other), min(len(words), len(others)))
