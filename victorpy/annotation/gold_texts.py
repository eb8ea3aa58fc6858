"""Read gold texts, which are clean texts of pages by people or other programs, as segments."""

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import PurePath
from typing import NamedTuple

from victorpy.page.blocks import Label
from victorpy.page.character_references import unescaped


class Segment(NamedTuple):
    """A segment of gold text; the label is None if the format has no labels."""

    label: Label | None
    text: str


def cleaneval(text: str) -> list[Segment]:
    """CLEANEVAL's format: `<p>`, `<h>` or `<l>` begins a segment, which ends at the next marker."""
    before, *rest = _MARKER.split(_uncommented(_URL_LINE.sub("", text, count=1)))
    marked = zip(rest[::2], rest[1::2], strict=True)
    # The tools of some annotators left character references.
    return _filled([(None, unescaped(before)), *((Label(marker.lower()), unescaped(part)) for marker, part in marked)])


def plain(text: str) -> list[Segment]:
    """One segment per line."""
    return _filled((None, line) for line in text.removeprefix("\ufeff").splitlines())


def markdown(text: str) -> list[Segment]:
    """Headings, list items and paragraphs of Markdown, without inline marks."""
    return _filled(_Markdown(_uncommented(text.removeprefix("\ufeff")).splitlines()).segments())


GOLD_FORMATS: dict[str, Callable[[str], list[Segment]]] = {
    "cleaneval": cleaneval,
    "markdown": markdown,
    "text": plain,
}


def likely_format(text: str, name: str = "") -> str:
    """Guess the format from the file name or the text."""
    if PurePath(name).suffix.lower() in {".md", ".markdown"}:
        return "markdown"
    return "cleaneval" if _CLEANEVAL_SIGN.search(text) else "text"


_MARKER = re.compile(r"<([phl])>", re.I)
_CLEANEVAL_SIGN = re.compile(r"\A[\ufeff\s]*URL:|^(?:\ufeff|[^\S\n])*<[phl]>", re.I | re.M)
_URL_LINE = re.compile(r"\A[\ufeff\s]*URL:[ \t]*(\S*).*|\A\ufeff")
# An unclosed comment is matched up to the end, once; in Markdown a backslash escapes it.
_COMMENT = re.compile(r"(?<!\\)<!--.*?(-->|\Z)", re.S)


def _uncommented(text: str) -> str:
    return _COMMENT.sub(lambda comment: "" if comment[1] else comment[0], text)


def url_line(text: str) -> str | None:
    """The address in the first line of CLEANEVAL's format."""
    found = _URL_LINE.match(text)
    return (found[1] or None) if found else None


def _filled(parts: Iterable[tuple[Label | None, str]]) -> list[Segment]:
    folded = (Segment(label, " ".join(text.split())) for label, text in parts)
    return [segment for segment in folded if segment.text]


_QUOTE = re.compile(r"(?: {0,3}> ?)+")
_FENCE = re.compile(r"\s*(?P<fence>`{3,}|~{3,}+)[^`]*$")
_ATX = re.compile(r" {0,3}#{1,6}(?=\s|$)")
_CLOSING_HASHES = re.compile(r"(?<!\S)#+$")
_UNDERLINE = re.compile(r" {0,3}(?:=+|-+)\s*$")
_RULE = re.compile(r" {0,3}(?:(?:-\s*){3,}|(?:\*\s*){3,}|(?:_\s*){3,})$")
_ITEM = re.compile(r"\s*(?:[-*+]|\d{1,9}[.)])(?:\s+(?:\[[ xX]\]\s+)?(?P<text>.*)|$)")
_CODE = re.compile(r"(?: {4}|\t)")
_REFERENCE = re.compile(r" {0,3}\[[^\]^]+\]:\s+\S+")
_DELIMITERS = re.compile(r"\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?$")
_CELL_BORDER = re.compile(r"(?<!\\)\|")


