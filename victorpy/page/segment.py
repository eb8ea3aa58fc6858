"""Cuts HTML into blocks: the text between tags."""

from victorpy import _core
from victorpy.page.blocks import Page, page_of
from victorpy.page.markup import STANDARD, Markup

# Increase it whenever a change cuts the same page into other blocks.
SEGMENTER_VERSION = 2


def segment(html: str | bytes, id: str = "", url: str | None = None, markup: Markup = STANDARD) -> Page:
    """Cut a page (text, or UTF-8) into blocks; CLEANEVAL's wrapper <text id= title=> names url and title."""
    source = html.encode("utf-8", "replace") if isinstance(html, str) else html
    return page_of(_core.of_utf8(source, markup.core), id, url, markup)
