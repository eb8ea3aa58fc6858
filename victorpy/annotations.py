"""Pages labeled by people: the .anno file, and its labels on the blocks that the page has today."""

import logging
import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import accumulate, pairwise
from pathlib import Path
from textwrap import shorten
from typing import NamedTuple, get_args

from victorpy.blocks import LABELS, Label, Page
from victorpy.errors import UsageError, VictorError
from victorpy.files import written_whole
from victorpy.markup import Markup, Mode
from victorpy.segment import SEGMENTER_VERSION, segment

_FORMAT = "#victorpy-anno"
_VERSION = 1
_HTML = "#html\n"
_KEYS = ("id", "url", "title", "source", "segmenter", "annotator")

_LABELS: dict[str, Label | None] = {**{label.value: label for label in LABELS}, "-": None}

# What an editor may change, hide or refuse: control characters, line separators, half surrogates.
_UNSAFE = re.compile("[\x00-\x1f\x7f-\x9f\\\\\u2028\u2029\ud800-\udfff\ufeff]")
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.?))", re.DOTALL)
_SHORT = {"\\": "\\\\", "\t": "\\t", "\r": "\\r", "\n": "\\n"}
_LONG = {short[1]: character for character, short in _SHORT.items()}

_log = logging.getLogger("victorpy")


@dataclass(frozen=True)
class Annotation:
    """A page as it was when somebody labeled it: its HTML, its blocks, and a label for each, or none yet."""

    id: str
    url: str | None
    title: str
    html: str
    texts: tuple[str, ...]
    labels: tuple[Label | None, ...]
    annotator: str = ""
    segmenter: int = SEGMENTER_VERSION
    mode: Mode = "victor"

    def __post_init__(self) -> None:
        if len(self.texts) != len(self.labels):
            raise ValueError(f"{len(self.labels)} labels for {len(self.texts)} blocks")


class Changes(NamedTuple):
    """What became of the annotated blocks; split, merged and new count the blocks that the page has today."""

    kept: int
    split: int = 0
    merged: int = 0
    new: int = 0
    lost: tuple[str, ...] = ()

    @property
    def is_none(self) -> bool:
        return not (self.split or self.merged or self.new or self.lost)

    def __str__(self) -> str:
        parts = [
            f"{self.kept} kept",
            *([f"{self.split} split from longer ones"] if self.split else []),
            *([f"{self.merged} merged from several"] if self.merged else []),
            *([f"{self.new} new and not labelled"] if self.new else []),
            *([f"{len(self.lost)} lost: {self._excerpts()}"] if self.lost else []),
        ]
        return "blocks: " + ", ".join(parts)

    def _excerpts(self) -> str:
        shown = [repr(shorten(text, 40, placeholder=" …") or text[:39] + "…") for text in self.lost[:3]]
        return ", ".join(shown + ["…"] * (len(self.lost) > 3))


def annotation_of(page: Page, html: str, labels: Sequence[Label | None], annotator: str = "") -> Annotation:
    return Annotation(
        page.id,
        page.url,
        page.title,
        html,
        tuple(page.texts),
        tuple(labels),
        annotator,
        SEGMENTER_VERSION,
        page.markup.mode,
    )


def labeled_page(annotation: Annotation, markup: Markup) -> tuple[Page, list[Label | None], Changes]:
    """Cuts the page again, and finds the label of each block by its text."""
    page = segment(annotation.html, annotation.id, annotation.url, markup)
    labels, changes = realigned(annotation.texts, annotation.labels, page.texts)
    return page, labels, changes


def read(path: str | Path) -> Annotation:
    try:
        source = Path(path).read_bytes()
    except OSError as error:
        raise UsageError(error.strerror or str(error), path) from error
    try:
        text = source.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError as error:
        raise VictorError("not UTF-8", path, source.count(b"\n", 0, error.start) + 1) from error
    return loads(text.removeprefix("\ufeff"), path)


def write(annotation: Annotation, path: str | Path) -> None:
    """Writes beside the file and renames: whatever happens, it is either the old or the new one."""
    with written_whole(Path(path).resolve()) as file:
        file.write(dumps(annotation).encode("utf-8", "surrogatepass"))


def dumps(annotation: Annotation) -> str:
    url = [] if annotation.url is None else [_header("url", annotation.url)]
    lines = [
        f"{_FORMAT} {_VERSION}\n",
        _header("id", annotation.id),
        *url,
        _header("title", annotation.title),
        _header("source", _digest(annotation.html)),
        _header("segmenter", f"{annotation.segmenter} {annotation.mode}"),
        _header("annotator", annotation.annotator),
        *(
            f"{label or '-'}\t{_escaped(text)}\n"
            for label, text in zip(annotation.labels, annotation.texts, strict=True)
        ),
    ]
    return "".join([*lines, _HTML, annotation.html])


def _header(key: str, value: str) -> str:
    return f"#{key}: {_escaped(value)}\n" if value else f"#{key}:\n"


def _digest(html: str) -> str:
    return "sha256:" + sha256(html.encode("utf-8", "surrogatepass")).hexdigest()


