"""The text of a page wherever it lies, or the reason why it cannot be read.

Cleaning alone does without: the core reads bytes, and Python never holds their text.
"""

from typing import NamedTuple

from victorpy.errors import VictorError
from victorpy.page.blocks import Page
from victorpy.page.encoding import BINARY, decode, is_binary
from victorpy.page.markup import STANDARD, Markup
from victorpy.page.plain_text import html_of
from victorpy.page.segment import segment
from victorpy.sources.raw_pages import Location, RawPage, read_page


class DecodedPage(NamedTuple):
    """The HTML of a page; `problem` says why there is none, or why it is not all there."""

    id: str
    path: str
    url: str | None
    html: str | None
    problem: str = ""

    def required(self) -> str:
        """The HTML, or an error that names the file."""
        if self.html is None:
            raise VictorError(self.problem, self.path)
        return self.html

    def page(self, markup: Markup = STANDARD) -> Page | None:
        return None if self.html is None else segment(self.html, self.id, self.url, markup)


def _html(raw: RawPage, data: bytes) -> str:
    return html_of(data, raw.charset) if raw.is_text else decode(data, raw.charset).text


def decoded_page(source: Location | RawPage) -> DecodedPage:
    raw = read_page(source) if isinstance(source, Location) else source
    html, problem = None, raw.problem
    if raw.data is not None:
        html, problem = (None, BINARY) if is_binary(raw.data) else (_html(raw, raw.data), problem)
    return DecodedPage(raw.id, raw.path, raw.url, html, problem)
