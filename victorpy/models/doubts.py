"""A look at what a model keeps: tiny pages are kept whole, and doubtful ones get a reason for people who sort them."""

from collections.abc import Sequence
from functools import cache

from victorpy import _core
from victorpy.models.bare_pages import REASON, is_asked_for, labels_of_bare_page
from victorpy.models.decoding import Decoding
from victorpy.models.scopes import Scope
from victorpy.page.blocks import Label, Page

# Text before a wall is at most this long, in characters: more is an article with a box for subscribers.
_CUT = 1500
# A page whose kept text is linked by this share is a list of other pages.
_LINKED = 0.5

_WALLS = "paywall", "pay-wall", "regwall", "reg-wall", "loginwall", "login-wall", "metered-content", "subscriber-only"

_NOTHING_FOUND = {"article": "no article found", "discussion": "no discussion found"}


def reviewed(page: Page, labels: list[Label], decoding: Decoding) -> tuple[list[Label], str]:
    """The labels of a network, or those of a tiny page of which it keeps nothing; and a reason to doubt them."""
    of_bare = labels_of_bare_page(page, labels) if is_asked_for(decoding) else []
    return (of_bare, REASON) if of_bare else (labels, doubt(page, labels, decoding.scope))


def doubt(page: Page, labels: Sequence[Label], scope: Scope) -> str:
    """The reason to doubt these labels, or an empty text."""
    kept = [number for number, label in enumerate(labels) if label.is_content]
    if not kept:
        return _NOTHING_FOUND.get(scope, "") if len(page) else ""
    lengths = memoryview(page.core.column("lengths")).cast("i")
    size = sum(lengths[number] for number in kept)
    if size < _CUT and any(page.core.selected(_wall())[0]):
        return "cut by a wall"
    if scope == "article":
        is_linked = page.core.selected(_links())[0]
        if sum(lengths[number] for number in kept if is_linked[number]) > _LINKED * size:
            return "list page under scope article"
    return ""


@cache
def _wall() -> _core.Selector:
    return _core.Selector(", ".join(f'[{name}*="{wall}" i]' for wall in _WALLS for name in ("class", "id")))


@cache
def _links() -> _core.Selector:
    return _core.Selector("a[href]")
