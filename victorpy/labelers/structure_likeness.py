"""Are two pages built alike? WC Cleaner compares them by the numbers of children, level by level."""

import numpy as np

from victorpy.page.blocks import Page, once_per_page
from victorpy.page.elements import Ints


def is_similar_by_child_count(page: Page, other: Page, level: int) -> bool:
    """Have the elements of both pages the same numbers of visible children, from the body down to this level?"""
    return differing_level(page, other, level) is None


def differing_level(page: Page, other: Page, level: int) -> int | None:
    """The first of so many levels at which an element has more visible children than the one at its place, or None."""
    ours, theirs = _visible_children(page), _visible_children(other)
    pairs = [(_body(page), _body(other))]
    for depth in range(1, level + 1):
        if any(len(ours[one]) != len(theirs[two]) for one, two in pairs):
            return depth
        pairs = [pair for one, two in pairs for pair in zip(ours[one], theirs[two], strict=True)]
    return None


@once_per_page
def _visible_children(page: Page) -> list[list[int]]:
    """The child elements of each element that hold text."""
    children: list[list[int]] = [[] for _ in page.elements.tags]
    parents, has_text = page.elements.parents.tolist(), _have_text(page).tolist()
    for element in range(1, len(parents)):
        if has_text[element]:
            children[parents[element]].append(element)
    return children


def _have_text(page: Page) -> Ints:
    upto = np.append(0, np.cumsum(np.bincount(page.runs.element, minlength=len(page.elements.tags))))
    counts: Ints = upto[page.elements.ends] - upto[:-1]
    return counts


def _body(page: Page) -> int:
    """The body, or the root if there is none."""
    return page.elements.tags.index("body") if "body" in page.elements.tags else 0
