"""HTML → Page: the elements as arrays, and the text between tags cut into blocks."""

import re
from html import unescape
from typing import NamedTuple

import numpy as np

from victorpy.blocks import Elements, Flags, Ints, Page, Runs, fixed_points, nearest_marked, tag_events
from victorpy.markup import ROLE_CODES, STANDARD, Markup
from victorpy.parse import Tree, parse

# Counts up whenever the same page would come out in other blocks.
SEGMENTER_VERSION = 1

_WRAPPER = re.compile(rb'\s*<text\s+id="(?P<url>[^"]*)"(?:\s+title="(?P<title>[^"]*)")?[^>]*>', re.I)

# Blanks, joiners, marks of order and of direction: alone they are no text.
_INVISIBLE = " \u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"

# Neither white space nor anything that a text may hold.
_CONTROL = re.compile("[\x00-\x08\x0e-\x1b\x7f]+")

_LONG = 1 << 18
_BLANKS = re.compile(" {2,}")


def segment(html: str | bytes, id: str = "", url: str | None = None, markup: Markup = STANDARD) -> Page:
    """Cuts a page (text, or its UTF-8) into blocks; CLEANEVAL's <text id= title=> wrapper names url and title."""
    source = html.encode("utf-8", "replace") if isinstance(html, str) else html
    wrapper = _WRAPPER.match(source)
    tree = parse(source[wrapper.end() :] if wrapper else source, markup)
    title = tree.title
    if wrapper:
        url = url or _attribute(wrapper["url"]) or None
        title = title or _attribute(wrapper["title"] or b"")
    elements = _elements(tree, markup)
    strings = _strings(tree, elements)
    if "pre" in tree.tags:
        strings = _cut_into_lines(strings, elements, markup)
    blocks = _blocks(strings, elements, markup)
    return Page(id, url, title, markup, elements, *blocks)


def _attribute(value: bytes) -> str:
    return " ".join(unescape(value.decode("utf-8", "replace")).split())


def _elements(tree: Tree, markup: Markup) -> Elements:
    code_of = markup.codes.get
    parents = np.array(tree.parents, np.int32)
    numbers = np.arange(len(parents), dtype=np.int32)
    last_child = numbers.copy()
    last_child[parents[1:]] = numbers[1:]
    return Elements(
        tags=tree.tags,
        codes=np.array([code_of(tag, 0) for tag in tree.tags], np.int16),
        parents=parents,
        depths=_depths(parents),
        ends=fixed_points(last_child) + np.int32(1),
        lines=np.array(tree.lines, np.int32),
        roles=np.array([ROLE_CODES.get(role, 0) if role else 0 for role in tree.roles], np.int8),
    )


def _depths(parents: Ints) -> Ints:
    """Steps to the root, doubling the stride."""
    depths = np.ones(len(parents), np.int32)
    depths[0] = 0
    while parents.any():
        depths += depths[parents]
        parents = parents[parents]
    return depths


class _Strings(NamedTuple):
    """Text between two tags, in document order: the element around it, and the number of tags before it."""

    raw: list[str]
    element: Ints
    place: Ints
    is_new_line: Flags
    is_preformatted: Flags


def _none(count: int) -> Flags:
    return np.zeros(count, np.bool_)


def _strings(tree: Tree, elements: Elements) -> _Strings:
    """What stands inside and behind every element, in the order of the page."""
    inside = [number for number, text in enumerate(tree.texts) if text]
    behind = [number for number, text in enumerate(tree.tails) if text]
    raw = [tree.texts[number] or "" for number in inside] + [tree.tails[number] or "" for number in behind]
    opened, closed = np.array(inside, np.int32), np.array(behind, np.int32)
    place = np.concatenate(
        (2 * opened - elements.depths[opened] + 1, 2 * elements.ends[closed] - elements.depths[closed])
    )
    element = np.concatenate((opened, elements.parents[closed]))
    order = np.argsort(place)
    ordered = [raw[number] for number in order.tolist()]
    return _Strings(ordered, element[order], place[order], _none(len(raw)), _none(len(raw)))


def _cut_into_lines(strings: _Strings, elements: Elements, markup: Markup) -> _Strings:
    """Inside <pre> each line is a string of its own."""
    is_pre = elements.codes == markup.codes["pre"]
    pre = nearest_marked(elements, is_pre)[strings.element]
    is_inside = is_pre[pre]
    lines = [
        string.split("\n") if is_cut else [string]
        for string, is_cut in zip(strings.raw, is_inside.tolist(), strict=True)
    ]
    counts = np.array([len(parts) for parts in lines], np.int32)
    firsts = np.cumsum(counts) - counts
    is_new_line = np.ones(counts.sum(), np.bool_)
    is_new_line[firsts] = is_inside & (np.diff(pre, prepend=-1) != 0)
    cut = _Strings(
        [line for parts in lines for line in parts],
        np.repeat(strings.element, counts),
        np.repeat(strings.place, counts),
        is_new_line,
        np.repeat(is_inside, counts),
    )
    return _with_indentation(cut)


def _with_indentation(strings: _Strings) -> _Strings:
    """Where a line begins with a tag, its indentation goes to the text behind the tag."""
    raw, is_new_line = list(strings.raw), strings.is_new_line.copy()
    for number in np.flatnonzero(strings.is_preformatted[:-1] & strings.is_preformatted[1:]).tolist():
        if is_new_line[number] and not is_new_line[number + 1] and not raw[number].strip():
            raw[number], raw[number + 1] = "", raw[number] + raw[number + 1]
            is_new_line[number + 1] = True
    return strings._replace(raw=raw, is_new_line=is_new_line)


