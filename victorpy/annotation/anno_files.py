"""Annotated pages: the .anno file, and its labels on the current blocks of the page."""

import logging
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple, Protocol, get_args

from victorpy.annotation.realignment import Changes, realigned
from victorpy.errors import UsageError, VictorError
from victorpy.foundation.files import read_bytes, written_whole
from victorpy.page.blocks import LABELS, Label, Page
from victorpy.page.markup import BLOCKS, STANDARD, Markup, Mode
from victorpy.page.segment import SEGMENTER_VERSION, segment

_FORMAT = "#victorpy-anno"
_VERSION = 1
_HTML = "#html\n"
_KEYS = ("id", "url", "title", "source", "segmenter", "annotator")
_FLAG = "#flag:"

_LABELS: dict[str, Label | None] = {**{label.value: label for label in Label}, "-": None}

# Characters that an editor may change, hide or refuse: control characters, line separators, half surrogates.
_UNSAFE = re.compile("[\x00-\x1f\x7f-\x9f\\\\\u2028\u2029\ud800-\udfff\ufeff]")
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.?))", re.DOTALL)
_SHORT = {"\\": "\\\\", "\t": "\\t", "\r": "\\r", "\n": "\\n"}
_LONG = {short[1]: character for character, short in _SHORT.items()}

# Python refuses to parse numbers of thousands of digits.
_NUMBER = re.compile(r"\d{1,9}")

_log = logging.getLogger("victorpy")


class AnnotatedPage(NamedTuple):
    """A page with one label per block (None for an unlabeled block), and its weight in training.

    To a network, a page of weight 2 counts twice; the CRF ignores weights. `kinds_weight` is for networks, too: it is
    the weight of the kind of a content block. `scopes` are those that the labels are right for, if that is known.
    `fields` says of some fields which blocks they are, whatever their labels; None where that is not known. A network
    learns them besides the labels. `suits` is the scope that suits the page where none is asked for, if known.
    """

    page: Page
    labels: Sequence[Label | None]
    weight: float = 1.0
    kinds_weight: float = 1.0
    scopes: tuple[str, ...] = ()
    fields: Mapping[Label, Sequence[bool | None]] = {}
    suits: str = ""

    def known_as(self, labels: Collection[Label]) -> "AnnotatedPage":
        """The page with each other label replaced by its base."""
        return self._replace(labels=_with_known(self.labels, labels))


class PageTexts(Protocol):
    """What an annotation keeps of a page besides its HTML."""

    @property
    def id(self) -> str: ...
    @property
    def url(self) -> str | None: ...
    @property
    def title(self) -> str: ...
    @property
    def texts(self) -> Sequence[str]: ...
    @property
    def markup(self) -> Markup: ...


@dataclass(frozen=True)
class Annotation:
    """A page as it was annotated: its HTML, its blocks, and one label or None for each.

    `flags` are the blocks that the annotator flagged, each with a note, which may be empty.
    """

    id: str
    url: str | None
    title: str
    html: str
    texts: tuple[str, ...]
    labels: tuple[Label | None, ...]
    annotator: str = ""
    segmenter: int = SEGMENTER_VERSION
    mode: Mode = "victor"
    flags: Mapping[int, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if len(self.texts) != len(self.labels):
            raise ValueError(f"{len(self.labels)} labels for {len(self.texts)} blocks")


def annotation_of(
    page: PageTexts,
    html: str,
    labels: Sequence[Label | None],
    annotator: str = "",
    flags: Mapping[int, str] | None = None,
) -> Annotation:
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
        dict(sorted((flags or {}).items())),
    )


def labeled_page(
    annotation: Annotation, markup: Markup, known: Collection[Label] = LABELS
) -> tuple[Page, list[Label | None], Changes]:
    """Segment the page again and find each block's label by its text; a label not in `known` becomes its base."""
    page = segment(annotation.html, annotation.id, annotation.url, markup)
    found, changes = realigned(annotation.texts, annotation.labels, page.texts)
    return page, _with_known(found, known), changes


def page_as_annotated(
    annotation: Annotation, known: Collection[Label] = LABELS
) -> tuple[Page, list[Label | None], Changes]:
    """The page with the blocks that it had: the file does not say which tags the config deleted, but the blocks do."""
    usual = (replace(markup, mode=annotation.mode) for markup in (STANDARD, BLOCKS))
    found = []
    for markup in usual:
        found.append(labeled_page(annotation, markup, known))
        if found[-1][2].is_none:
            break
    return max(found, key=lambda one: one[2].kept)


def _with_known(labels: Iterable[Label | None], known: Collection[Label]) -> list[Label | None]:
    return [label if label is None or label in known else label.base for label in labels]


def read(path: str | Path) -> Annotation:
    try:
        source = read_bytes(Path(path))
    except OSError as error:
        raise UsageError(error.strerror or str(error), path) from error
    try:
        text = source.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError as error:
        raise VictorError("not UTF-8", path, source.count(b"\n", 0, error.start) + 1) from error
    return loads(text.removeprefix("\ufeff"), path)


