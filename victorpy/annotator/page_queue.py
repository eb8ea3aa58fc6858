"""The pages of a folder, and how far each of them is labeled."""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Literal, NamedTuple

from victorpy.annotator import label_journal as journals
from victorpy.annotator.label_store import journal_of
from victorpy.errors import UsageError
from victorpy.foundation.digests import digest
from victorpy.sources import ANNOTATION_SUFFIXES, SUFFIXES, Suffixes, find_pages

State = Literal["open", "started", "done"]


class Entry(NamedTuple):
    """A page to label, where its labels go, and how many blocks have one; no blocks are known before it is opened."""

    id: str
    source: Path | None
    anno: Path
    state: State
    labeled: int
    blocks: int


def entries(folder: Path, annos: Path | None = None) -> list[Entry]:
    """The pages and the .anno files of a folder; those of pages may lie in a folder of their own."""
    pages = _found(folder, SUFFIXES)
    alone = {} if annos else _found(folder, ANNOTATION_SUFFIXES)
    if not pages and not alone:
        find_pages([str(folder)])  # says what is missing
    ids = sorted(pages.keys() | alone.keys(), key=lambda id: id.split("/"))
    return [_entry(id, pages.get(id), alone.get(id) or Path(annos or folder, f"{id}.anno")) for id in ids]


def _found(folder: Path, suffixes: Suffixes) -> dict[str, Path]:
    if not folder.is_dir():
        raise UsageError("no such folder", folder)
    try:
        return {location.id: Path(location.path) for location in find_pages([str(folder)], suffixes)}
    except UsageError:
        return {}


def _entry(id: str, source: Path | None, anno: Path) -> Entry:
    saved = _saved(anno)
    labels = _left(anno) or saved or []
    is_done = saved is not None and all(labels)
    state: State = "done" if is_done else "started" if any(labels) else "open"
    return Entry(id, source, anno, state, sum(labels), len(labels))


def _left(anno: Path) -> list[bool]:
    """Which blocks have a label by a journal that goes on from the file as it is."""
    try:
        left = journals.read(journal_of(anno).read_bytes())
        is_its = left is not None and (not anno.exists() or left.base == digest([anno.read_bytes()]))
    except OSError:
        return []
    return [label is not None for label in left.after] if left and is_its else []


def _saved(anno: Path) -> list[bool] | None:
    """Which blocks of the file have a label; None if there is none, or a broken one, of which opening it will tell."""
    labels: list[bool] = []
    with suppress(OSError), anno.open("rb") as file:
        for line in file:
            if line.startswith(b"#html"):
                return labels
            label, tab, _ = line.partition(b"\t")
            if tab and not line.startswith(b"#"):
                labels.append(label != b"-")
    return None


def where_left(entries: Sequence[Entry]) -> int:
    """The number of the page worked on last, or, where that is done, of the next that is not."""
    times = [_worked_on(entry.anno) for entry in entries]
    last = max(range(len(entries)), key=lambda number: (times[number], number), default=0) if any(times) else 0
    order = [*range(last, len(entries)), *range(last)]
    return next((number for number in order if entries[number].state != "done"), last)


def _worked_on(anno: Path) -> int:
    return max(_changed(anno), _changed(journal_of(anno)))


def _changed(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0
