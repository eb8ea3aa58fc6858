"""The HTML of a page without scripts, style sheets and comments: what cleaning.py of WC Cleaner prints."""

import re

from victorpy.output.cleaned import Cleaned
from victorpy.output.escapes import printable

# What begins an invisible part, and what ends it. Text behind a part without an end is kept.
_PARTS = {"<script": re.compile(r"</script\s*+>", re.IGNORECASE), "<style": re.compile(r"</style\s*+>", re.IGNORECASE)}
_COMMENT = re.compile("-->")
_BEGIN = re.compile(r"<script\b|<style\b|<!--", re.IGNORECASE)


def precleaned(cleaned: Cleaned) -> str:
    return f"{printable(without_invisible_parts(cleaned.source)).rstrip()}\n"


def without_invisible_parts(html: str) -> str:
    """The same text without invisible parts, each to its nearest end."""
    kept, place = list[str](), 0
    unended = set[str]()
    for begin in _BEGIN.finditer(html):
        name = begin[0].lower()
        if begin.start() < place or name in unended:
            continue
        end = _PARTS.get(name, _COMMENT).search(html, begin.end())
        if end is None:
            # No later part of this kind has an end either, so time stays linear.
            unended.add(name)
            continue
        kept.append(html[place : begin.start()])
        place = end.end()
    return "".join((*kept, html[place:]))
