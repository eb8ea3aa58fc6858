"""Where labels are kept while they are given: whatever ends the program, nothing that it showed is lost."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from itertools import count
from pathlib import Path
from shutil import copyfile
from typing import IO, NamedTuple

from victorpy.annotations import annotation_of, dumps, labeled_page, read
from victorpy.annotator import journal as journals
from victorpy.annotator.journal import Change, Journal, Labels, Recovery, recovery
from victorpy.annotator.locking import LockedError, is_at, lock, locked
from victorpy.blocks import Label, Page
from victorpy.decode import decode, is_binary
from victorpy.digests import digest
from victorpy.errors import UsageError, VictorError
from victorpy.files import written_whole
from victorpy.markup import Markup
from victorpy.segment import segment
from victorpy.sources import ANNOTATION_SUFFIXES, find_pages, read_page

_REMEDIES = {
    **dict.fromkeys((errno.ENOSPC, errno.EDQUOT, errno.EFBIG), "make room"),
    **dict.fromkeys((errno.EACCES, errno.EPERM, errno.EROFS), "allow writing there, or name another file"),
    errno.ENOENT: "bring its folder back",
}
_UNKEPT = "what is labeled since is in memory alone, and the next key or save writes all of it"


class StoreError(VictorError):
    """What is labeled cannot be kept: why, and what would help."""


class _Start(NamedTuple):
    """A page with the labels of its file, which has this digest; `messages` tell what a person would want to know."""

    page: Page
    labels: Labels
    html: str
    annotator: str
    base: str
    messages: tuple[str, ...] = ()
    is_recut: bool = False


class Store:
    """Keeps the labels of one page: each change in a journal beside the .anno file, all of them in the file."""

    def __init__(self, anno: Path, journal: IO[bytes], start: _Start, labels: Labels, cursor: int):
        self.anno, self._journal, self._start = anno, journal, start
        self._path = Path(journal_of(anno))
        self._saved: Labels = tuple(start.labels)
        self._labels, self._cursor = list(labels), cursor
        self._stamp = _stamp(anno)
        self._keeps_old = start.is_recut
        self._pending = b""
        self._end = 0
        with _told(self._path, "nothing is lost, but nothing more could be kept"):
            self._begin_journal()

    def record(self, first: int, labels: Labels, cursor: int) -> None:
        """Has the labels from this block on, and the cursor, on disk when it returns."""
        self._labels[first : first + len(labels)] = labels
        self._add(Change(first, labels, cursor))
        with _told(self._path, _UNKEPT):
            self._write_pending(is_synced=True)

    def move(self, cursor: int) -> None:
        """Leaves it to the system when the cursor gets to disk, and to the next label to complain."""
        self._add(Change(cursor, (), cursor))
        with suppress(OSError, VictorError):
            self._write_pending(is_synced=False)

    def save(self, labels: Labels, cursor: int) -> str:
        """Writes the .anno file whole, and says what it kept of a file that somebody else had changed."""
        message = ""
        with _told(self.anno, _UNKEPT):
            now = _stamp(self.anno)
            if now and (self._keeps_old or now != self._stamp):
                message = f"{self.anno.name} as it was is {_kept(self.anno)}"
            content = self._content(labels)
            with written_whole(self.anno) as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
        self._stamp, self._keeps_old = _stamp(self.anno), False
        self._saved, self._labels, self._cursor = tuple(labels), list(labels), cursor
        self._start = self._start._replace(labels=self._saved, base=digest([content]))
        self._end = 0  # the journal is of the file before
        with _told(self._path, _UNKEPT):
            self._begin_journal()
        return message

    def close(self, labels: Labels, cursor: int) -> str:
        """Saves what is not saved; the place in the page is remembered until all of it is labeled."""
        is_done = None not in labels
        message = ""
        if tuple(labels) != self._saved or (is_done and self._stamp is None):
            message = self.save(labels, cursor)
        with suppress(OSError, VictorError):  # the journal as it stands says the same
            if is_done or not cursor:
                self._path.unlink()
            else:
                self._replace_journal(journals.beginning(self._start.base, os.getpid(), [], [], cursor))
        self.abandon()
        return message

    def abandon(self) -> None:
        """Leaves all as it stands on disk; the journal brings it back."""
        self._journal.close()

    def _content(self, labels: Labels) -> bytes:
        annotation = annotation_of(self._start.page, self._start.html, labels, self._start.annotator)
        return dumps(annotation).encode("utf-8", "surrogatepass")

    def _add(self, change: Change) -> None:
        self._cursor = change.cursor
        self._pending += change.line()

    def _write_pending(self, *, is_synced: bool) -> None:
        if not self._end or not is_at(self._path, self._journal):
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
        start = self._start
        content = journals.beginning(start.base, os.getpid(), start.page.texts, self._saved, self._cursor)
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
    if not anno.exists() and not (source and source.exists()):
        raise UsageError("no such file", source or anno)
    journal = _journal_for(anno)
    try:
        content = journal.read()
        start = (_annotated if anno.exists() else _fresh)(source, anno, markup, annotator)
        return _resumed(start, anno, journal, content)
    except BaseException:
        if not content:
            journal_of(anno).unlink(missing_ok=True)
        journal.close()
        raise


def _journal_for(anno: Path) -> IO[bytes]:
    path = journal_of(anno)
    with _told(path, "nothing that is labeled could be kept"):
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            return locked(path)
        except LockedError as error:
            other = journals.read(error.content)
            process = f" (process {other.process})" if other else ""
            raise StoreError(f"is being labeled by another victor{process}: leave that one first", anno) from None


def _annotated(source: Path | None, anno: Path, markup: Markup, annotator: str) -> _Start:
    annotation = read(anno)
    # Cut in the other mode, blocks would merge or split, and what somebody decided be lost.
    page, labels, changes = labeled_page(annotation, replace(markup, mode=annotation.mode))
    messages = [] if changes.is_none else [f"{anno.name}: cut anew; {changes}"]
    if source and source.exists() and _html(source) != annotation.html:
        messages.append(f"{source.name} has changed since; shown is the page in {anno.name}")
    name = annotator or annotation.annotator
    base = digest([anno.read_bytes()])
    return _Start(page, labels, annotation.html, name, base, tuple(messages), not changes.is_none)


def _fresh(source: Path | None, anno: Path, markup: Markup, annotator: str) -> _Start:
    """A page that nobody has labeled; of an .anno file too, whose labels are then not looked at."""
    if source is None:  # it was there a moment ago
        raise UsageError("no such file", anno)
    if source.suffix in ANNOTATION_SUFFIXES:
        given = read(source)
        page = segment(given.html, given.id, given.url, replace(markup, mode=given.mode))
        html = given.html
    else:
        html = _html(source)
        page = segment(html, find_pages([str(source)])[0].id, markup=markup)
    messages = () if len(page) else (f"{source.name}: no text in the page, so there is nothing to label",)
    return _Start(page, [None] * len(page), html, annotator, digest([html]), messages)


def _html(source: Path) -> str:
    if source.is_dir():
        raise UsageError("a folder, not a page", source)
    raw = read_page(find_pages([str(source)])[0])
    if raw.data is None:
        raise UsageError(raw.problem, source)
    if is_binary(raw.data):
        raise VictorError("not a text: binary data", source)
    return decode(raw.data).text


def _resumed(start: _Start, anno: Path, journal: IO[bytes], content: bytes) -> Opened:
    """Goes on from the journal that was left, and begins the next one."""
    left = journals.read(content)
    if left is None:
        found = Recovery(start.labels, 0, 0, 0)
        told = [f"the journal cannot be read and is {_kept(journal_of(anno))}"] if content else []
    else:
        found = recovery(left, start.page.texts, start.labels)
        told = _told_of(found, left, start, anno)
    labels = tuple(found.labels)
    store = Store(anno, journal, start, labels, found.cursor)
    return Opened(start.page, labels, found.cursor, [*start.messages, *told], store, start.html)


def _told_of(found: Recovery, left: Journal, start: _Start, anno: Path) -> list[str]:
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
    copyfile(path, aside)
    return f"kept as {aside.name}"


def _stamp(path: Path) -> tuple[int, int, int] | None:
    """Changes with the file."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


@contextmanager
def _told(path: Path, state: str) -> Iterator[None]:
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
