"""The densest part of a page, found from its body downwards: the method of WC Cleaner for a single file."""

import logging
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from victorpy.features.element_blocks import blocks_in_elements
from victorpy.foundation.bounds import AT_LEAST_0, FROM_0_TO_1, check_bounds
from victorpy.labelers import Labeling, Untrained
from victorpy.labelers.markup_kinds import labels_of
from victorpy.page.blocks import Label, Page
from victorpy.page.elements import Flags, Floats, Ints, fixed_points, nearest_marked
from victorpy.page.passages import enclosing

log = logging.getLogger("victorpy")


@dataclass(frozen=True)
class Density(Untrained):
    """Descends to the densest child while it holds more than `share` of the characters, and keeps the last element.

    The density of an element is its characters divided by the structural elements in it, itself included. With
    `drops-sparse`, nothing is kept of a page whose last element has a density below `least-density`. With `title`, the
    first heading of the page is kept too; a page without headings gets its title as the first header.
    """

    share: float = 0.5
    drops_sparse: bool = False
    least_density: float = 10.0
    title: bool = False

    def __post_init__(self) -> None:
        check_bounds(self, {"share": FROM_0_TO_1, "least_density": AT_LEAST_0})

    def labeling(self, page: Page) -> Labeling:
        found = main_part(page, self.share)
        _tell(page, found)
        if self.drops_sparse and found.density < self.least_density:
            reason = f"sparse page: density {found.density:.1f}, under {self.least_density:g}"
            return Labeling([Label.OTHER] * len(page), reason=reason if len(page) else "")
        labels = labels_of(page, _inside(page, found.element))
        return titled(page, Labeling(labels)) if self.title else Labeling(labels)


def titled(page: Page, found: Labeling) -> Labeling:
    """Keeps the first heading of the page as a header; without headings, the title is printed first."""
    headings = np.flatnonzero(enclosing(page, *page.markup.class_header) >= 0)
    if not len(headings):
        return replace(found, lead=page.title)
    first = int(headings[0])
    parts = [part for part in found.omissions if part.block != first]
    return replace(found, labels=[*found.labels[:first], Label.HEADER, *found.labels[first + 1 :]], omissions=parts)


def _tell(page: Page, found: "MainPart") -> None:
    if log.isEnabledFor(logging.INFO) and len(page):
        tag, line = page.elements.tags[found.element], page.elements.lines[found.element]
        log.info("%s: target <%s> on line %d, density %.1f", page.id, tag, line, found.density)


class MainPart(NamedTuple):
    """The element that holds the main text, and its density."""

    element: int
    density: float


def main_part(page: Page, share: float = 0.5) -> MainPart:
    """The element where the descent ends."""
    figures = _figures(page)
    densest = _densest_children(page, figures)
    descends = figures.characters[densest] > share * figures.characters
    element = int(fixed_points(np.where(descends, densest, np.arange(len(densest))))[_body(page)])
    return MainPart(element, float(figures.densities[element]))


def _body(page: Page) -> int:
    """The body element, or the root if there is no body."""
    return int((page.elements.codes == page.markup.codes["body"]).argmax())


class _Figures(NamedTuple):
    """For each element: the characters in it, and its density."""

    characters: Ints
    densities: Floats


def _figures(page: Page) -> _Figures:
    ends, (first, last) = page.elements.ends, blocks_in_elements(page)
    characters = np.append(0, np.cumsum(page.lengths))
    structural = np.append(0, np.cumsum(_are_structural(page)))
    held = characters[last] - characters[first]
    inside = structural[ends] - structural[:-1]
    return _Figures(held, held / np.maximum(inside, 1))


def _are_structural(page: Page) -> Flags:
    are: Flags = page.markup.tables["class-block"][page.elements.codes]
    return are


def _densest_children(page: Page, figures: _Figures) -> Ints:
    """For each element, the densest of its structural children (the first of equals), or itself if it has none.

    A structural element that is wrapped in other elements counts as a child, too.
    """
    are_structural = _are_structural(page)
    # The root is its own parent, and the child of no other element.
    children = np.flatnonzero(are_structural[1:]) + 1
    parents = nearest_marked(page.elements, are_structural)[page.elements.parents[children]]
    # When several children are written to the place of one parent, numpy keeps the last.
    order = np.argsort(-figures.densities[children], kind="stable")[::-1]
    densest = np.arange(len(are_structural))
    densest[parents[order]] = children[order]
    return densest


def _inside(page: Page, element: int) -> Flags:
    first, last = blocks_in_elements(page)
    keeps = np.zeros(len(page), np.bool_)
    keeps[first[element] : last[element]] = True
    return keeps
