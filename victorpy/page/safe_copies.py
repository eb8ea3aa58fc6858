"""A copy of a page for a browser: it runs no scripts and loads nothing, and its blocks can be marked."""

import re
from collections.abc import Iterator

from victorpy.page.blocks import Page

# The element around each piece of a block's text; `n` is the number of the block.
MARK = "victor-block"

# Nothing is loaded and nothing runs; styles and pictures inside the page are shown.
POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; form-action 'none'; base-uri 'none'"
)

_HEAD = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}"><meta charset="utf-8">'
_DOCTYPE = re.compile(r"\A\s*+(?:<!--(?:(?!-->).)*+-->\s*+)*+(<!doctype\b[^>]*+>)", re.IGNORECASE | re.DOTALL)

# A policy cannot stop <meta http-equiv=refresh> and <link rel=preconnect>. <basefont> may stand where these do, and
# means nothing to browsers.
_LEADS_AWAY = re.compile(r"<(?:meta|link|base)(?![a-z0-9-])", re.IGNORECASE)

# Elements whose content is text for browsers, whatever it looks like.
_RAW = ("script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes", "plaintext")
# Quotes hide a `>` only behind `=`, as in browsers.
_SKIPPED = re.compile(
    rf"<!--.*?(?:-->|\Z)|<({'|'.join(_RAW)})\b.*?(?:</\1\s*>|\Z)"
    r"""|<[!?/a-z](?:=\s*"[^"]*"|=\s*'[^']*'|[^>])*+>?""",
    re.IGNORECASE | re.DOTALL,
)


def safe_copy(html: str, style: str = "") -> str:
    """The page without a way to run scripts, load files or leave by itself; `style` is added to its styles."""
    doctype = _DOCTYPE.match(html)
    # Elements before <html> go into its head, so that the policy comes before all that it restricts.
    added = f"<style>{style}</style>" if style else ""
    return f"{doctype[1] if doctype else ''}{_HEAD}{added}{_LEADS_AWAY.sub('<basefont', html)}"


def marked_html(page: Page) -> str:
    """The HTML of the page with an element `<victor-block n=NUMBER>` around each piece of a block's text.

    Text that browsers do not show as part of the page, such as alternative texts of pictures, has no mark.
    """
    source = page.core.source.encode("utf-8", "replace")
    parts, end = [], 0
    for number, begin, until in _ranges(page):
        if begin >= end:  # a range that starts in another one was moved there by the parser
            parts += [source[end:begin].decode(), _marked(source[begin:until].decode("utf-8", "replace"), number)]
            end = until
    return "".join([*parts, source[end:].decode("utf-8", "replace")])


def _ranges(page: Page) -> Iterator[tuple[int, int, int]]:
    """The blocks that can be marked, by their places in the source, each with its range in bytes."""
    tags = page.elements.tags
    places = page.core.places([[block] for block in range(len(page))])
    found = ((block, place) for block, (_, place) in enumerate(places) if place)
    shown = (one for one in found if tags[int(page.element[one[0]])] not in _RAW)
    for block, (begin, until) in sorted(shown, key=lambda one: one[1]):
        yield block, begin, until


def _marked(html: str, number: int) -> str:
    """The range of a block with marks around its pieces of text."""
    parts, end = [], 0
    for tag in _SKIPPED.finditer(html):
        parts += [_marked_text(html[end : tag.start()], number), tag[0]]
        end = tag.end()
    return "".join([*parts, _marked_text(html[end:], number)])


def _marked_text(text: str, number: int) -> str:
    # Space between rows of a table may stand there; an element would be moved out of the table.
    return f"<{MARK} n={number}>{text}</{MARK}>" if text.strip() else text
