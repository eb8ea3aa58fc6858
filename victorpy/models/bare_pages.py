"""Tiny pages that somebody wrote by hand, such as `<h1>Hello</h1><p>World</p>`: all their text is content.

Models learn from pages of sites, where so little text is hardly ever content. What a site or a server sends has
classes, scripts, links or the phrase of an HTTP status.
"""

import re
from collections.abc import Sequence
from functools import cache

from victorpy import _core
from victorpy.labelers.markup_kinds import labels_of
from victorpy.models.decoding import Decoding
from victorpy.page.blocks import Label, Page

REASON = "a tiny page without a site around it: kept by its tags, not by the model"

# In characters.
_LONGEST_TEXT, _LONGEST_SOURCE = 1_000, 4_000
# A bias below this asks for less text.
_STRICT = -0.5

_MADE_BY_PROGRAMS = re.compile(
    r"""<(?:script|style|iframe|frame|object|embed|form|meta\s+http-equiv\s*=\s*["']?refresh)\b|<[^<>]*\s(?:class|id|on\w+)\s*=""",
    re.I,
)
_FRAME = "nav, footer, aside, noscript, body > header"
_STATUS = re.compile(r"(?:^|error|http|status|code)\W*[345]\d\d\b", re.I | re.M)


def is_asked_for(decoding: Decoding) -> bool:
    """Does the user leave it to us what is content?"""
    is_plain = decoding.method == "expected-f1" and decoding.bias >= _STRICT
    return is_plain and decoding.scope in {"auto", "page", "article"}


def labels_of_bare_page(page: Page, labels: Sequence[Label]) -> list[Label]:
    """Labels for a tiny page of which the model keeps nothing, or an empty list if the page is not one of these."""
    if any(label.is_content for label in labels) or not _is_bare(page):
        return []
    keeps = _body_text(page)
    return labels_of(page, keeps) if any(keeps) and not _has_links(page) and not _is_notice(page) else []


def _is_bare(page: Page) -> bool:
    if not len(page) or sum(memoryview(page.core.column("lengths")).cast("i")) > _LONGEST_TEXT:
        return False
    source = page.core.source
    return len(source) <= _LONGEST_SOURCE and not _MADE_BY_PROGRAMS.search(source)


def _body_text(page: Page) -> list[bool]:
    """The blocks in `<main>` or `<article>`, or all blocks of a page without these, but not menus and footers."""
    in_main, mains = page.core.selected(_selector("main, article"))
    in_frame = page.core.selected(_selector(_FRAME))[0]
    return [not frame and (bool(main) or not mains) for main, frame in zip(in_main, in_frame, strict=True)]


def _has_links(page: Page) -> bool:
    """Are there links outside menus and footers?"""
    in_frame = ", ".join(f"{part} a[href]" for part in _FRAME.split(", "))
    return page.core.selected(_selector("a[href]"))[1] > page.core.selected(_selector(in_frame))[1]


def _is_notice(page: Page) -> bool:
    """Is it what a server sends instead of a page?"""
    said = f"{page.title}\n{page.text}"
    return bool(_STATUS.search(said) or _phrases().search(said))


@cache
def _phrases() -> re.Pattern[str]:
    """Lines such as `Not Found` and `Bad Request - Invalid Hostname`."""
    from http import HTTPStatus  # noqa: PLC0415 - few pages need it

    phrases = (re.escape(status.phrase) for status in HTTPStatus if status >= 300)
    return re.compile(rf"^\s*(?:{'|'.join(phrases)})\s*(?:$|[-:.!|,])", re.I | re.M)


@cache
def _selector(text: str) -> _core.Selector:
    return _core.Selector(text)
