"""Sorts the records of many web archives by host."""

import logging
import os
import shutil
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from itertools import chain, groupby
from pathlib import Path
from typing import Literal, NamedTuple, get_args

from victorpy.errors import UsageError, VictorError
from victorpy.foundation.files import check_writable, make_folder, sync_folder
from victorpy.foundation.hosts import domain_of, host_of
from victorpy.foundation.locking import is_at, lock
from victorpy.foundation.sorting import Sorted, Sorter
from victorpy.sources.archive_records import ArchiveRecord, DamageError, IncompleteError, records

log = logging.getLogger("victorpy")

By = Literal["host", "domain"]
GROUPS: tuple[By, ...] = get_args(By)

# Files of any number of hosts each, or a file for each host or domain in a folder named by WC Cleaner's rule.
Files = Literal["shards", "sites"]
FILES: tuple[Files, ...] = get_args(Files)

# While this folder exists, the files beside it are incomplete.
_UNFINISHED = ".victorpy-grouping"


@dataclass(frozen=True)
class Grouping:
    """What is grouped, into which files and how many shards, and how many bytes sorting may hold in memory."""

    by: By = "host"
    shards: int = 16
    max_memory: int = 500_000_000
    files: Files = "shards"

    def file_of(self, key: bytes) -> str:
        """The name of the file of a record, by the key that it is sorted by."""
        if self.files == "shards":
            return f"shard-{int.from_bytes(key[:4]):05}-of-{self.shards:05}.warc.gz"
        site = key[4:].partition(b"\0")[0].decode()
        return f"{folder_of_site(site)}/{site}.warc.gz"


def folder_of_site(site: str) -> str:
    """The first and the last letter of the third-level domain: `ac` for `abc.co.uk` (Baisa 2009, section 2.1)."""
    names = site.split(".")
    name = names[-3] if len(names) >= 3 else names[0]
    return name[0] + name[-1]


class Totals(NamedTuple):
    """The numbers of records read and written. `dropped` counts the types of records without a host."""

    read: int
    written: int
    dropped: Counter[str]
    hosts: int
    files: int
    damages: list[DamageError]


def group(paths: Iterable[str], folder: Path, grouping: Grouping) -> Totals:
    """Writes all records that have a host into the folder, sorted by host. Records of a host keep their order."""
    with _unfinished(folder) as work:
        sorter = Sorter(work, grouping.max_memory)
        dropped, damages = Counter[str](), list[DamageError]()
        kept = _added(paths, sorter, grouping, dropped, damages)
        found = _Written()
        files = [found.write(name, items, work) for name, items in _by_file(sorter.merged(), grouping)]
        if found.records != kept:
            raise RuntimeError(f"{kept} records went in and {found.records} came out")
        _publish(files, work, folder)
    return Totals(kept + dropped.total(), found.records, dropped, found.hosts, len(files), damages)


def _added(
    paths: Iterable[str], sorter: Sorter, grouping: Grouping, dropped: Counter[str], damages: list[DamageError]
) -> int:
    """The number of records that were added. Incomplete records are not counted."""
    kept = 0
    for record in chain.from_iterable(records(path, is_copied=True) for path in paths):
        if isinstance(record, DamageError):
            log.error("%s", record)
            damages.append(record)
            continue
        host = host_of(record.url)
        with suppress(IncompleteError):
            if host is None:
                _read_all(record)
                dropped[record.kind] += 1
            else:
                sorter.add(_key(host, grouping, kept), _packed(record))
                kept += 1
    return kept


def _read_all(record: ArchiveRecord) -> None:
    for _ in record.content:
        pass


def _key(host: str, grouping: Grouping, number: int) -> bytes:
    """The sorting key of a record: file, domain or host, host, number."""
    # A site's file does not depend on its shard.
    shards = grouping.shards if grouping.files == "shards" else 1
    return _beginning(host, grouping.by, shards) + number.to_bytes(8)


@lru_cache(1 << 16)
def _beginning(host: str, by: By, shards: int) -> bytes:
    group = domain_of(host) if by == "domain" else host.removeprefix("www.")
    digest = blake2b(group.encode(), digest_size=8).digest()
    return (int.from_bytes(digest) % shards).to_bytes(4) + f"{group}\0{host}\0".encode()


def _packed(record: ArchiveRecord) -> Iterable[bytes]:
    """The gzip member of a record. A new one has no time stamp."""
    return [record.packed] if record.packed else _newly_packed(record.pieces())


def _newly_packed(pieces: Iterable[bytes]) -> Iterator[bytes]:
    packer = zlib.compressobj(6, zlib.DEFLATED, zlib.MAX_WBITS | 16)
    for piece in pieces:
        if packed := packer.compress(piece):
            yield packed
    yield packer.flush()


def _by_file(items: Iterable[Sorted], grouping: Grouping) -> Iterator[tuple[str, Iterator[Sorted]]]:
    return groupby(items, lambda item: grouping.file_of(item.key))


class _Written:
    """Counts what is written."""

    def __init__(self) -> None:
        self.records = self.hosts = 0

    def write(self, name: str, items: Iterable[Sorted], folder: Path) -> str:
        """Writes the items of a file and returns its name."""
        last = b""
        make_folder((folder / name).parent)
        with (folder / name).open("xb") as file:
            for item in items:
                file.writelines(item.pieces)
                self.records += 1
                self.hosts += item.key[:-8] != last
                last = item.key[:-8]
            file.flush()
            os.fsync(file.fileno())
        return name


@contextmanager
def _unfinished(folder: Path) -> Iterator[Path]:
    """A folder inside this one for unfinished files. After an error nothing is left."""
    check_writable(folder)
    is_new = not folder.exists()
    try:
        make_folder(folder)
        with _locked(folder) as work:
            yield work
    except OSError as error:
        raise VictorError(f"cannot be written: {error.strerror}", folder) from error
    finally:
        if is_new:
            with suppress(OSError):  # the folder has files, if there was no error
                folder.rmdir()


@contextmanager
def _locked(folder: Path) -> Iterator[Path]:
    """The folder, locked. The files of a killed run are removed."""
    work = folder / _UNFINISHED
    if not work.exists():
        if _shards_in(folder):
            raise UsageError("has the files of another run: remove them, or name another folder", folder)
        work.mkdir()
    handle = os.open(work, os.O_RDONLY)
    try:
        _lock(handle, work)
        _empty(folder, work)
        try:
            yield work
        except BaseException:
            _empty(folder, work)
            raise
        finally:
            shutil.rmtree(work)
            sync_folder(folder)
    finally:
        os.close(handle)


def _lock(handle: int, work: Path) -> None:
    """Until it is closed, or we end, even by a kill."""
    try:
        lock(handle)
        is_ours = is_at(work, handle)
    except BlockingIOError:
        is_ours = False
    if not is_ours:
        raise VictorError("another run writes into this folder", work.parent)


def _empty(folder: Path, work: Path) -> None:
    for path in _shards_in(folder):
        path.unlink()
        if path.parent != folder:
            with suppress(OSError):  # the folder of sites may have other files
                path.parent.rmdir()
    for path in work.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()


def _shards_in(folder: Path) -> list[Path]:
    return [*folder.glob("shard-*-of-*.warc.gz"), *folder.glob("??/*.warc.gz")]


def _publish(names: Iterable[str], work: Path, folder: Path) -> None:
    for name in names:
        make_folder((folder / name).parent)
        os.replace(work / name, folder / name)
