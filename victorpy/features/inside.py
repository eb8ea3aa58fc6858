"""What the author of a page said of its parts: the semantic elements and roles around a block."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from victorpy.blocks import Flags, Ints, Page, once_per_page
from victorpy.features.rows import Table
from victorpy.markup import MARKS, Markup

Masks = NDArray[np.uint32]

_INSIDE: dict[str, tuple[str, ...]] = {
    "a": ("a",),
    "nav": ("nav",),
    "main": ("main",),
    "article": ("article",),
    "header": ("header",),
    "footer": ("footer",),
    "aside": ("aside",),
    "dialog": ("dialog",),
    "section": ("section",),
    "form": ("form",),
    "table": ("table",),
    "list": ("ul", "ol", "dl"),
    "item": ("li", "dd", "dt"),
    "figure": ("figure", "figcaption", "picture", "img"),
    "quote": ("blockquote", "q"),
    "button": ("button", "label", "select", "option", "summary"),
    "bold": ("b", "strong"),
    "italic": ("i", "em", "cite", "address", "time"),
    "p": ("p",),
    "heading": ("h1", "h2", "h3", "h4", "h5", "h6"),
    "code": ("pre", "code"),
    "details": ("details",),
    "noscript": ("noscript",),
    "search": ("search",),
    "menu": ("menu",),
    "hidden": (),
    "aria-hidden": (),
}
_BITS = {name: 1 << place for place, name in enumerate(_INSIDE)}

NAMES = tuple(f"inside.{name}" for name in _INSIDE)


@lru_cache
def _masks(markup: Markup) -> Masks:
    masks = np.zeros(len(markup.codes) + 1, np.uint32)
    for name, tags in _INSIDE.items():
        masks[markup.members(tags)] |= np.uint32(_BITS[name])
    return masks


@lru_cache
def _marked() -> Masks:
    """By the marks of an element."""
    numbers = np.arange(1 << len(MARKS))
    masks = np.zeros(len(numbers), np.uint32)
    for place, mark in enumerate(MARKS):
        masks[(numbers >> place & 1) == 1] |= np.uint32(_BITS[mark])
    return masks


@once_per_page
def around(page: Page) -> Masks:
    """What is around each element, itself included: it takes over from its parents, doubling the stride."""
    masks = _masks(page.markup).take(page.elements.codes) | _marked().take(page.elements.marks)
    parents = page.elements.parents
    while parents.any():
        masks |= masks.take(parents)
        parents = parents.take(parents)
    masks |= masks[:1]
    return masks


def are_inside(page: Page, name: str, elements: Ints) -> Flags:
    inside: Flags = (around(page).take(elements) & np.uint32(_BITS[name])) != 0
    return inside


_ROWS = np.array(list(_BITS.values()), np.uint32)[:, None]


@once_per_page
def inside(page: Page) -> Table:
    inside: Table = ((around(page).take(page.element) & _ROWS) != 0).astype(np.float32)
    return inside