def write(annotation: Annotation, path: str | Path) -> None:
    """Write beside the file and rename, so that it is always complete."""
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
        *(_block_lines(annotation, block) for block in range(len(annotation.texts))),
    ]
    return "".join([*lines, _HTML, annotation.html])


def _block_lines(annotation: Annotation, block: int) -> str:
    """The line of a block, and that of its flag."""
    line = f"{annotation.labels[block] or '-'}\t{_escaped(annotation.texts[block])}\n"
    return line + _header("flag", annotation.flags[block]) if block in annotation.flags else line


def _header(key: str, value: str) -> str:
    return f"#{key}: {_escaped(value)}\n" if value else f"#{key}:\n"


def _digest(html: str) -> str:
    return "sha256:" + sha256(html.encode("utf-8", "surrogatepass")).hexdigest()


def _escaped(text: str) -> str:
    return _UNSAFE.sub(lambda found: _SHORT.get(found[0]) or f"\\u{ord(found[0]):04x}", text)


def loads(text: str, place: str | Path | None = None) -> Annotation:
    head, html = _sections(text, place)
    return _AnnoParser(place).annotation(head, html)


def _sections(text: str, place: str | Path | None) -> tuple[list[str], str]:
    _check_version(text.partition("\n")[0].split(), place)
    # An editor may have changed all line ends to "\r\n".
    found = re.search(r"^#html\r?(?:\n|\Z)", text, re.MULTILINE)
    if not found:
        raise VictorError("no line '#html': the page itself is missing", place)
    return text[: found.start()].split("\n")[1:], text[found.end() :]


def _check_version(words: list[str], place: str | Path | None) -> None:
    if words[:1] != [_FORMAT] or len(words) != 2 or not _NUMBER.fullmatch(words[1]):
        raise VictorError(f"not an annotation: expected '{_FORMAT} {_VERSION}' in the first line", place, 1)
    if int(words[1]) > _VERSION:
        raise VictorError(
            f"format version {words[1]} is newer than this victorpy reads ({_VERSION}): update victorpy", place, 1
        )


class _AnnoParser:
    """Parses the lines; errors name the file and the line."""

    def __init__(self, place: str | Path | None):
        self.place = place
        self.line = 1

    def annotation(self, lines: Iterable[str], html: str) -> Annotation:
        headers: dict[str, str] = {}
        blocks: list[tuple[Label | None, str]] = []
        flags: dict[int, str] = {}
        for self.line, line in enumerate((line.removesuffix("\r") for line in lines), start=2):
            if line.startswith(_FLAG):
                flags.update([self.flag(line, len(blocks) - 1)])
            elif line.startswith("#"):
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
            flags=flags,
        )

    def error(self, message: str) -> VictorError:
        return VictorError(message, self.place, self.line)

    def header(self, line: str) -> tuple[str, str]:
        key, colon, value = line[1:].partition(":")
        if not colon or key not in _KEYS:
            raise self.error(f"expected one of {', '.join(f'#{known}:' for known in _KEYS)}, #html, got '#{key}'")
        return key, self.unescaped(value.removeprefix(" "))

    def flag(self, line: str, block: int) -> tuple[int, str]:
        if block < 0:
            raise self.error("a flag stands behind the line of its block, and here is no block yet")
        return block, self.unescaped(line.removeprefix(_FLAG).removeprefix(" "))

    def block(self, line: str) -> tuple[Label | None, str]:
        label, tab, text = line.partition("\t")
        if not tab:
            raise self.error("expected a tab between a label and its text")
        if label not in _LABELS:
            raise self.error(f"expected a label ({', '.join(_LABELS)}), got '{label}'")
        return _LABELS[label], self.unescaped(text)

    def unescaped(self, text: str) -> str:
        return _ESCAPE.sub(self.character, text) if "\\" in text else text

    def character(self, escape: re.Match[str]) -> str:
        if escape[1]:
            return chr(int(escape[1], 16))
        if escape[2] not in _LONG:
            raise self.error(f"unknown escape '{escape[0]}'; write a backslash as '\\\\'")
        return _LONG[escape[2]]

    def segmenter(self, headers: dict[str, str]) -> tuple[int, Mode]:
        version, _, mode = headers.get("segmenter", "").partition(" ")
        for known in get_args(Mode):
            if _NUMBER.fullmatch(version) and mode == known:
                return int(version), known
        found = f"'#segmenter: {headers['segmenter']}'" if "segmenter" in headers else "no line '#segmenter:'"
        raise VictorError(f"{found}: expected a version and a mode, as in '#segmenter: 1 victor'", self.place)

    def checked(self, html: str, headers: dict[str, str]) -> str:
        # An editor may change the ends of all lines, including the last.
        plain = html.replace("\r\n", "\n")
        as_edited = (html, html.removesuffix("\n"), plain, plain.removesuffix("\n"))
        if "source" in headers and headers["source"] not in map(_digest, as_edited):
            _log.warning("%s: the HTML has changed since it was annotated", self.place or "annotation")
        return html
