"""HTML → Page: the elements as arrays, and the text between tags cut into blocks."""

import re
from functools import lru_cache
from itertools import compress, repeat
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from victorpy.blocks import Elements, Flags, Ints, Page, Runs, nearest_marked, tag_places
from victorpy.markup import ROLE_CODES, STANDARD, Markup
from victorpy.parse import Tree, parse
from victorpy.references import unescaped

Bits = NDArray[np.uint8]

# Counts up whenever the same page would come out in other blocks.
SEGMENTER_VERSION = 1

_WRAPPER = re.compile(rb'\s*<text\s+id="(?P<url>[^"]*)"(?:\s+title="(?P<title>[^"]*)")?[^>]*>', re.I)

# Blanks, joiners, marks of order and of direction: alone they are no text.
_INVISIBLE = " \u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"

# Neither white space nor anything that a text may hold.
_CONTROL = re.compile("[\x00-\x08\x0e-\x1b\x7f]+")

_CONTROLS = bytes(code for code in range(0x80) if _CONTROL.match(chr(code)))

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
    if (elements.codes == markup.codes["pre"]).any():
        strings = _cut_into_lines(strings, elements, markup)
    blocks = _blocks(strings, elements, markup)
    return Page(id, url, title, markup, elements, *blocks, attributes=tree.attributes)


def _attribute(value: bytes) -> str:
    return " ".join(unescaped(value.decode("utf-8", "replace")).split())


def _elements(tree: Tree, markup: Markup) -> Elements:
    code_of = markup.codes.get
    children = np.array(tree.children, np.int64)
    ends = _ends(children)
    depths = _depths(ends)
    return Elements(
        tags=tree.tags,
        codes=np.fromiter(map(code_of, tree.tags, repeat(0)), np.int16, len(tree.tags)),
        parents=_parents(depths, children),
        depths=depths,
        ends=ends,
        lines=np.array(tree.lines, np.int32),
        roles=_roles(tree),
    )


def _roles(tree: Tree) -> NDArray[np.int8]:
    """Most elements have none."""
    codes = np.zeros(len(tree.roles), np.int8)
    for number in compress(range(len(codes)), tree.roles):
        codes[number] = ROLE_CODES.get(tree.roles[number] or "", 0)
    return codes


def _ends(children: Ints) -> Ints:
    """Behind its descendants each element ends: where first fewer elements are to come than when it began."""
    count = len(children)
    to_come = np.zeros(count + 1, np.int64)
    np.cumsum(children, out=to_come[1:])
    to_come -= np.arange(count + 1)
    ordered, shift = _ordered(to_come)
    # In order, which is sought for much faster.
    found = ordered.take(ordered.searchsorted(ordered - (1 << shift)))
    ends = np.empty(count + 1, np.int32)
    ends[_numbers(ordered, shift)] = _numbers(found, shift)
    return ends[:-1]


def _ordered(values: Ints) -> tuple[Ints, int]:
    """The values in order, each with its place in the lower bits: how many bits that are is told as well."""
    shift = len(values).bit_length()
    keys = values.astype(np.int64) << shift
    keys |= np.arange(len(values))
    keys.sort()
    return keys, shift


def _numbers(ordered: Ints, shift: int) -> Ints:
    numbers: Ints = ordered & ((1 << shift) - 1)
    return numbers


def _depths(ends: Ints) -> Ints:
    """Of the elements before each all but those that have ended."""
    ended = np.bincount(ends)[:-1].cumsum()
    return np.arange(len(ends), dtype=np.int32) - ended.astype(np.int32)


