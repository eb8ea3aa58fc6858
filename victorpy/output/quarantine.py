"""A quarantine: a file of failed pages with their bytes, to look at and to clean again.

It is a web archive if its name ends in .warc, and JSON Lines otherwise. Both may be compressed.
"""

import base64
import binascii
import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from types import UnionType
from typing import IO, Any

from victorpy.errors import UsageError, VictorError
from victorpy.foundation.compression import STREAM_ERRORS, bare_name, packed_alone, packing, unpacked
from victorpy.foundation.files import check_writable, lines_of, written_whole
from victorpy.foundation.optional import zstandard
from victorpy.output.cleaned import FAILURES, Status
from victorpy.output.escapes import in_one_line
from victorpy.output.outcome import Outcome
from victorpy.output.sinks.warc_sink import date_of, source_of, url_of
from victorpy.sources import Location, RawPage, read_page
from victorpy.sources.archive_records import DamageError, IncompleteError, records_of
from victorpy.sources.record_writing import archived
from victorpy.sources.web_addresses import is_address

KEPT: tuple[Status, ...] = ("dropped", *FAILURES)

# These pages may be huge, or have no bytes: they are read again when they are cleaned again.
_WITHOUT_BYTES = frozenset({"dropped", "unreadable"})

_KINDS: Mapping[str, type | UnionType] = {
    **dict.fromkeys(("id", "path", "status", "reason"), str),
    **dict.fromkeys(("url", "charset", "html"), str | None),
    "is_file": bool,
}

_LONGEST_CHARSET = 100


@dataclass(frozen=True, kw_only=True)
class QuarantinedPage:
    """A page in a quarantine; `is_file` says whether it is a file of its own."""

    id: str
    path: str
    url: str | None
    charset: str | None
    status: str
    reason: str
    html: bytes | None
    is_file: bool
    is_text: bool = False


def check(path: Path) -> None:
    """Raises an error if the quarantine cannot be written, before any page is cleaned."""
    if path.name.lower().endswith(".zst"):
        zstandard()
    check_writable(path.parent)


def quarantined(outcomes: Iterable[Outcome], path: Path) -> Iterator[Outcome]:
    """Passes the outcomes on and writes the failed ones to the file, which is complete after the last outcome."""
    with written_whole(path) as file, _writing(file, path) as write:
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
    page = _page_of(outcome)
    html = None if page.html is None else base64.b64encode(page.html).decode("ascii")
    return json.dumps(asdict(page) | {"html": html}).encode() + b"\n"


def _records(outcome: Outcome) -> Iterator[bytes]:
    """A metadata record about a page, and a resource record with its bytes."""
    # Imported here, because it takes 4 ms.
    from uuid import NAMESPACE_URL, uuid5  # noqa: PLC0415

    page = _page_of(outcome)
    facts = json.dumps(asdict(page) | {"html": None if page.html is None else ""}).encode()
    named = {"WARC-Target-URI": url_of(outcome), "WARC-Date": date_of(outcome)}
    own, other = (f"<urn:uuid:{uuid5(NAMESPACE_URL, f'{kind} {outcome.path} {named}')}>" for kind in ("page", "facts"))
    beside = "" if page.html is None else own
    fields = {"WARC-Type": "metadata", "WARC-Record-ID": other, "WARC-Concurrent-To": beside}
    yield archived(fields | named | {"Content-Type": "application/json"}, facts)
    if page.html is not None:
        fields = {"WARC-Type": "resource", "WARC-Record-ID": own, "WARC-Refers-To": source_of(outcome)}
        yield archived(fields | named | {"Content-Type": _media(page.charset)}, page.html)


def _media(charset: str | None) -> str:
    is_name = charset is not None and charset.isascii() and len(charset) <= _LONGEST_CHARSET
    return f"text/html; charset={in_one_line(charset or '')}" if is_name else "text/html"


