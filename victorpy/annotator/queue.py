"""The pages of a folder, and how far each of them is labeled."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from victorpy.annotator import journal as journals
from victorpy.annotator.store import journal_of
from victorpy.digests import digest
from victorpy.errors import UsageError
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
    labels = _left(anno) or list(_saved(anno))
    labeled = sum(labels)
    state: State = "started" if labeled else "open"
    if labeled == len(labels) and anno.exists():
        state = "done"
    return Entry(id, source, anno, state, labeled, len(labels))


def _left(anno: Path) -> list[bool]:
    """Which blocks have a label by a journal that goes on from the file as it is."""
    try:
        left = journals.read(journal_of(anno).read_bytes())
        is_its = left is not None and (not anno.exists() or left.base == digest([anno.read_bytes()]))
    except OSError:
        return []
    return [label is not None for label in left.after] if left and is_its else []


def _saved(anno: Path) -> Iterator[bool]:
    """Which blocks of the file have a label; a broken file is told of when it is opened."""
    try:
        with anno.open("rb") as file:
            for line in file:
                if line.startswith(b"#html"):
                    return
                label, tab, _ = line.partition(b"\t")
                if tab and not line.startswith(b"#"):
                    yield label != b"-"
    except OSError:
        return


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
