"""The queue of pages to label, and how many blocks of each have labels."""

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


class QueuedPage(NamedTuple):
    """A page to label, its .anno file, and the number of labeled blocks; `blocks` is 0 before it is opened."""

    id: str
    source: Path | None
    anno: Path
    state: State
    labeled: int
    blocks: int


def queued_pages(folder: Path, annos: Path | None = None) -> list[QueuedPage]:
    """The pages and the .anno files of a folder; `annos` is another folder for the .anno files."""
    pages = _found(folder, SUFFIXES)
    alone = {} if annos else _found(folder, ANNOTATION_SUFFIXES)
    if not pages and not alone:
        find_pages([str(folder)])  # raises the error that says what is missing
    ids = sorted(pages.keys() | alone.keys(), key=lambda id: id.split("/"))
    return [_queued(id, pages.get(id), alone.get(id) or Path(annos or folder, f"{id}.anno")) for id in ids]


def _found(folder: Path, suffixes: Suffixes) -> dict[str, Path]:
    if not folder.is_dir():
        raise UsageError("no such folder", folder)
    try:
        return {location.id: Path(location.path) for location in find_pages([str(folder)], suffixes)}
    except UsageError:
        return {}


def _queued(id: str, source: Path | None, anno: Path) -> QueuedPage:
    saved = _labeled_in_file(anno)
    labels = _labeled_in_journal(anno) or saved or []
    is_done = saved is not None and all(labels)
    state: State = "done" if is_done else "started" if any(labels) else "open"
    return QueuedPage(id, source, anno, state, sum(labels), len(labels))


def _labeled_in_journal(anno: Path) -> list[bool]:
    """Which blocks have a label in the journal, if it continues the file as it is."""
    try:
        left = journals.read(journal_of(anno).read_bytes())
        is_current = left is not None and (not anno.exists() or left.base == digest([anno.read_bytes()]))
    except OSError:
        return []
    return [label is not None for label in left.after] if left and is_current else []


def _labeled_in_file(anno: Path) -> list[bool] | None:
    """Which blocks of the file have a label; None for no file or a broken one, which is reported on opening."""
    labels: list[bool] = []
    with suppress(OSError), anno.open("rb") as file:
        for line in file:
            if line.startswith(b"#html"):
                return labels
            label, tab, _ = line.partition(b"\t")
            if tab and not line.startswith(b"#"):
                labels.append(label != b"-")
    return None


def resume_number(entries: Sequence[QueuedPage]) -> int:
    """The number of the page edited last or, if that is done, of the next page that is not done."""
    times = [_edited(entry.anno) for entry in entries]
    last = max(range(len(entries)), key=lambda number: (times[number], number), default=0) if any(times) else 0
    order = [*range(last, len(entries)), *range(last)]
    return next((number for number in order if entries[number].state != "done"), last)


def _edited(anno: Path) -> int:
    return max(_changed(anno), _changed(journal_of(anno)))


def _changed(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0