def _parents(depths: Ints, children: Ints) -> Ints:
    """Depth by depth, the elements are the children of those of the depth before."""
    order = _numbers(*_ordered(depths))
    parents = np.zeros(len(depths), np.int32)
    parents[order[1:]] = order.repeat(children.take(order))
    return parents


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
    opening, closing = tag_places(elements)
    count = len(opening)
    behind_tags, around = np.empty(2 * count, object), np.empty(2 * count, np.int32)
    # Not from the lists themselves, in each item of which numpy would look for more lists.
    behind_tags[opening] = np.fromiter(tree.texts, object, count)
    behind_tags[closing] = np.fromiter(tree.tails, object, count)
    around[opening], around[closing] = np.arange(count), elements.parents
    place = np.flatnonzero(behind_tags)
    raw: list[str] = behind_tags.take(place).tolist()
    return _Strings(raw, around.take(place), place.astype(np.int32) + np.int32(1), _none(len(raw)), _none(len(raw)))


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
    texts = [*filter(None, tidied)]
    is_filled = np.fromiter(map(bool, tidied), np.bool_, len(tidied))
    runs = _Runs(strings, np.flatnonzero(is_filled), elements, markup)
    is_new_line = strings.is_new_line[runs.filled]
    is_spaced = runs.are_after_white_space(is_new_line | runs.is_apart() | runs.any_before(~is_filled))
    begins = ~_none(len(texts)) if markup.mode == "victor" else runs.is_border(_BREAKS[markup.mode])
    start: Ints = np.zeros(len(texts), np.int32)
    if not begins.all():
        texts, start = _joined(texts, begins, is_spaced)
    block = np.cumsum(begins) - 1
    return _Blocks(Runs(runs.element, runs.place, block, start), texts, is_spaced[begins], is_new_line[begins])


def _tidied(strings: _Strings) -> list[str]:
    """White space folded to one blank, but for preformatted text, which keeps it but at its end."""
    # Most strings are white space alone, as strip tells at once; and what is tidy already is not taken apart.
    texts = [
        text if not text or (text.isprintable() and "  " not in text) else _without_controls(_folded(text))
        for text in map(str.strip, strings.raw)
    ]
    for number in np.flatnonzero(strings.is_preformatted).tolist():
        text = strings.raw[number].rstrip()
        texts[number] = _without_controls(text if strings.is_new_line[number] else text.lstrip())
    return texts


def _without_controls(text: str) -> str:
    """Whether there are any is told ten times as fast as by the expression."""
    written = text.encode("utf-8", "surrogatepass")
    has_any = len(written.translate(None, _CONTROLS)) < len(written)
    return _CONTROL.sub("", text).rstrip() if has_any else text


def _folded(text: str) -> str:
    """White space to one blank, none at the ends.

    A long text goes piece by piece, because all its words at once take ten times its memory.
    """
    if len(text) <= _LONG:
        folded = " ".join(text.split())
        return folded if folded.isascii() else folded.strip(_INVISIBLE)
    pieces = (text[begin : begin + _LONG] for begin in range(0, len(text), _LONG))
    parts = [" " * piece[0].isspace() + " ".join(piece.split()) + " " * piece[-1].isspace() for piece in pieces]
    return _BLANKS.sub(" ", "".join(parts)).strip(_INVISIBLE)


# So many <br> in a row end a block.
_BREAKS = {"block": 2, "line": 1}

# What a tag may be to the text around it: a bit each.
_APART, _PARTING, _BLOCK, _BREAK = 1, 2, 4, 8
_CLOSING = 16


@lru_cache
def _bits(markup: Markup) -> Bits:
    """What each tag is, by its code."""
    tables = markup.tables
    names = {_APART: "apart", _PARTING: "parting", _BLOCK: "class-block", _BREAK: "line-break"}
    bits: Bits = np.bitwise_or.reduce([tables[name] * np.uint8(bit) for bit, name in names.items()], dtype=np.uint8)
    return bits


