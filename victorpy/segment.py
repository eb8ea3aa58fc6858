"""HTML → Page: the text between tags cut into blocks."""

from victorpy import _core
from victorpy.blocks import Page
from victorpy.markup import STANDARD, Markup

# Counts up whenever the same page would come out in other blocks.
SEGMENTER_VERSION = 2


def segment(html: str | bytes, id: str = "", url: str | None = None, markup: Markup = STANDARD) -> Page:
    """Cuts a page (text, or its UTF-8) into blocks; CLEANEVAL's <text id= title=> wrapper names url and title."""
    source = html.encode("utf-8", "replace") if isinstance(html, str) else html
    return page_of(_core.of_utf8(source, markup.core), id, url, markup)


def page_of(core: _core.Document, id: str, url: str | None, markup: Markup) -> Page:
    """The page that the core has read; another parser may be asked to read it again."""
    if markup.parser != "html5":
        # Imported for those who ask for it: cleaning pages by the standard needs no lxml.
        from victorpy.parse import document  # noqa: PLC0415

        core = document(core, markup)
    return Page(id, url or core.url or None, core.title, markup, core)
