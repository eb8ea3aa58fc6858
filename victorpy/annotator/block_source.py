"""The HTML of a block in the source of its page."""

import re
from itertools import islice

from victorpy.page.blocks import Page

_MOST_CHARACTERS = 4_000
_LONGEST_GAP = 600
_CONTEXT = 200
_WORD = re.compile(r"[^\W_]{2,}")


def source_of(page: Page, html: str, block: int) -> str:
    """The source from the start tag of the block's element on; a long part before the text is left out."""
    start = _start_tag(page, html, int(page.element[block]))
    text = _place_of(page, html, block, start)
    if text < start:  # the element was begun again behind its text, as browsers do
        start = max(text - _CONTEXT, 0)
    if text - start < _LONGEST_GAP:
        return html[start : start + _MOST_CHARACTERS]
    tag_end = html.find(">", start) + 1 or start
    return f"{html[start:tag_end]} … {html[text - _CONTEXT : text + _MOST_CHARACTERS]}"


def _start_tag(page: Page, html: str, element: int) -> int:
    """The offset of the element, from the line on which its start tag ends and the elements before it there."""
    elements, tag = page.elements, page.elements.tags[element]
    line = int(elements.lines[element])
    before = sum(
        elements.tags[number] == tag and elements.lines[number] == line
        for number in range(element - 1, -1, -1)
        if elements.lines[number] <= line
    )
    offset = _offset_of(html, line)
    tags = re.compile(
        rf"<!--.*?(?:-->|\Z)|<(script|style)\b.*?(?:</\1\s*>|\Z)|(<{re.escape(tag)}\b[^<>]*>)",
        re.IGNORECASE | re.DOTALL,
    )
    ends = _offset_of(html, line + 1)
    found = (match.start(2) for match in tags.finditer(html) if match[2] and offset < match.end() <= ends)
    return next(islice(found, before, None), offset)


def _offset_of(html: str, line: int) -> int:
    """The offset of a line; the first line is 1."""
    offset = 0
    for _ in range(line - 1):
        following = html.find("\n", offset)
        if following < 0:
            return len(html)
        offset = following + 1
    return offset


def _place_of(page: Page, html: str, block: int, start: int) -> int:
    """The offset of the text; of another parser's page that of its first word behind the start."""
    [(_, place)] = page.core.places([[block]])
    if place:
        return len(html.encode("utf-8", "replace")[: place[0]].decode("utf-8", "ignore"))
    word = _WORD.search(page.texts[block])
    return max(html.find(word[0], start) if word else -1, start)