class _Runs:
    """What stands between each run and the run before it."""

    def __init__(self, strings: _Strings, filled: Ints, elements: Elements, markup: Markup):
        self.raw = [*map(strings.raw.__getitem__, filled.tolist())]
        self.filled = filled
        self.element, self.place = strings.element[filled], strings.place[filled]
        self.is_new_line, self.is_preformatted = strings.is_new_line, strings.is_preformatted[filled]
        self.is_picture = markup.tables["picture"][elements.codes[self.element]]
        self.tags = self._tags(elements, _bits(markup).take(elements.codes))
        self.bits = self._bits_before()

    def _tags(self, elements: Elements, bits: Bits) -> Bits:
        """All tags in the order in which they stand; apart are only those that stand side by side."""
        opening, closing = tag_places(elements)
        tags = np.zeros(2 * len(bits) + 1, np.uint8)
        tags[opening], tags[closing] = bits, bits | np.uint8(_CLOSING)
        is_apart = (tags & _APART) != 0
        is_closing = tags >= _CLOSING
        is_side_by_side = is_closing[:-1] & is_apart[:-1] & is_apart[1:] & ~is_closing[1:]
        tags[1:] &= np.where(is_side_by_side, np.uint8(0xFF), np.uint8(~_APART & 0xFF))
        tags[0] &= ~_APART & 0xFF
        # A run behind the closing tag parts the two.
        tags[self.place] &= ~_APART & 0xFF
        return tags

    def _bits_before(self) -> Bits:
        """All that the tags are that stand between each run and the one before it."""
        borders = np.zeros(len(self.place) + 1, np.int32)
        borders[1:] = self.place
        bits: Bits = np.bitwise_or.reduceat(self.tags, borders)[:-1]
        bits[borders[1:] == borders[:-1]] = 0
        return bits

    def any_before(self, strings: Flags) -> Flags:
        """Is any of the marked strings at or before each run, behind the run before it?"""
        return _differences(np.cumsum(strings, dtype=np.int32)[self.filled]) > 0

    def is_apart(self) -> Flags:
        """Tags stand between that set text apart: borders of blocks, pictures, two links side by side."""
        # What colours the words of code sets nothing apart.
        is_by_side: Flags = ((self.bits & _APART) != 0) & ~self.is_preformatted
        is_parted: Flags = (self.bits & _PARTING) != 0
        return is_parted | is_by_side

    def are_after_white_space(self, is_spaced: Flags) -> Flags:
        """Those that are known to be spaced, and those that begin with white space, or the run before ends with it."""
        # Most are known.
        for number in np.flatnonzero(~is_spaced).tolist():
            is_spaced[number] = self.raw[number][0].isspace() or (number > 0 and self.raw[number - 1][-1].isspace())
        return is_spaced

    def is_border(self, breaks: int) -> Flags:
        """Does a block begin here, where only block-level tags and so many <br> part text?"""
        border: Flags = (self.bits & _BLOCK) != 0
        border |= self._line_breaks() >= breaks
        if self.is_new_line.any():
            border |= self.any_before(self.is_new_line)
        border[1:] |= self.is_picture[1:] | self.is_picture[:-1]
        border[:1] = True
        return border

    def _line_breaks(self) -> Ints:
        """How many stand between each run and the one before it."""
        breaks = np.flatnonzero((self.tags & (_BREAK | _CLOSING)) == _BREAK)
        return _differences(breaks.searchsorted(self.place))


def _differences(counts: Ints) -> Ints:
    differences = counts.copy()
    differences[1:] -= counts[:-1]
    return differences


def _joined(texts: list[str], begins: Flags, is_spaced: Flags) -> tuple[list[str], Ints]:
    """The text of each block, and where in it each run begins."""
    firsts = np.flatnonzero(begins)
    sizes = np.append(firsts, len(texts))[1:] - firsts
    is_gap = is_spaced & ~begins
    lengths = np.fromiter(map(len, texts), np.int32, len(texts))
    starts = np.cumsum(lengths + is_gap, dtype=np.int32) - lengths
    pieces = texts.copy()
    for number in np.flatnonzero(is_gap).tolist():
        pieces[number] = " " + texts[number]
    blocks = [*map(texts.__getitem__, firsts.tolist())]
    # Most blocks are a single run.
    several = np.flatnonzero(sizes > 1)
    for block, first, size in zip(several.tolist(), firsts[several].tolist(), sizes[several].tolist(), strict=True):
        blocks[block] = "".join(pieces[first : first + size])
    return blocks, starts - starts.take(firsts).repeat(sizes)
