"""Where labels are kept while they are given: whatever ends the program, nothing that it showed is lost."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import IO, NamedTuple

from victorpy.annotation.anno_files import annotation_of, dumps
from victorpy.annotator import label_journal as journals
from victorpy.annotator.label_journal import Change, Journal, Labels, Recovery, recovery
from victorpy.annotator.opening import Start, start_of
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
_IN_JOURNAL = "nothing is lost: the journal has all of it, and the next start brings it back"
_UNKEPT = "what is labeled since is in memory alone, and the next key or save writes all of it"


class StoreError(VictorError):
    """What is labeled cannot be kept: why, and what would help."""


class Store:
    """Keeps the labels of one page: each change in a journal beside the .anno file, all of them in the file."""

    def __init__(self, anno: Path, journal: IO[bytes], start: Start, labels: Labels, cursor: int):
        self.anno, self._path, self._start, self._journal = anno, journal_of(anno), start, journal
        self._saved, self._base = tuple(start.labels), start.base
        self._stamp = None if start.is_recut else _stamp(anno)
        self._labels, self._cursor = list(labels), cursor
        self._pending, self._end = b"", 0
        self._news = ""
        with _explained(self._path, "nothing is lost, but nothing more could be kept"):
            self._begin_journal()

    def record(self, first: int, labels: Labels, cursor: int) -> None:
        """Has the labels from this block on, and the cursor, on disk when it returns."""
        self._labels[first : first + len(labels)] = labels
        self._add(Change(first, labels, cursor))
        self.catch_up()

    def catch_up(self) -> None:
        """Has on disk, when it returns, all that could not be written so far."""
        with _explained(self._path, _UNKEPT):
            self._write_pending(is_synced=True)

    def move(self, cursor: int) -> None:
        """Leaves it to the system when the cursor gets to disk, and to the next label to complain."""
        self._add(Change(cursor, (), cursor))
        with suppress(OSError, VictorError):
            self._write_pending(is_synced=False)

    def save(self, labels: Labels, cursor: int) -> str:
        """Writes the .anno file whole, and says what it kept of a file that somebody else had changed."""
        is_in_journal = not self._pending and list(labels) == self._labels
        with _explained(self.anno, _IN_JOURNAL if is_in_journal else _UNKEPT):
            self._keep_other_state()
            annotation = annotation_of(self._start.page, self._start.html, labels, self._start.annotator)
            content = dumps(annotation).encode("utf-8", "surrogatepass")
            _write(self.anno, content)
        self._stamp, self._base = _stamp(self.anno), digest([content])
        self._saved, self._labels, self._cursor = tuple(labels), list(labels), cursor
        self._end = 0  # the journal on disk goes on from the file before
        with _explained(self._path, _UNKEPT):
            self._begin_journal()
        news, self._news = self._news, ""
        return news

    def close(self, labels: Labels, cursor: int) -> str:
        """Saves what is not saved; the place in the page is remembered until all of it is labeled."""
        is_done = None not in labels
        is_missing = (is_done or any(labels)) and not self.anno.exists()
        news = self.save(labels, cursor) if is_missing or tuple(labels) != self._saved else ""
        with suppress(OSError, VictorError):  # the journal as it stands says the same
            if is_done or not cursor:
                self._path.unlink()
            else:
                self._replace_journal(journals.beginning(self._base, os.getpid(), [], [], cursor))
        self.abandon()
        return news

    def abandon(self) -> None:
        """Leaves all as it stands on disk; the journal brings it back."""
        self._journal.close()

    def _keep_other_state(self) -> None:
        """What somebody else wrote since, or what was cut otherwise, is not ours to overwrite."""
        now = _stamp(self.anno)
        if now and now != self._stamp:
            self._news = f"{self.anno.name} as it was is {_kept(self.anno)}"
            self._stamp = now

    def _add(self, change: Change) -> None:
        self._cursor = change.cursor
        self._pending += change.line()

    def _write_pending(self, *, is_synced: bool) -> None:
        if not self._end or not is_at(self._path, self._journal.fileno()):
            self._check_folder()
            self._begin_journal()
            return
        # Over whatever an earlier attempt left half written behind the end.
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
        """All that the .anno file does not say, in a new journal."""
        content = journals.beginning(self._base, os.getpid(), self._start.page.texts, self._saved, self._cursor)
        if tuple(self._labels) != self._saved:
            content += Change(0, self._labels, self._cursor).line()
        self._replace_journal(content)
        self._end, self._pending = len(content), b""

    def _replace_journal(self, content: bytes) -> None:
        with written_whole(self._path) as file:
            lock(file)  # before it has the name, so that no other process finds it free
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
            fresh = os.fdopen(os.dup(file.fileno()), "r+b")
        self._journal.close()
        self._journal = fresh


class Opened(NamedTuple):
    """A page to label, as it was left."""

    page: Page
    labels: tuple[Label | None, ...]
    cursor: int
    messages: list[str]
    store: Store
    html: str


def journal_of(anno: Path) -> Path:
    return anno.with_name(f".{anno.name}.journal")


def open_page(source: Path | None, anno: Path, markup: Markup, annotator: str = "") -> Opened:
    """The page of the .anno file if there is one, else of the HTML file, with every label that it was ever given."""
    anno = Path(os.path.realpath(anno))  # all names of a file share its journal
    _check_paths(source, anno)
    journal = _journal_for(anno)
    try:
        content = journal.read()
        return _resumed(start_of(source, anno, markup, annotator), anno, journal, content)
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
    with _explained(path, "nothing that is labeled could be kept"):
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            return locked(path)
        except LockedError as error:
            other = journals.read(error.content)
            process = f" (process {other.process})" if other else ""
            raise StoreError(f"is being labeled by another victor{process}: leave that one first", anno) from None


def _resumed(start: Start, anno: Path, journal: IO[bytes], content: bytes) -> Opened:
    """Goes on from the journal that was left, and begins the next one."""
    left = journals.read(content)
    if left is None:
        found = Recovery(start.labels, 0, 0, 0)
        told = [f"the journal cannot be read and is {_kept(journal_of(anno))}"] if content else []
    else:
        found = recovery(left, start.page.texts, start.labels)
        told = _messages(found, left, start, anno)
    labels = tuple(found.labels)
    store = Store(anno, journal, start, labels, found.cursor)
    return Opened(start.page, labels, found.cursor, [*start.messages, *told], store, start.html)


def _messages(found: Recovery, left: Journal, start: Start, anno: Path) -> list[str]:
    path = journal_of(anno)
    told = [f"recovered {found.recovered} labels from {path.name}"] if found.recovered else []
    is_foreign = left.base != start.base and found.recovered
    if is_foreign or found.refused or not left.is_whole:
        told += [f"{anno.name} had been changed meanwhile"] if left.base != start.base else []
        told += [f"{found.refused} labels of the journal did not fit"] if found.refused else []
        told += ["the journal is damaged: what it says up to there was read"] if not left.is_whole else []
        told.append(f"the journal is {_kept(path)}")
    return told


def _kept(path: Path) -> str:
    """Leaves a copy under a name of its own, for what cannot be settled without a person."""
    names = (path.with_name(f"{path.name.lstrip('.')}.kept-{number}") for number in count(1))
    aside = next(name for name in names if not name.exists())
    _write(aside, path.read_bytes())
    return f"kept as {aside.name}"


def _write(path: Path, content: bytes) -> None:
    with written_whole(path) as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _stamp(path: Path) -> tuple[int, int, int] | None:
    """Changes with the file."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


@contextmanager
def _explained(path: Path, state: str) -> Iterator[None]:
    """Says of a failed write what state that leaves things in, and what would help."""
    try:
        yield
    except (OSError, VictorError) as error:
        cause = error if isinstance(error, OSError) else error.__cause__
        if isinstance(error, StoreError) or not isinstance(cause, OSError):
            raise
        remedy = _REMEDIES.get(cause.errno or 0, "")
        message = f"cannot be written: {cause.strerror}"
        raise StoreError(f"{message}{remedy and f' ({remedy})'}; {state}", path) from error
