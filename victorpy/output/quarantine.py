"""Pages that failed, kept with their bytes in a file, so that they can be looked at and cleaned again.

A file whose name says so is a web archive, and any other JSONL; both may be packed.
"""

import base64
import binascii
import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import UnionType
from typing import IO, Any, NamedTuple
from uuid import NAMESPACE_URL, uuid5

from victorpy.errors import UsageError, VictorError
from victorpy.foundation.compression import STREAM_ERRORS, bare_name, packed_alone, packing, unpacked
from victorpy.foundation.files import check_writable, written_whole
from victorpy.foundation.optional import fastwarc, zstandard
from victorpy.output.cleaned import FAILURES
from victorpy.output.escapes import in_one_line
from victorpy.output.outcome import Outcome
from victorpy.output.sinks.warc_sink import archived, date_of, source_of, url_of
from victorpy.sources import Location, RawPage, read_page

KEPT = ("dropped", *FAILURES)

# Of these there may be more bytes than anybody wants to keep, or none: they are read anew when they are tried again.
_LEFT_WHERE_THEY_ARE = frozenset({"dropped", "unreadable"})

_KINDS: Mapping[str, type | UnionType] = {
    **dict.fromkeys(("id", "path", "status", "reason"), str),
    **dict.fromkeys(("url", "charset", "html"), str | None),
    "is_file": bool,
}

_LONGEST_CHARSET = 100


class Kept(NamedTuple):
    """A page of a quarantine; `is_file` says whether it is a file of its own."""

    id: str
    path: str
    url: str | None
    charset: str | None
    status: str
    reason: str
    html: bytes | None
    is_file: bool


def check(path: Path) -> None:
    """Tells before long work that nothing could be kept there."""
    if path.name.lower().endswith(".zst"):
        zstandard()
    check_writable(path.parent)


def quarantined(outcomes: Iterable[Outcome], path: Path, *, is_durable: bool = False) -> Iterator[Outcome]:
    """The same outcomes; those that have no text are written to the file, which is there once all have passed."""
    with written_whole(path, is_durable=is_durable) as file, _writing(file, path) as write:
        for outcome in outcomes:
            if outcome.status in KEPT:
                write(outcome)
            yield outcome


@contextmanager
def _writing(file: IO[bytes], path: Path) -> Iterator[Callable[[Outcome], object]]:
    if _is_archive(path):
        yield lambda outcome: file.writelines(packed_alone(record, path.name) for record in _records(outcome))
    else:
        with packing(file, path.name) as packer:
            yield lambda outcome: packer.write(_line(outcome))


def _is_archive(path: Path) -> bool:
    return bare_name(path.name).endswith(".warc")


def _line(outcome: Outcome) -> bytes:
    kept = _kept(outcome)
    html = None if kept.html is None else base64.b64encode(kept.html).decode("ascii")
    return json.dumps(kept._asdict() | {"html": html}).encode() + b"\n"


def _records(outcome: Outcome) -> Iterator[bytes]:
    """What is known of a page, and behind it its bytes, as whatever reads archives reads them."""
    kept = _kept(outcome)
    facts = json.dumps(kept._asdict() | {"html": None if kept.html is None else ""}).encode()
    named = _named(outcome)
    own, other = (f"<urn:uuid:{uuid5(NAMESPACE_URL, f'{kind} {outcome.path} {named}')}>" for kind in ("page", "facts"))
    beside = "" if kept.html is None else own
    fields = {"WARC-Type": "metadata", "WARC-Record-ID": other, "WARC-Concurrent-To": beside}
    yield archived(fields | named | {"Content-Type": "application/json"}, facts)
    if kept.html is not None:
        fields = {"WARC-Type": "resource", "WARC-Record-ID": own, "WARC-Refers-To": source_of(outcome)}
        yield archived(fields | named | {"Content-Type": _media(kept.charset)}, kept.html)


