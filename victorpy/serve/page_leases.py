"""The pages that browsers label: each belongs to one tab at a time, and each change is on disk before the answer."""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock, RLock, Thread
from typing import Any

from victorpy.annotator.label_store import StoreError
from victorpy.annotator.page_queue import QueuedPage
from victorpy.annotator.session import Labels
from victorpy.errors import UsageError, VictorError
from victorpy.page.blocks import Label
from victorpy.serve.label_processes import OpenedPage

# A tab that is open asks to keep its page four times in this time.
LEASE_SECONDS = 40.0
_SECONDS_BETWEEN_CHECKS = 5.0


class LeaseError(VictorError):
    """The page does not belong to the tab: another tab has it, or nobody has."""


@dataclass
class Lease:
    """A page that a tab has open, with its labels as they are on disk."""

    entry: QueuedPage
    opened: OpenedPage
    tab: str
    until: float
    labels: list[Label | None] = field(init=False)
    cursor: int = field(init=False)
    flags: dict[int, str] = field(init=False)

    def __post_init__(self) -> None:
        self.labels, self.cursor = list(self.opened.labels), self.opened.cursor
        self.flags = dict(self.opened.flags)


class PageLeases:
    """Thread-safe, because routes run in threads."""

    def __init__(self, max_bytes: int, seconds: float = LEASE_SECONDS, clock: Callable[[], float] = time.monotonic):
        self.max_bytes, self.seconds, self.clock = max_bytes, seconds, clock
        self._lock = RLock()
        self._leases: dict[Path, Lease] = {}
        # Pages are opened one by one each, but different pages at once: a hostile one takes its time.
        self._gates: dict[Path, Lock] = {}
        self._watcher: Thread | None = None

    def open(
        self, entry: QueuedPage, tab: str, opened: Callable[[QueuedPage], OpenedPage], *, takes_over: bool
    ) -> Lease:
        """Give the page to this tab, opened by this function; `takes_over` takes it from another tab."""
        with self._lock:
            gate = self._gates.setdefault(entry.anno, Lock())
        with gate:
            found = self._open_already(entry.anno, tab, takes_over=takes_over)
            if found is None:
                check_size(entry, self.max_bytes)
                found = Lease(entry, opened(entry), tab, self.clock() + self.seconds)
                with self._lock:
                    self._leases[entry.anno] = found
                    self._watch()
            return found

    def _open_already(self, anno: Path, tab: str, *, takes_over: bool) -> Lease | None:
        """The page, if it is open; it belongs to this tab from now on."""
        with self._lock:
            found = self._leases.get(anno)
            if found is None:
                return None
            if found.tab != tab and not takes_over and found.until > self.clock():
                raise LeaseError("is open in another tab of this browser or of somebody else", anno)
            found.tab, found.until = tab, self.clock() + self.seconds
            return found

    def of(self, anno: Path, tab: str) -> Lease:
        """The page of this tab, which keeps it for some more time."""
        with self._lock:
            found = self._leases.get(anno)
            if found is None:
                raise LeaseError("is not open: the server has been started again, or the tab was silent", anno)
            if found.tab != tab:
                raise LeaseError("is open in another tab now", anno)
            found.until = self.clock() + self.seconds
            return found

    def change(self, anno: Path, tab: str, changes: Iterable[Mapping[str, Any]]) -> None:
        """Write the changes to disk, in order, before returning."""
        with self._lock:
            lease = self.of(anno, tab)
            for change in changes:
                _apply(lease, change)

    def save(self, anno: Path, tab: str) -> str:
        with self._lock:
            lease = self.of(anno, tab)
            return lease.opened.store.save(lease.labels, lease.cursor)

    def save_all(self) -> None:
        """Write the .anno files of all open pages that have a label."""
        with self._lock:
            for lease in self._leases.values():
                if any(lease.labels):
                    lease.opened.store.save(lease.labels, lease.cursor)

    def close(self, anno: Path, tab: str) -> str:
        """Write the .anno file and give the page back. If that fails, it stays open."""
        with self._lock:
            self.of(anno, tab)
            return self._close(anno)

    def close_all(self) -> None:
        """At the end of the server. What cannot be saved stays in its journal."""
        with self._lock:
            for anno in list(self._leases):
                with suppress(StoreError):
                    self._close(anno)

    def are_open(self) -> set[Path]:
        with self._lock:
            return set(self._leases)

    def expire(self) -> None:
        """Close the pages of tabs that are gone."""
        with self._lock:
            for anno, lease in list(self._leases.items()):
                if lease.until <= self.clock():
                    with suppress(StoreError):
                        self._close(anno)

    def _close(self, anno: Path) -> str:
        lease = self._leases[anno]
        notice = lease.opened.store.close(lease.labels, lease.cursor)
        del self._leases[anno]
        return notice

    def _watch(self) -> None:
        if self._watcher is None or not self._watcher.is_alive():
            self._watcher = Thread(target=self._expire_all, daemon=True)
            self._watcher.start()

    def _expire_all(self) -> None:
        while self.are_open():
            time.sleep(min(_SECONDS_BETWEEN_CHECKS, self.seconds))
            self.expire()


def check_size(entry: QueuedPage, max_bytes: int) -> None:
    """Refuse a page that no browser could show."""
    for path in (entry.source, entry.anno):
        with suppress(OSError):
            if path and path.stat().st_size > max_bytes:
                raise UsageError(f"larger than {max_bytes:,} bytes: label it with victor annotate", path)


def _apply(lease: Lease, change: Mapping[str, Any]) -> None:
    """`{first, labels, cursor}`, `{cursor}` or `{flag: [block, note or null]}`."""
    blocks = len(lease.labels)
    if "flag" in change:
        block, note = change["flag"]
        if not 0 <= block < blocks or not (note is None or isinstance(note, str)):
            raise ValueError("no such block")
        _keep_flag(lease.flags, block, note)
        lease.opened.store.flag(block, note)
        return
    lease.cursor = max(0, min(int(change["cursor"]), blocks - 1))
    if "labels" in change:
        first, labels = int(change["first"]), _labels(change["labels"])
        if not 0 <= first <= blocks - len(labels):
            raise ValueError("no such blocks")
        lease.labels[first : first + len(labels)] = labels
        lease.opened.store.record(first, labels, lease.cursor)
    else:
        lease.opened.store.move(lease.cursor)


def _keep_flag(flags: dict[int, str], block: int, note: str | None) -> None:
    if note is None:
        flags.pop(block, None)
    else:
        flags[block] = note


def _labels(names: Sequence[str | None]) -> Labels:
    return tuple(Label(name) if name else None for name in names)
