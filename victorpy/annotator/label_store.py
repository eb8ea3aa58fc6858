"""Keep labels on disk during annotation: a crash loses nothing that the screen showed."""

import errno
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from itertools import count
from pathlib import Path
from typing import IO, Any, Generic, NamedTuple

from victorpy.annotation.anno_files import annotation_of, dumps
from victorpy.annotation.realignment import realigned_flags
from victorpy.annotator import label_journal as journals
from victorpy.annotator.label_journal import FlagChange, LabelChange, LabelJournal, Labels, Recovery, recovery
from victorpy.annotator.page_loading import LoadedPage, Texts, load_page
from victorpy.errors import UsageError, VictorError
from victorpy.foundation.digests import digest
from victorpy.foundation.files import written_whole
from victorpy.foundation.locking import LockedError, is_at, lock, locked
from victorpy.page.blocks import Label, Page
from victorpy.page.markup import Markup

_REMEDIES = {
    **dict.fromkeys((errno.ENOSPC, errno.EDQUOT, errno.EFBIG), "make room"),
    **dict.fromkeys((errno.EACCES, errno.EPERM, errno.EROFS), "allow writing there, or name another file"),
    errno.ENOENT: "bring its folder back",
}
_IN_JOURNAL = "nothing is lost: the journal has all labels, and the next start restores them"
_IN_MEMORY = "new labels are in memory only; the next key or save tries to write them again"


class StoreError(VictorError):
    """Labels cannot be written: the message says why, and what helps."""