def _named(outcome: Outcome) -> dict[str, str]:
    return {"WARC-Target-URI": url_of(outcome), "WARC-Date": date_of(outcome)}


def _media(charset: str | None) -> str:
    is_name = charset is not None and charset.isascii() and len(charset) <= _LONGEST_CHARSET
    return f"text/html; charset={in_one_line(charset or '')}" if is_name else "text/html"


def _kept(outcome: Outcome) -> Kept:
    raw = outcome.raw
    return Kept(
        outcome.id,
        outcome.path,
        outcome.metadata.url,
        raw.charset if raw else None,
        outcome.status,
        outcome.reason,
        _bytes_of(outcome),
        is_file=raw is None,
    )


def _bytes_of(outcome: Outcome) -> bytes | None:
    if outcome.raw:
        return outcome.raw.data
    return None if outcome.status in _LEFT_WHERE_THEY_ARE else read_page(Location(outcome.path, outcome.id)).data


def locations(path: Path, only: Collection[str] = KEPT) -> list[Location]:
    """The pages of a quarantine that ended in one of these ways."""
    return [Location(kept.path, kept.id) for kept in _pages_kept(path, only)]


def pages(path: Path, only: Collection[str], max_bytes: int) -> Iterator[RawPage]:
    """The same with their bytes, one after another."""
    return (_page(kept, max_bytes) for kept in _pages_kept(path, only))


def _page(kept: Kept, max_bytes: int) -> RawPage:
    id, path, url, charset, status, reason, html, is_file = kept
    if is_file and html is None:
        return read_page(Location(path, id, url), max_bytes)
    problem = reason if html is None else ""
    is_too_large = html is None and status == "dropped"
    return RawPage(id=id, path=path, data=html, problem=problem, url=url, is_too_large=is_too_large, charset=charset)


def _pages_kept(path: Path, only: Collection[str]) -> Iterator[Kept]:
    read = _of_archive if _is_archive(path) else _of_lines
    try:
        with path.open("rb") as file:
            yield from (kept for kept in read(file, path) if kept.status in only)
    except FileNotFoundError:
        raise UsageError("no such file", path) from None
    except STREAM_ERRORS as error:
        raise VictorError(f"cannot be read: {getattr(error, 'strerror', None) or error}", path) from error


def _of_lines(file: IO[bytes], path: Path) -> Iterator[Kept]:
    for number, line in enumerate(unpacked(file), 1):
        facts = _facts(line, path, number)
        try:
            html = None if facts["html"] is None else base64.b64decode(facts["html"], validate=True)
        except (ValueError, binascii.Error):
            raise _no_page(path, number) from None
        yield Kept(**facts | {"html": html})


def _of_archive(file: IO[bytes], path: Path) -> Iterator[Kept]:
    number = 0
    records = enumerate(fastwarc().warc.ArchiveIterator(file, parse_http=False), 1)
    for number, record in records:
        facts = _facts(record.reader.read(), path, number)
        yield Kept(**facts | {"html": None if facts["html"] is None else _next_bytes(records, path, number)})
    if not number and file.tell():
        raise VictorError("no WARC record in it", path)


def _next_bytes(records: Iterator[tuple[int, Any]], path: Path, number: int) -> bytes:
    for _, record in records:
        length: int = record.content_length
        data: bytes = record.reader.read()
        if len(data) == length:
            return data
        break
    raise VictorError("the file is cut off behind this record", path, number)


def _facts(content: bytes | str, path: Path, number: int) -> dict[str, Any]:
    try:
        found = json.loads(content)
        facts = {name: found[name] for name in Kept._fields}
        is_one = all(isinstance(facts[name], kinds) for name, kinds in _KINDS.items())
    except (ValueError, TypeError, KeyError, RecursionError):
        is_one = False
    if not is_one:
        raise _no_page(path, number)
    return facts


def _no_page(path: Path, number: int) -> VictorError:
    return VictorError("is no page of a quarantine, such as --quarantine writes", path, number)
