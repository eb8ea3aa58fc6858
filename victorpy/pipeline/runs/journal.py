"""The journal of a shard: a line for each part that is done. Only complete lines count."""

import errno
import json
import logging
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import IO, Any, NamedTuple

from victorpy.errors import UsageError, VictorError
from victorpy.foundation.files import make_folder, sync_folder
from victorpy.foundation.locking import lock_without_children
from victorpy.pipeline.runs.shards import Fingerprint

log = logging.getLogger("victorpy")


class Part(NamedTuple):
    """The records of a shard from `first` to `last`: their statuses, the digests of their two files, and how many were
    cleaned by each fallback."""

    name: str
    first: int
    last: int
    statuses: Mapping[str, int]
    sha256: str
    outcomes: str
    fallbacks: Mapping[str, int] = {}


class End(NamedTuple):
    """The number of pages in a shard, what could not be read, and how many records of an archive are not pages."""

    records: int
    damage: str = ""
    skipped: Mapping[str, int] = {}


class Poison(NamedTuple):
    """A record that kills its worker, and not only a child process. It is not cleaned again."""

    record: int


class State(NamedTuple):
    input: Fingerprint | None = None
    parts: tuple[Part, ...] = ()
    poison: tuple[int, ...] = ()
    end: End | None = None

    @property
    def records(self) -> int:
        """The number of records that are done."""
        return self.parts[-1].last if self.parts else 0


_ENTRIES = {"input": Fingerprint, "part": Part, "poison": Poison, "end": End}
# The types of their fields. The others are texts.
_COUNTS = ("statuses", "skipped", "fallbacks")
_KINDS = {**dict.fromkeys(("size", "first", "last", "records", "record"), int), **dict.fromkeys(_COUNTS, dict)}


def state_at(path: Path) -> State:
    try:
        return _state(path.read_bytes())[0]
    except FileNotFoundError:
        return State()
    except OSError as error:
        raise VictorError(f"cannot be read: {error.strerror}", path) from error


def _state(content: bytes) -> tuple[State, int]:
    """What the complete lines say, and where they end. A dying process may have left half a line after them."""
    state, place = State(), 0
    for line in content.splitlines(keepends=True):
        try:
            ((name, value),) = json.loads(line).items()
            entry = _ENTRIES[name](**value)
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            break
        if not line.endswith(b"\n") or not _is_sound(entry):
            break
        state, place = _with(state, entry), place + len(line)
    return state, place


def _is_sound(entry: Any) -> bool:
    has_kinds = all(type(value) is _KINDS.get(name, str) for name, value in entry._asdict().items())
    counts = (count for name in _COUNTS for count in getattr(entry, name, {}).values())
    return has_kinds and all(type(count) is int for count in counts)


def _with(state: State, entry: Any) -> State:
    if isinstance(entry, Fingerprint):
        return state._replace(input=entry)
    if isinstance(entry, Poison):
        return state._replace(poison=(*state.poison, entry.record))
    if isinstance(entry, Part):
        return state._replace(parts=(*state.parts, entry))
    return state._replace(end=entry)


class TakenError(UsageError):
    """Another process has the lock."""


@contextmanager
def alone(path: Path) -> Iterator[IO[bytes]]:
    """A file that no other process can lock until it is closed or this process ends."""
    with _opened(path) as file:
        _lock(file, path, "another process is finishing this run: wait until it ends")
        yield file


def _opened(path: Path) -> IO[bytes]:
    try:
        make_folder(path.parent)
        is_new = not path.exists()
        file = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o666), "r+b", buffering=0)
        if is_new:
            sync_folder(path.parent)
        return file
    except OSError as error:
        raise VictorError(f"cannot be written: {error.strerror}", path) from error


def _lock(file: IO[bytes], path: Path, trouble: str) -> None:
    try:
        lock_without_children(file)
    except (BlockingIOError, PermissionError):
        file.close()
        raise TakenError(trouble, path) from None
    except OSError as error:
        log.info("%s: cannot be locked: %s", path, error.strerror)


class Journal:
    """The journal of a shard, locked until it is closed or this process ends."""

    def __init__(self, path: Path):
        self.path, self._file = path, _opened(path)
        _lock(
            self._file,
            path,
            "another process works on this shard: wait until it ends, or choose others with --shard",
        )
        self.state, self._end = _state(self._file.read())

    def append(self, entry: Fingerprint | Part | Poison | End) -> None:
        name = next(name for name, kind in _ENTRIES.items() if isinstance(entry, kind))
        line = json.dumps({name: entry._asdict()}, ensure_ascii=False).encode("utf-8", "replace") + b"\n"
        try:
            self._file.truncate(self._end)
            self._file.seek(self._end)
            if self._file.write(line) != len(line):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            os.fsync(self._file.fileno())
        except OSError as error:
            raise VictorError(
                f"cannot be written: {error.strerror}; repeat the command to resume", self.path
            ) from error
        self._end += len(line)
        self.state = _with(self.state, entry)

    def restart(self) -> None:
        """Forgets everything that was done."""
        self.state, self._end = State(), 0

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> "Journal":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()