def _escaped(text: str) -> str:
    return _UNSAFE.sub(lambda found: _SHORT.get(found[0]) or f"\\u{ord(found[0]):04x}", text)


def loads(text: str, place: str | Path | None = None) -> Annotation:
    head, html = _sections(text, place)
    return _Reader(place).annotation(head, html)


def _sections(text: str, place: str | Path | None) -> tuple[list[str], str]:
    _check_version(text.partition("\n")[0].split(), place)
    # An editor may have turned the ends of all lines into "\r\n".
    found = re.search(r"^#html\r?(?:\n|\Z)", text, re.MULTILINE)
    if not found:
        raise VictorError("no line '#html': the labels are there, but not the page they belong to", place)
    return text[: found.start()].split("\n")[1:], text[found.end() :]


def _check_version(words: list[str], place: str | Path | None) -> None:
    if words[:1] != [_FORMAT] or len(words) != 2 or not words[1].isdecimal():
        raise VictorError(f"not an annotation: the first line is not '{_FORMAT} {_VERSION}'", place, 1)
    if int(words[1]) > _VERSION:
        raise VictorError(f"version {words[1]} of the format is newer than this victorpy reads ({_VERSION})", place, 1)


class _Reader:
    """Knows the file and the line for whatever it has to complain of."""

    def __init__(self, place: str | Path | None):
        self.place = place
        self.line = 1

    def annotation(self, lines: Iterable[str], html: str) -> Annotation:
        headers: dict[str, str] = {}
        blocks: list[tuple[Label | None, str]] = []
        for self.line, line in enumerate((line.removesuffix("\r") for line in lines), start=2):
            if line.startswith("#"):
                headers.update([self.header(line)])
            elif line:
                blocks.append(self.block(line))
        segmenter, mode = self.segmenter(headers)
        return Annotation(
            id=headers.get("id", ""),
            url=headers.get("url"),
            title=headers.get("title", ""),
            html=self.checked(html, headers),
            texts=tuple(text for _, text in blocks),
            labels=tuple(label for label, _ in blocks),
            annotator=headers.get("annotator", ""),
            segmenter=segmenter,
            mode=mode,
        )

    def error(self, message: str) -> VictorError:
        return VictorError(message, self.place, self.line)

    def header(self, line: str) -> tuple[str, str]:
        key, colon, value = line[1:].partition(":")
        if not colon or key not in _KEYS:
            raise self.error(f"'#{key}' is none of {', '.join(f'#{known}:' for known in _KEYS)}, #html")
        return key, self.unescaped(value.removeprefix(" "))

    def block(self, line: str) -> tuple[Label | None, str]:
        label, tab, text = line.partition("\t")
        if not tab:
            raise self.error("no tab between a label and its text")
        if label not in _LABELS:
            raise self.error(f"label '{label}' is none of {', '.join(_LABELS)}")
        return _LABELS[label], self.unescaped(text)

    def unescaped(self, text: str) -> str:
        return _ESCAPE.sub(self.character, text) if "\\" in text else text

    def character(self, escape: re.Match[str]) -> str:
        if escape[1]:
            return chr(int(escape[1], 16))
        if escape[2] not in _LONG:
            raise self.error(f"'{escape[0]}' stands for no character; a backslash is written '\\\\'")
        return _LONG[escape[2]]

    def segmenter(self, headers: dict[str, str]) -> tuple[int, Mode]:
        version, _, mode = headers.get("segmenter", "").partition(" ")
        for known in get_args(Mode):
            if version.isdecimal() and mode == known:
                return int(version), known
        found = f"'#segmenter: {headers['segmenter']}'" if "segmenter" in headers else "no line '#segmenter:'"
        raise VictorError(f"{found}; it would be a version and a mode, as in '#segmenter: 1 victor'", self.place)

    def checked(self, html: str, headers: dict[str, str]) -> str:
        if headers.get("source", _digest(html)) != _digest(html):
            _log.warning("%s: the HTML has changed since it was annotated", self.place or "annotation")
        return html


def realigned(
    texts: Sequence[str], labels: Sequence[Label | None], today: Sequence[str]
) -> tuple[list[Label | None], Changes]:
    """The labels for the texts of today, and what became of the blocks."""
    if list(texts) == list(today):
        return list(labels), Changes(kept=len(labels))
    shared = _shared(texts, today)
    sources: list[list[int]] = [[] for _ in today]
    pieces: list[list[int]] = [[] for _ in texts]
    for then, now in shared:
        sources[now].append(then)
        pieces[then].append(now)
    found = [_inherited([(labels[then], pieces[then][0] == now) for then in sources[now]]) for now in range(len(today))]
    return found, _changes(texts, sources, pieces)


def _inherited(parts: list[tuple[Label | None, bool]]) -> Label | None:
    """The label of a block that consists of these labeled blocks, or of later pieces of them."""
    for label, is_beginning in parts:
        if label and label.is_content:
            return label if is_beginning else Label.CONTINUATION
    return Label.OTHER if parts and all(label for label, _ in parts) else None