class LabelStore:
    """Writes each change of one page's labels to a journal, and all labels to the .anno file on save."""

    def __init__(self, anno: Path, journal: IO[bytes], loaded: LoadedPage[Any], found: Recovery):
        self.anno, self._path, self._loaded, self._journal = anno, journal_of(anno), loaded, journal
        self._saved, self._base = tuple(loaded.labels), loaded.base
        self._stamp = None if loaded.is_recut else _stamp(anno)
        self._labels, self._cursor = list(found.labels), found.cursor
        self._flags, self._saved_flags = dict(found.flags), dict(loaded.flags)
        self._pending, self._end = b"", 0
        self._notice = ""
        with _explained(self._path, "nothing is lost, but new labels could not be kept"):
            self._begin_journal()

    def record(self, first: int, labels: Labels, cursor: int) -> None:
        """Write the labels from block `first` on, and the cursor, to disk before returning."""
        self._labels[first : first + len(labels)] = labels
        self._add(LabelChange(first, labels, cursor))
        self.catch_up()

    def flag(self, block: int, note: str | None) -> None:
        """Write the note of a block to disk before returning; None removes its flag."""
        if note is None:
            self._flags.pop(block, None)
        else:
            self._flags[block] = note
        self._pending += FlagChange(block, note).line()
        self.catch_up()

    def catch_up(self) -> None:
        """Write all pending changes to disk before returning."""
        with _explained(self._path, _IN_MEMORY):
            self._write_pending(is_synced=True)

    def move(self, cursor: int) -> None:
        """Write the cursor without waiting for the disk; errors are left to the next label."""
        self._add(LabelChange(cursor, (), cursor))
        with suppress(OSError, VictorError):
            self._write_pending(is_synced=False)

    def save(self, labels: Labels, cursor: int) -> str:
        """Write the .anno file; return a message if a file that somebody else changed was kept as a copy."""
        is_in_journal = not self._pending and list(labels) == self._labels
        with _explained(self.anno, _IN_JOURNAL if is_in_journal else _IN_MEMORY):
            self._keep_other_state()
            loaded = self._loaded
            annotation = annotation_of(loaded.page, loaded.html, labels, loaded.annotator, self._flags)
            content = dumps(annotation).encode("utf-8", "surrogatepass")
            _write(self.anno, content)
        self._stamp, self._base = _stamp(self.anno), digest([content])
        self._saved, self._labels, self._cursor = tuple(labels), list(labels), cursor
        self._saved_flags = dict(self._flags)
        self._end = 0  # the journal on disk continues the previous file
        with _explained(self._path, _IN_MEMORY):
            self._begin_journal()
        notice, self._notice = self._notice, ""
        return notice

    def close(self, labels: Labels, cursor: int) -> str:
        """Save unsaved labels; remember the cursor until the whole page is labeled."""
        is_done = None not in labels
        is_missing = (is_done or any(labels)) and not self.anno.exists()
        is_changed = tuple(labels) != self._saved or self._flags != self._saved_flags
        notice = self.save(labels, cursor) if is_missing or is_changed else ""
        with suppress(OSError, VictorError):  # the existing journal says the same
            if is_done or not cursor:
                self._path.unlink()
            else:
                self._replace_journal(journals.first_line(self._base, os.getpid(), [], [], cursor))
        self.abandon()
        return notice

    def abandon(self) -> None:
        """Close without saving; the journal restores the labels next time."""
        self._journal.close()

    def _keep_other_state(self) -> None:
        """Copy a file that somebody else wrote since, or that has other blocks, before it is overwritten."""
        now = _stamp(self.anno)
        if now and now != self._stamp:
            self._notice = f"the previous {self.anno.name} is {_kept(self.anno)}"
            self._stamp = now

    def _add(self, change: LabelChange) -> None:
        self._cursor = change.cursor
        self._pending += change.line()

    def _write_pending(self, *, is_synced: bool) -> None:
        if not self._end or not is_at(self._path, self._journal.fileno()):
            self._check_folder()
            self._begin_journal()
            return
        # Overwrites what an earlier attempt left half written after the end.
        written = 0
        while written < len(self._pending):
            written += os.pwrite(self._journal.fileno(), self._pending[written:], self._end + written)
        if is_synced:
            os.fdatasync(self._journal.fileno())
        self._end, self._pending = self._end + written, b""

    def _check_folder(self) -> None:
        if not self._path.parent.exists():
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))

    def _begin_journal(self) -> None:
        """Start a new journal with all that the .anno file does not hold."""
        content = journals.first_line(self._base, os.getpid(), self._loaded.page.texts, self._saved, self._cursor)
        if tuple(self._labels) != self._saved:
            content += LabelChange(0, self._labels, self._cursor).line()
        content += b"".join(change.line() for change in self._changed_flags())
        self._replace_journal(content)
        self._end, self._pending = len(content), b""

    def _changed_flags(self) -> Iterator[FlagChange]:
        for block in sorted(self._flags.keys() | self._saved_flags.keys()):
            note = self._flags.get(block)
            if note != self._saved_flags.get(block):
                yield FlagChange(block, note)

    def _replace_journal(self, content: bytes) -> None:
        with written_whole(self._path) as file:
            lock(file)  # before the rename, so that no other process finds it unlocked
            file.write(content)
            fresh = os.fdopen(os.dup(file.fileno()), "r+b")
        self._journal.close()
        self._journal = fresh


class ResumedPage(NamedTuple, Generic[Texts]):
    """A page to label, with the labels and the cursor of the last session."""

    page: Texts
    labels: tuple[Label | None, ...]
    cursor: int
    messages: list[str]
    store: LabelStore
    html: str
    flags: Mapping[int, str] = {}


def journal_of(anno: Path) -> Path:
    return anno.with_name(f".{anno.name}.journal")


def resume_page(source: Path | None, anno: Path, markup: Markup, annotator: str = "") -> ResumedPage[Page]:
    """Open the page of the .anno file, or else of the HTML file, and apply a journal that was left."""
    return resume_loaded(source, anno, partial(load_page, markup=markup, annotator=annotator))


def resume_loaded(
    source: Path | None, anno: Path, load: Callable[[Path | None, Path], LoadedPage[Texts]]
) -> ResumedPage[Texts]:
    """Open a page with this function, which gets both paths, and apply a journal that was left."""
    anno = Path(os.path.realpath(anno))  # all names of a file share one journal
    _check_paths(source, anno)
    journal = _journal_for(anno)
    try:
        content = journal.read()
        return _resumed(load(source, anno), anno, journal, content)
    except BaseException:
        if not content:
            journal_of(anno).unlink(missing_ok=True)
        journal.close()
        raise