class _Blocks(NamedTuple):
    """The columns of a page that speak of its text."""

    runs: Runs
    texts: list[str]
    is_spaced: Flags
    is_new_line: Flags


def _blocks(strings: _Strings, elements: Elements, markup: Markup) -> _Blocks:
    """The strings that hold any text are the runs; runs that no border parts are a block."""
    tidied = _tidied(strings)
    is_filled = np.array([bool(text) for text in tidied], np.bool_)
    texts = [text for text in tidied if text]
    filled = np.flatnonzero(is_filled)
    runs = _Runs(strings, filled, elements, markup)
    is_new_line = strings.is_new_line[filled]
    is_spaced = is_new_line | runs.is_apart() | runs.any_before(~is_filled) | runs.has_white_space_before()
    begins = runs.is_border() if markup.mode == "block" else ~_none(len(texts))
    start: Ints = np.zeros(len(texts), np.int32)
    if not begins.all():
        texts, start = _joined(texts, begins, is_spaced)
    block = np.cumsum(begins) - 1
    return _Blocks(Runs(runs.element, runs.place, block, start), texts, is_spaced[begins], is_new_line[begins])


def _tidied(strings: _Strings) -> list[str]:
    """White space folded to one blank, but for preformatted text, which keeps it but at its end."""
    texts = [_folded(text).strip(_INVISIBLE) for text in strings.raw]
    for number in np.flatnonzero(strings.is_preformatted).tolist():
        text = strings.raw[number].rstrip()
        texts[number] = text if strings.is_new_line[number] else text.lstrip()
    if _CONTROL.search("".join(texts)):
        texts = [_CONTROL.sub("", text).rstrip() for text in texts]
    return texts


def _folded(text: str) -> str:
    """A long text piece by piece, because all its words at once take ten times its memory."""
    if len(text) <= _LONG:
        return " ".join(text.split())
    pieces = (text[begin : begin + _LONG] for begin in range(0, len(text), _LONG))
    parts = [" " * piece[0].isspace() + " ".join(piece.split()) + " " * piece[-1].isspace() for piece in pieces]
    return _BLANKS.sub(" ", "".join(parts)).strip()


class _Runs:
    """What stands between each run and the run before it."""

    def __init__(self, strings: _Strings, filled: Ints, elements: Elements, markup: Markup):
        self.raw, self.filled = strings.raw, filled
        self.element, self.place = strings.element[filled], strings.place[filled]
        self.is_new_line, self.is_preformatted = strings.is_new_line, strings.is_preformatted[filled]
        self.tables, self.codes = markup.tables, elements.codes
        self.events = tag_events(elements)
        self.tags = elements.codes[np.abs(self.events) - 1]

    def count_before(self, events: Flags) -> Ints:
        """How many of the marked tags stand between each run and the one before it."""
        return _differences(np.concatenate(([0], np.cumsum(events)))[self.place])

    def any_before(self, strings: Flags) -> Flags:
        """Is any of the marked strings at or before each run, behind the run before it?"""
        return _differences(np.cumsum(strings, dtype=np.int32)[self.filled]) > 0

    def is_apart(self) -> Flags:
        """Tags stand between that set text apart: borders of blocks, pictures, two links side by side."""
        is_side_by_side = _none(len(self.events))
        is_apart = self.tables["apart"][self.tags]
        is_side_by_side[1:] = (self.events[:-1] < 0) & (self.events[1:] > 0) & is_apart[:-1] & is_apart[1:]
        # A run behind the closing tag parts the two.
        is_side_by_side[self.place[self.place < len(self.events)]] = False
        # What colours the words of code sets nothing apart.
        is_by_side = (self.count_before(is_side_by_side) > 0) & ~self.is_preformatted
        is_parted: Flags = self.count_before(self.tables["parting"][self.tags]) > 0
        return is_parted | is_by_side

    def has_white_space_before(self) -> Flags:
        raw = [self.raw[number] for number in self.filled.tolist()]
        behind = [False, *(text[-1].isspace() for text in raw[:-1])] if raw else []
        return np.array([text[0].isspace() or gap for text, gap in zip(raw, behind, strict=True)], np.bool_)

    def is_border(self) -> Flags:
        """Does a block begin here, where only block-level tags and two or more <br> part text?"""
        tables, is_opening = self.tables, self.events > 0
        border = self.count_before(tables["class-block"][self.tags]) > 0
        border |= self.count_before(tables["line-break"][self.tags] & is_opening) > 1
        border |= self.any_before(self.is_new_line)
        is_picture = tables["picture"][self.codes[self.element]]
        border[1:] |= is_picture[1:] | is_picture[:-1]
        border[:1] = True
        return border


def _differences(counts: Ints) -> Ints:
    return np.diff(counts, prepend=0)


def _joined(texts: list[str], begins: Flags, is_spaced: Flags) -> tuple[list[str], Ints]:
    """The text of each block, and where in it each run begins."""
    pieces: list[list[str]] = []
    start, length = [], 0
    for text, is_first, gap in zip(texts, begins.tolist(), is_spaced.tolist(), strict=True):
        if is_first:
            pieces.append([text])
            length = 0
        else:
            pieces[-1].append(" " * gap)
            pieces[-1].append(text)
            length += gap
        start.append(length)
        length += len(text)
    return ["".join(parts) for parts in pieces], np.array(start, np.int32)
