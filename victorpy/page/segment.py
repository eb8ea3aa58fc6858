"""HTML → Page: the text between tags cut into blocks."""

from victorpy import _core
from victorpy.page.blocks import Page, page_of
from victorpy.page.markup import STANDARD, Markup

# Counts up whenever the same page would come out in other blocks.
SEGMENTER_VERSION = 2


def segment(html: str | bytes, id: str = "", url: str | None = None, markup: Markup = STANDARD) -> Page:
    """Cuts a page (text, or its UTF-8) into blocks; CLEANEVAL's <text id= title=> wrapper names url and title."""
    source = html.encode("utf-8", "replace") if isinstance(html, str) else html
    return page_of(_core.of_utf8(source, markup.core), id, url, markup)
