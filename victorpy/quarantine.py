"""Pages that failed, kept with their bytes in a JSONL file, so that they can be looked at and cleaned again."""

import base64
import binascii
import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from types import UnionType
from typing import Any

from victorpy.batch import Outcome
from victorpy.cleaned import FAILURES
from victorpy.errors import UsageError, VictorError
from victorpy.files import written_whole
from victorpy.sources import Location, RawPage, read_page

KEPT = ("dropped", *FAILURES)

# Of these there may be more bytes than anybody wants to keep, or none: they are read anew when they are tried again.
_LEFT_WHERE_THEY_ARE = frozenset({"dropped", "unreadable"})

_KINDS: Mapping[str, type | UnionType] = {
    **dict.fromkeys(("id", "path", "status", "reason"), str),
    **dict.fromkeys(("url", "charset", "html"), str | None),
    "is_file": bool,
}


def quarantined(outcomes: Iterable[Outcome], path: Path) -> Iterator[Outcome]:
    """The same outcomes; those that have no text are written to the file, which is there once all have passed."""
    with written_whole(path) as file:
        for outcome in outcomes:
            if outcome.status in KEPT:
                file.write(_line(outcome).encode())
            yield outcome


def _line(outcome: Outcome) -> str:
    data, raw = _bytes_of(outcome), outcome.raw
    record = {
        "id": outcome.id,
        "path": outcome.path,
        "url": outcome.url,
        "charset": raw and raw.charset,
        "status": outcome.status,
        "reason": outcome.reason,
        "html": None if data is None else base64.b64encode(data).decode("ascii"),
        "is_file": raw is None,
    }
    return json.dumps(record) + "\n"


def _bytes_of(outcome: Outcome) -> bytes | None:
    if outcome.raw:
        return outcome.raw.data
    return None if outcome.status in _LEFT_WHERE_THEY_ARE else read_page(Location(outcome.path, outcome.id)).data


def locations(path: Path, only: Collection[str] = KEPT) -> list[Location]:
    """The pages of a quarantine that ended in one of these ways."""
    return [Location(record["path"], record["id"]) for record in _records(path, only)]


def pages(path: Path, only: Collection[str], max_bytes: int) -> Iterator[RawPage]:
    """The same with their bytes, one after another."""
    return (_page(record, max_bytes) for record in _records(path, only))


def _page(record: dict[str, Any], max_bytes: int) -> RawPage:
    id, path, url, charset, html = (record[name] for name in ("id", "path", "url", "charset", "html"))
    if record["is_file"] and html is None:
        return read_page(Location(path, id, url), max_bytes)
    data = None if html is None else base64.b64decode(html)
    problem = record["reason"] if data is None else ""
    return RawPage(id, path, data, problem, url, data is None and record["status"] == "dropped", charset)


def _records(path: Path, only: Collection[str]) -> Iterator[dict[str, Any]]:
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):
                record = _record(line, path, number)
                if record["status"] in only:
                    yield record
    except FileNotFoundError:
        raise UsageError("no such file", path) from None
    except OSError as error:
        raise VictorError(f"cannot be read: {error.strerror}", path) from error


def _record(line: bytes, path: Path, number: int) -> dict[str, Any]:
    try:
        record = json.loads(line)
        is_one = all(isinstance(record[name], kinds) for name, kinds in _KINDS.items())
        base64.b64decode(record["html"] or "", validate=True)
    except (ValueError, TypeError, KeyError, RecursionError, binascii.Error):
        is_one = False
    if not is_one:
        raise VictorError("is no page of a quarantine, such as clean --quarantine writes", path, number)
    return dict(record)