class _Markdown:
    """Parses line by line; a line without a mark continues the text before it."""

    def __init__(self, lines: list[str]):
        self.lines = lines
        self.label = Label.PARAGRAPH
        self.open: list[str] = []
        self.is_in_list = False
        self.quoted = False

    def segments(self) -> Iterator[tuple[Label, str]]:
        number = 0
        while number < len(self.lines):
            quote = _QUOTE.match(self.lines[number])
            line = self.lines[number][quote.end() :] if quote else self.lines[number]
            if bool(quote) is not self.quoted and (quote or not line.strip()):
                self.quoted = bool(quote)
                yield from self.closed()
            if _FENCE.match(line):
                yield from self.closed()
                number, code = self.fenced(number, line)
                yield Label.PARAGRAPH, code
            elif self.is_table(number, line):
                yield from self.closed()
                number, cells = self.table(number)
                yield from ((Label.PARAGRAPH, reduced(cell)) for cell in cells)
            else:
                yield from self.take(line)
                number += 1
        yield from self.closed()

    def take(self, line: str) -> Iterator[tuple[Label, str]]:
        """Parse one line outside of code fences and tables."""
        if self.open and self.label is Label.PARAGRAPH and _UNDERLINE.match(line):
            self.label = Label.HEADER
            yield from self.closed()
        elif not line.strip() or _RULE.match(line) or _REFERENCE.match(line):
            yield from self.closed()
        elif heading := _ATX.match(line):
            yield from self.closed()
            self.is_in_list = False
            yield Label.HEADER, reduced(_CLOSING_HASHES.sub("", line[heading.end() :].strip()))
        elif item := self.item(line):
            yield from self.closed()
            self.label, self.open, self.is_in_list = Label.LIST, [item["text"] or ""], True
        elif self.is_code(line):
            yield Label.PARAGRAPH, line
        else:
            self.is_in_list &= bool(self.open) or line[0].isspace()
            self.open.append(line)

    def item(self, line: str) -> re.Match[str] | None:
        return None if self.is_code(line) else _ITEM.match(line)

    def is_code(self, line: str) -> bool:
        return bool(_CODE.match(line)) and not self.open and not self.is_in_list

    def closed(self) -> Iterator[tuple[Label, str]]:
        if self.open:
            yield self.label, reduced("\n".join(self.open))
        self.open, self.label = [], Label.PARAGRAPH

    def fenced(self, number: int, line: str) -> tuple[int, str]:
        opening = _FENCE.match(line)
        fence = opening["fence"] if opening else ""
        end = number + 1
        while end < len(self.lines) and not _QUOTE.sub("", self.lines[end], count=1).strip().startswith(fence):
            end += 1
        return end + 1, "\n".join(self.lines[number + 1 : end])

    def is_table(self, number: int, line: str) -> bool:
        following = self.lines[number + 1] if number + 1 < len(self.lines) else ""
        return "|" in line and "|" in following and bool(_DELIMITERS.match(following.strip()))

    def table(self, number: int) -> tuple[int, list[str]]:
        end = number + 2
        while end < len(self.lines) and "|" in self.lines[end]:
            end += 1
        rows = [self.lines[number], *self.lines[number + 2 : end]]
        return end, [cell.replace(r"\|", "|") for row in rows for cell in _CELL_BORDER.split(row)]


_CODE_SPAN = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.S)
_TARGET = r"\((?:[^()\s]|\([^()]*\)|\s)*\)"
_IMAGE = re.compile(r"!\[((?:[^\]!]|!(?!\[)){0,1000})\](?:" + _TARGET + r"|\[[^\]]*\])")
_LINK = re.compile(r"\[((?:[^\[\]]|\[[^\[\]]*\])*)\](?:" + _TARGET + r"|\[[^\]]*\])")
_AUTOLINK = re.compile(r"<((?:https?://|mailto:)[^\s<>]+)>")
_TAG = re.compile(r"</?[a-zA-Z][a-zA-Z0-9-]*(?:\s[^<>]*)?/?>")
_BREAK = re.compile(r"<br\s*/?>|\\\n", re.I)
_STARS = re.compile(r"(\*{1,3}|~~)(?=\S)((?:(?!\1).){1,1000}?)(?<=\S)\1", re.S)
# Matches up to the next underscore in one step, over about fifty underscores at most.
_UNDERSCORES = re.compile(r"(?<!\w)(_{1,3})(?=\S)((?:[^_]++|_){1,100}?)(?<=\S)\1(?!\w)")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
# Private code points that no icon font uses: they replace literal text while marks are removed.
_HIDING = 0x10F000
_HIDDEN = re.compile("[\U0010f000-\U0010ffff]")


def reduced(text: str) -> str:
    """The text without Markdown's inline marks, as a page shows it."""
    hidden: dict[str, str] = {}

    def hide(shown: str) -> str:
        sign = chr(min(_HIDING + len(hidden), 0x10FFFF))
        return shown if hidden.setdefault(sign, shown) is not shown else sign

    text = _CODE_SPAN.sub(lambda match: hide(match[2]), _HIDDEN.sub("", text))
    text = _ESCAPE.sub(lambda match: hide(match[1]), text)
    return _HIDDEN.sub(lambda match: hidden.get(match[0], match[0]), _with_characters(_unmarked(text)))


# In Markdown a reference needs its semicolon, unlike in HTML.
_CHARACTER = re.compile(r"&(?:#[xX]?)?[0-9A-Za-z]+;")


def _with_characters(text: str) -> str:
    return _CHARACTER.sub(lambda reference: unescaped(reference[0]), text)


def _unmarked(text: str) -> str:
    text = _LINK.sub(r"\1", _LINK.sub(r"\1", _IMAGE.sub(r"\1", text)))
    text = _TAG.sub("", _BREAK.sub(" ", _AUTOLINK.sub(r"\1", text)))
    for mark in (_STARS, _STARS, _UNDERSCORES, _UNDERSCORES):
        text = mark.sub(r"\2", text)
    return text