def _check_paths(source: Path | None, anno: Path) -> None:
    if anno.exists() and not os.access(anno, os.W_OK):
        raise StoreError("is read-only: allow writing, or name another file for the labels", anno)
    if not anno.exists() and not (source and source.exists()):
        raise UsageError("no such file", source or anno)


def _journal_for(anno: Path) -> IO[bytes]:
    path = journal_of(anno)
    with _explained(path, "labels could not be kept"):
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            return locked(path)
        except LockedError as error:
            other = journals.read(error.content)
            process = f" (process {other.process})" if other else ""
            raise StoreError(f"is being labeled by another victor{process}: quit that one first", anno) from None


def _resumed(loaded: LoadedPage[Texts], anno: Path, journal: IO[bytes], content: bytes) -> ResumedPage[Texts]:
    """Apply the journal that was left, and start a new one."""
    left = journals.read(content)
    if left is None:
        found = Recovery(loaded.labels, 0, 0, 0)
        messages = [f"the journal cannot be read; it is {_kept(journal_of(anno))}"] if content else []
    else:
        found = recovery(left, loaded.page.texts, loaded.labels)
        messages = _messages(found, left, loaded, anno)
    found = found._replace(flags=_recovered_flags(left, loaded))
    return ResumedPage(
        page=loaded.page,
        labels=tuple(found.labels),
        cursor=found.cursor,
        messages=[*loaded.messages, *messages],
        store=LabelStore(anno, journal, loaded, found),
        html=loaded.html,
        flags=found.flags,
    )


def _recovered_flags(left: LabelJournal | None, loaded: LoadedPage[Any]) -> dict[int, str]:
    """The flags of the file with the changes of the journal."""
    changed = realigned_flags(left.texts, left.flags, loaded.page.texts) if left else {}
    return {block: note for block, note in {**loaded.flags, **changed}.items() if note is not None}


def _messages(found: Recovery, left: LabelJournal, loaded: LoadedPage[Any], anno: Path) -> list[str]:
    path = journal_of(anno)
    messages = [f"recovered {found.recovered} labels from {path.name}"] if found.recovered else []
    is_foreign = left.base != loaded.base and found.recovered
    if is_foreign or found.refused or not left.is_whole:
        messages += [f"{anno.name} was changed meanwhile"] if left.base != loaded.base else []
        messages += [f"{found.refused} labels of the journal did not fit"] if found.refused else []
        messages += ["the journal is damaged: its lines up to the damage were read"] if not left.is_whole else []
        messages.append(f"the journal is {_kept(path)}")
    return messages


def _kept(path: Path) -> str:
    """Copy the file under a new name, for a person to decide; return where."""
    names = (path.with_name(f"{path.name.lstrip('.')}.kept-{number}") for number in count(1))
    aside = next(name for name in names if not name.exists())
    _write(aside, path.read_bytes())
    return f"kept as {aside.name}"


def _write(path: Path, content: bytes) -> None:
    with written_whole(path) as file:
        file.write(content)


def _stamp(path: Path) -> tuple[int, int, int] | None:
    """A value that changes with the file."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


@contextmanager
def _explained(path: Path, state: str) -> Iterator[None]:
    """Turn a failed write into a StoreError with what helps and the state of the labels."""
    try:
        yield
    except (OSError, VictorError) as error:
        cause = error if isinstance(error, OSError) else error.__cause__
        if isinstance(error, StoreError) or not isinstance(cause, OSError):
            raise
        remedy = _REMEDIES.get(cause.errno or 0, "")
        message = f"cannot be written: {cause.strerror}"
        raise StoreError(f"{message}{remedy and f' ({remedy})'}; {state}", path) from error
