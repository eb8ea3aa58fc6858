"""What the author of a page said of its parts: the semantic elements and roles around a block."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from victorpy.blocks import Page, once_per_page
from victorpy.elements import Flags, Ints, inherited
from victorpy.features.rows import Table
from victorpy._core import ROLES
from victorpy.markup import Markup

ROLE_CODES = {role: code for code, role in enumerate(ROLES, start=1)}

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
    "p": ("p",),
    "heading": ("h1", "h2", "h3", "h4", "h5", "h6"),
    "code": ("pre", "code"),
    "details": ("details",),
    "noscript": ("noscript",),
}
_ROLES: dict[str, tuple[str, ...]] = {
    "nav": ("navigation",),
    "main": ("main",),
    "article": ("article",),
    "header": ("banner",),
    "footer": ("contentinfo",),
    "aside": ("complementary",),
    "dialog": ("dialog", "alertdialog"),
    "form": ("search",),
    "list": ("list",),
    "item": ("listitem",),
    "heading": ("heading",),
    "button": ("button", "tab"),
}
_BITS = {name: 1 << place for place, name in enumerate(_INSIDE)}

NAMES = tuple(f"inside.{name}" for name in _INSIDE)


@lru_cache
def _masks(markup: Markup) -> Masks:
    masks = np.zeros(len(markup.codes) + 1, np.uint32)
    for name, tags in _INSIDE.items():
        masks[markup.members(tags)] |= np.uint32(_BITS[name])
    return masks


# By the code of a role.
_MASKS_OF_ROLES = np.zeros(len(ROLES) + 1, np.uint32)
for _name, _roles in _ROLES.items():
    _MASKS_OF_ROLES[[ROLE_CODES[role] for role in _roles]] = _BITS[_name]


@once_per_page
def around(page: Page) -> Masks:
    """What is around each element, itself included."""
    masks = _masks(page.markup).take(page.elements.codes) | _MASKS_OF_ROLES.take(page.elements.roles)
    return inherited(page.elements, masks)


def are_inside(page: Page, name: str, elements: Ints) -> Flags:
    inside: Flags = (around(page).take(elements) & np.uint32(_BITS[name])) != 0
    return inside


_ROWS = np.array(list(_BITS.values()), np.uint32)[:, None]


@once_per_page
def inside(page: Page) -> Table:
    inside: Table = ((around(page).take(page.element) & _ROWS) != 0).astype(np.float32)
    return inside
