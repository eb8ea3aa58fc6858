"""A plain text as a page: each line is a paragraph, and CLEANEVAL's markers say what else a line is."""

import re
from html import escape

from victorpy.page.encoding import decode

# The markers of kinds in CLEANEVAL's format, and its first line.
MARKERS = re.compile(r"(?m)^[ \t]*(?:<[phl]>|URL:[^\n]*)", re.IGNORECASE)

_TAGS = {"<h>": "h2", "<l>": "li"}


def html_of(text: bytes, charset: str | None = None) -> str:
    """The HTML of a text: an element for each line that is not empty."""
    return "".join(map(_element, decode(text, charset).text.splitlines()))


def _element(line: str) -> str:
    marker = MARKERS.match(line)
    text = line[marker.end() :] if marker else line
    if not text.strip():
        return ""
    tag = _TAGS.get(marker[0].strip().lower(), "p") if marker else "p"
    return f"<{tag}>{escape(text, quote=False)}</{tag}>\n"