def _changes(texts: Sequence[str], sources: list[list[int]], pieces: list[list[int]]) -> Changes:
    is_split = [len(then) == 1 and len(pieces[then[0]]) > 1 for then in sources]
    merged = sum(len(then) > 1 for then in sources)
    new = sum(not then for then in sources)
    return Changes(
        kept=len(sources) - sum(is_split) - merged - new,
        split=sum(is_split),
        merged=merged,
        new=new,
        lost=tuple(text for text, now in zip(texts, pieces, strict=True) if not now),
    )


class _Stretch(NamedTuple):
    """`length` characters that are the same in both texts."""

    old: int
    new: int
    length: int


def _shared(texts: Sequence[str], today: Sequence[str]) -> list[tuple[int, int]]:
    """Pairs of an old and a new block where one of them is, for the most part, in the other."""
    old, new = [_squeezed(text) for text in texts], [_squeezed(text) for text in today]
    common: Counter[tuple[int, int]] = Counter()
    old_ends, new_ends = list(accumulate(map(len, old))), list(accumulate(map(len, new)))
    for stretch in _stretches("".join(old), "".join(new)):
        common.update(dict(_cut(stretch, old_ends, new_ends)))
    return [(then, now) for (then, now), count in common.items() if 2 * count >= min(len(old[then]), len(new[now]))]


def _squeezed(text: str) -> str:
    return "".join(text.split())


def _cut(stretch: _Stretch, old_ends: list[int], new_ends: list[int]) -> Iterator[tuple[tuple[int, int], int]]:
    """The stretch cut at the borders of both sides' blocks: which blocks share how many characters."""
    done = 0
    then, now = bisect_right(old_ends, stretch.old), bisect_right(new_ends, stretch.new)
    while done < stretch.length:
        old_end, new_end = old_ends[then] - stretch.old, new_ends[now] - stretch.new
        end = min(old_end, new_end, stretch.length)
        if end > done:
            yield (then, now), end - done
        done = end
        then += old_end == end
        now += new_end == end


def _stretches(old: str, new: str) -> list[_Stretch]:
    """What both have in common in the same order: found from long strings that each has once, then from shorter ones
    in the gaps between (the idea of Bram Cohen's patience diff)."""
    if old == new:
        return [_Stretch(0, 0, len(old))]
    begin, end = _Stretch(0, 0, 0), _Stretch(len(old), len(new), 0)
    stretches = [begin, end]
    for size in (32, 8):
        wider = [begin]
        for left, right in pairwise(stretches):
            wider += (*_between(old, new, left, right, size), right)
        stretches = wider
    return stretches


def _between(old: str, new: str, left: _Stretch, right: _Stretch, size: int) -> list[_Stretch]:
    then, now = left.old + left.length, left.new + left.length
    inside = _common(old[then : right.old], new[now : right.new], size)
    return [_Stretch(then + stretch.old, now + stretch.new, stretch.length) for stretch in inside]


def _common(old: str, new: str, size: int) -> list[_Stretch]:
    """Beginning, end and anchors, each grown to both sides as far as the texts are alike."""
    stretches = []
    then = now = 0
    for place, counterpart in [(0, 0), *_anchors(old, new, size), (len(old), len(new))]:
        if place >= then and counterpart >= now:
            back = _alike(old[then:place][::-1], new[now:counterpart][::-1], 0, 0)
            length = back + _alike(old, new, place, counterpart)
            then, now = place - back + length, counterpart - back + length
            stretches.append(_Stretch(then - length, now - length, length))
    return stretches


def _alike(old: str, new: str, then: int, now: int) -> int:
    """For how many characters both go on alike."""
    longest = min(len(old) - then, len(new) - now)
    return next((count for count in range(longest) if old[then + count] != new[now + count]), longest)


def _anchors(old: str, new: str, size: int) -> list[tuple[int, int]]:
    """Where strings of this size stand that each side has once, those that are in the same order."""
    there = _once(new, size)
    here = _once(old, size) if there else {}
    return _rising([(place, there[string]) for string, place in here.items() if string in there])


def _once(text: str, size: int) -> dict[str, int]:
    """Where each string of this size begins that does not come again."""
    places: dict[str, int] = {}
    again = set()
    for place in range(len(text) - size + 1):
        string = text[place : place + size]
        if places.setdefault(string, place) != place:
            again.add(string)
    return {string: place for string, place in places.items() if string not in again}


def _rising(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest choice of the pairs, given by their first number, in which the second rises too."""
    tops: list[int] = []
    chosen: list[int] = []
    before: list[int] = []
    for number, (_, now) in enumerate(pairs):
        rank = bisect_left(tops, now)
        before.append(chosen[rank - 1] if rank else -1)
        tops[rank : rank + 1] = [now]
        chosen[rank : rank + 1] = [number]
    rising = []
    number = chosen[-1] if chosen else -1
    while number >= 0:
        rising.append(pairs[number])
        number = before[number]
    return rising[::-1]
