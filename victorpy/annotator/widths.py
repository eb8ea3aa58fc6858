"""The width of text in terminal cells: wide characters take two, combining marks none."""

import re
from collections.abc import Iterator

from wcwidth import wcwidth

# Characters that move the cursor, change the direction of text, or cannot be printed.
_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u00ad\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff]")
_SIGNS = {"\n": "⏎", "\r": "⏎", "\u2028": "⏎", "\u2029": "⏎", "\t": " ", "\x7f": "␡", "\x85": "⏎"}
_INVISIBLE = "\u00ad\u061c\u200e\u200f\ufeff"

# At most so many combining marks of a cell are shown.
_MOST_MARKS = 8


def visible(text: str) -> str:
    """The text with visible signs for control characters."""
    return text if text.isascii() and text.isprintable() else _UNPRINTABLE.sub(_sign, text)


def _sign(found: re.Match[str]) -> str:
    character = found[0]
    if character in _INVISIBLE:
        return ""
    return _SIGNS.get(character) or (chr(0x2400 + ord(character)) if character < " " else "\N{REPLACEMENT CHARACTER}")


def width(text: str) -> int:
    return len(text) if text.isascii() else sum(map(cells, text))


def cells(character: str) -> int:
    return max(0, wcwidth(character))


def cut(text: str, most: int) -> str:
    """The text, shortened with an ellipsis if it does not fit."""
    if len(text) <= most and text.isascii():
        return text
    kept = _fitting(text, most)
    return text if len(kept) == len(text) else _fitting(text, most - 1) + "…" * (most > 0)


def cut_left(text: str, most: int) -> str:
    """The end of the text, as much as fits."""
    return text if width(text) <= most else "…" + _fitting(text[::-1], most - 1)[::-1]


def filled(text: str, size: int) -> str:
    """The text cut or padded to exactly this width. Whatever is drawn passes here: names of files and tags, too."""
    text = cut(visible(text), size)
    return text + " " * (size - width(text))


def wrapped(text: str, size: int, most_lines: int) -> list[str]:
    """Lines of this width, broken at blanks where possible; the last line is cut."""
    lines: list[str] = []
    rest = text[: (size + 1) * most_lines * _MOST_MARKS]
    while rest and len(lines) < most_lines - 1:
        line = _line(rest, size)
        lines.append(line.rstrip())
        rest = rest[len(line) :].lstrip()
    return [*lines, cut(rest, size)] if rest or not lines else lines


def _line(text: str, size: int) -> str:
    fitting = _fitting(text, size)
    if len(fitting) == len(text) or text[len(fitting)] == " ":
        return fitting
    blank = fitting.rfind(" ")
    # Breaks words wider than a line, and scripts without blanks.
    return fitting[: blank + 1] if blank > len(fitting) // 2 else fitting or text[:1]


def _fitting(text: str, most: int) -> str:
    for end, taken in _ends(text):
        if taken > most:
            return text[:end]
    return text


def _ends(text: str) -> Iterator[tuple[int, int]]:
    """The place of each character, and the cells used up to its end."""
    taken = 0
    for place, character in enumerate(text):
        taken += cells(character)
        yield place, taken
