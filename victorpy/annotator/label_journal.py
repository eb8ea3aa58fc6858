"""The journal beside an .anno file: the labels when the page was opened, and every change since."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from victorpy.annotation.realignment import realigned
from victorpy.page.blocks import Label

_VERSION = 1

Labels = Sequence[Label | None]


class LabelChange(NamedTuple):
    """New labels from block `first` on, and the new place of the cursor; no labels if only the cursor moved."""

    first: int
    labels: Labels
    cursor: int

    def line(self) -> bytes:
        return _line([self.first, list(self.labels), self.cursor])


class FlagChange(NamedTuple):
    """The note of a block from now on; None without a flag."""

    block: int
    note: str | None

    def line(self) -> bytes:
        return _line({"flag": [self.block, self.note]})


class LabelJournal(NamedTuple):
    """The content of a journal; `base` is the digest of the file that it continues, `flags` are those that changed."""

    base: str
    process: int
    texts: Sequence[str]
    before: Labels
    after: Labels
    cursor: int
    is_whole: bool = True
    flags: Mapping[int, str | None] = {}


class Recovery(NamedTuple):
    """The labels and flags after a journal is applied, with counts of recovered and refused labels."""

    labels: Labels
    recovered: int
    refused: int
    cursor: int
    flags: Mapping[int, str] = {}


def first_line(base: str, process: int, texts: Sequence[str], labels: Labels, cursor: int) -> bytes:
    """The first line; without texts, it keeps the cursor only."""
    return _line(
        {
            "victorpy-journal": _VERSION,
            "base": base,
            "process": process,
            "cursor": cursor,
            "labels": list(labels),
            "texts": list(texts),
        }
    )


def _line(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode() + b"\n"


def read(content: bytes) -> LabelJournal | None:
    """The journal up to its first damaged line; None if the first line of all is damaged."""
    # A last line without its end was cut off while it was written: its key was never acknowledged.
    first, *lines = content.split(b"\n")[:-1] or [b""]
    try:
        return _replayed(_parsed_header(json.loads(first)), lines)
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError):
        return None


def _parsed_header(header: dict[str, Any]) -> LabelJournal:
    texts, labels = header["texts"], _labels(header["labels"])
    is_valid = header["victorpy-journal"] == _VERSION and len(labels) == len(texts)
    if not is_valid or not all(isinstance(text, str) for text in (header["base"], *texts)):
        raise ValueError(header)
    return LabelJournal(header["base"], int(header["process"]), texts, labels, labels, int(header["cursor"]))


def _replayed(journal: LabelJournal, lines: Iterable[bytes]) -> LabelJournal:
    after, cursor, flags = list(journal.after), journal.cursor, dict[int, str | None]()
    for line in lines:
        try:
            change = _change(line, len(after))
        except (ValueError, TypeError, KeyError, OverflowError, RecursionError):
            return journal._replace(after=after, cursor=cursor, is_whole=False, flags=flags)
        if isinstance(change, FlagChange):
            flags[change.block] = change.note
            continue
        after[change.first : change.first + len(change.labels)] = change.labels
        cursor = change.cursor
    return journal._replace(after=after, cursor=cursor, flags=flags)


def _change(line: bytes, blocks: int) -> LabelChange | FlagChange:
    value = json.loads(line)
    if isinstance(value, dict):
        block, note = value["flag"]
        return _flag_change(block, note, blocks)
    first, labels, cursor = value
    if labels and not 0 <= first <= blocks - len(labels):
        raise ValueError(line)
    return LabelChange(first, _labels(labels), int(cursor))


def _flag_change(block: int, note: str | None, blocks: int) -> FlagChange:
    if not 0 <= block < blocks or not (note is None or isinstance(note, str)):
        raise ValueError(block)
    return FlagChange(block, note)


def _labels(names: Iterable[str | None]) -> list[Label | None]:
    return [Label(name) if name else None for name in names]


def recovery(journal: LabelJournal, texts: Sequence[str], theirs: Labels) -> Recovery:
    """Apply a journal to the labels of the file; labels that others changed since stay."""
    before, _ = realigned(journal.texts, journal.before, texts)
    ours, changes = realigned(journal.texts, journal.after, texts)
    labels = [_merged(*three) for three in zip(before, ours, theirs, strict=True)]
    gone = set(changes.lost)
    lost = sum(
        old != new and text in gone for old, new, text in zip(journal.before, journal.after, journal.texts, strict=True)
    )
    return Recovery(
        labels,
        recovered=sum(old != new for old, new in zip(theirs, labels, strict=True)),
        refused=lost + sum(_is_refused(*three) for three in zip(before, ours, theirs, strict=True)),
        cursor=_place(journal, texts),
    )


def _merged(before: Label | None, ours: Label | None, theirs: Label | None) -> Label | None:
    return ours if theirs == before else theirs


def _is_refused(before: Label | None, ours: Label | None, theirs: Label | None) -> bool:
    return ours not in (before, theirs) and theirs != before


def _place(journal: LabelJournal, texts: Sequence[str]) -> int:
    """The nearest block with the text that was under the cursor."""
    cursor = journal.cursor
    if 0 <= cursor < len(journal.texts):
        same = [number for number, text in enumerate(texts) if text == journal.texts[cursor]]
        cursor = min(same, key=lambda number: abs(number - cursor), default=cursor)
    return max(0, min(cursor, len(texts) - 1))
