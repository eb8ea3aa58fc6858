"""The densest part of a page, found from its body downwards: the way of WC Cleaner with a single file."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from victorpy.errors import MisfitError
from victorpy.features.element_blocks import blocks_in_elements
from victorpy.labelers import Labeling, Untrained
from victorpy.labelers.markup_kinds import labels_of
from victorpy.page.blocks import Label, Page
from victorpy.page.elements import Flags, Floats, Ints, fixed_points, nearest_marked
from victorpy.page.passages import enclosing


@dataclass(frozen=True)
class Density(Untrained):
    """Goes down to the densest child while it holds more than `share` of the characters, and keeps what it is in then.

    Density is the number of characters for each structural element, the part itself included. With `drops-sparse`,
    nothing is kept of a page whose part has a density under `least-density`; with `title`, the first heading of the
    page stands in front, or, without any, the title.
    """

    share: float = 0.5
    drops_sparse: bool = False
    least_density: float = 10.0
    title: bool = False

    def __post_init__(self) -> None:
        if not 0 <= self.share <= 1:
            raise MisfitError(f"from 0 to 1 is wanted, not {self.share:g}", "share")
        if self.least_density < 0:
            raise MisfitError(f"0 or more is wanted, not {self.least_density:g}", "least-density")

    def labeling(self, page: Page) -> Labeling:
        found = main_part(page, self.share)
        if self.drops_sparse and found.density < self.least_density:
            reason = f"sparse page: density {found.density:.1f}, under {self.least_density:g}"
            return Labeling([Label.OTHER] * len(page), reason=reason if len(page) else "")
        labels = labels_of(page, _inside(page, found.element))
        return _titled(page, labels) if self.title else Labeling(labels)


def _titled(page: Page, labels: list[Label]) -> Labeling:
    """With the first heading of the page, wherever it is, kept as such; else with the title before all blocks."""
    headings = np.flatnonzero(enclosing(page, *page.markup.class_header) >= 0)
    if not len(headings):
        return Labeling(labels, lead=page.title)
    first = int(headings[0])
    return Labeling([*labels[:first], Label.HEADER, *labels[first + 1 :]])


class MainPart(NamedTuple):
    """The element that holds the main text, and how dense it is."""

    element: int
    density: float


def main_part(page: Page, share: float = 0.5) -> MainPart:
    """Where the way down ends."""
    parts = _parts(page)
    densest = _densest_children(page, parts)
    is_further = parts.characters[densest] > share * parts.characters
    element = int(fixed_points(np.where(is_further, densest, np.arange(len(densest))))[_body(page)])
    return MainPart(element, float(parts.densities[element]))


def _body(page: Page) -> int:
    """The root of pages that have none."""
    return int((page.elements.codes == page.markup.codes["body"]).argmax())


class _Parts(NamedTuple):
    """Of every element the characters in it, and how many that is for each structural element, itself included."""

    characters: Ints
    densities: Floats


def _parts(page: Page) -> _Parts:
    ends, (first, last) = page.elements.ends, blocks_in_elements(page)
    characters = np.append(0, np.cumsum(page.lengths))
    structural = np.append(0, np.cumsum(_are_structural(page)))
    held = characters[last] - characters[first]
    inside = structural[ends] - structural[:-1]
    return _Parts(held, held / np.maximum(inside, 1))


def _are_structural(page: Page) -> Flags:
    are: Flags = page.markup.tables["class-block"][page.elements.codes]
    return are


def _densest_children(page: Page, parts: _Parts) -> Ints:
    """For every element the densest of the structural ones next inside, the first of equals; itself, if it has none."""
    are_structural = _are_structural(page)
    # The root is its own parent, and nobody's child.
    children = np.flatnonzero(are_structural[1:]) + 1
    parents = nearest_marked(page.elements, are_structural)[page.elements.parents[children]]
    # Of what is written to one place the last stays.
    order = np.argsort(-parts.densities[children], kind="stable")[::-1]
    densest = np.arange(len(are_structural))
    densest[parents[order]] = children[order]
    return densest


def _inside(page: Page, element: int) -> Flags:
    first, last = blocks_in_elements(page)
    keeps = np.zeros(len(page), np.bool_)
    keeps[first[element] : last[element]] = True
    return keeps