def _page_of(outcome: Outcome) -> QuarantinedPage:
    raw = outcome.raw
    return QuarantinedPage(
        id=outcome.id,
        path=outcome.path,
        url=outcome.metadata.url,
        charset=raw.charset if raw else None,
        status=outcome.status,
        reason=outcome.reason,
        html=_bytes_of(outcome),
        is_file=raw is None,
        is_text=outcome.is_text,
    )


def _bytes_of(outcome: Outcome) -> bytes | None:
    if outcome.raw:
        return outcome.raw.data
    return None if outcome.status in _WITHOUT_BYTES else read_page(Location(outcome.path, outcome.id)).data


def locations(path: Path, only: Collection[str] = KEPT) -> list[Location]:
    """The pages of a quarantine that have one of these statuses."""
    return [Location(page.path, page.id, is_text=page.is_text) for page in _pages_in(path, only)]


def pages(path: Path, only: Collection[str], max_bytes: int) -> Iterator[RawPage | Location]:
    """The same pages with their bytes, one after another. Addresses without bytes are to be fetched again."""
    return (_raw_page(page, max_bytes) for page in _pages_in(path, only))


def _raw_page(page: QuarantinedPage, max_bytes: int) -> RawPage | Location:
    if page.html is None and is_address(page.path):
        return Location(page.path, page.id, page.path)
    if page.is_file and page.html is None:
        return read_page(Location(page.path, page.id, page.url, page.is_text), max_bytes)
    return RawPage(
        id=page.id,
        path=page.path,
        data=page.html,
        problem="" if page.html is not None else page.reason or "it was not kept",
        url=page.url,
        is_too_large=page.html is None and page.status == "dropped",
        charset=page.charset,
        is_text=page.is_text,
    )


def _pages_in(path: Path, only: Collection[str]) -> Iterator[QuarantinedPage]:
    read = _of_archive if _is_archive(path) else _of_lines
    try:
        with path.open("rb") as file:
            yield from (page for page in read(file, path) if page.status in only)
    except FileNotFoundError:
        raise UsageError("no such file", path) from None
    except STREAM_ERRORS as error:
        raise VictorError(f"cannot be read: {getattr(error, 'strerror', None) or error}", path) from error


def _of_lines(file: IO[bytes], path: Path) -> Iterator[QuarantinedPage]:
    for number, line in enumerate(lines_of(unpacked(file), path), 1):
        facts = _facts(line, path, number)
        try:
            html = None if facts["html"] is None else base64.b64decode(facts["html"], validate=True)
        except (ValueError, binascii.Error):
            raise _not_a_record(path, number) from None
        yield QuarantinedPage(**facts | {"html": html})


def _of_archive(file: IO[bytes], path: Path) -> Iterator[QuarantinedPage]:
    contents = _contents(file, path) if file.read(1) else iter(())
    for number, content in contents:
        facts = _facts(content, path, number)
        html = None if facts["html"] is None else next((found for _, found in contents), None)
        if html is None and facts["html"] is not None:
            raise VictorError("the file is cut off after this record", path, number)
        yield QuarantinedPage(**facts | {"html": html})


def _contents(file: IO[bytes], path: Path) -> Iterator[tuple[int, bytes]]:
    """The numbers of the records, and their contents. A damaged quarantine is not read further."""
    for record in records_of(file, str(path)):
        if isinstance(record, DamageError):
            raise record
        with suppress(IncompleteError):
            yield record.number, b"".join(record.content)


def _facts(content: bytes | str, path: Path, number: int) -> dict[str, Any]:
    try:
        found = json.loads(content)
        facts = {name: found[name] for name in _KINDS}
        is_one = all(isinstance(facts[name], kinds) for name, kinds in _KINDS.items())
    except (ValueError, TypeError, KeyError, RecursionError):
        is_one = False
    if not is_one:
        raise _not_a_record(path, number)
    return facts | {"is_text": found.get("is_text") is True}


def _not_a_record(path: Path, number: int) -> VictorError:
    return VictorError("not a record written by --quarantine", path, number)
