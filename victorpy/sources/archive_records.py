"""The records of web archives byte by byte, to copy them.

FastWARC, which `warc_files` uses, returns parsed headers and not the bytes of a record or of its gzip member.
"""

import os
import re
from collections.abc import Generator, Iterator
from contextlib import suppress
from hashlib import sha256
from typing import IO, NamedTuple
from uuid import NAMESPACE_URL, uuid5

from victorpy.errors import VictorError
from victorpy.foundation.compression import STREAM_ERRORS, unpacked
from victorpy.sources import arc_files
from victorpy.sources.gzip_members import Members, MemberSearch
from victorpy.sources.raw_pages import read_problem

# All kinds of files give pieces of this size, so packing a record piece by piece always gives the same bytes.
PIECE = 1 << 16

_LONGEST_LINE = 1 << 16
_MOST_LINES = 1_000

# Larger records are not kept in memory, and are packed again.
_LARGEST = 1 << 20
_END = b"\r\n\r\n"

# FastWARC stops at a record whose header has more than some 32,000 bytes.
_LONGEST_VALUE = 8_000


class DamageError(VictorError):
    """A damaged archive: all of it or a part cannot be read."""


class IncompleteError(Exception):
    """The content of a record is cut off. The next item of `records` is the DamageError."""


class ArchiveRecord(NamedTuple):
    """A record. Read its content before the next record.

    The `head` of a WARC record is as in the file; an ARC record gets that of a WARC record. `packed` is the gzip member
    of a record that has one of its own.
    """

    kind: str
    url: str
    head: bytes
    content: Iterator[bytes]
    packed: bytes = b""

    def pieces(self) -> Iterator[bytes]:
        """The whole WARC record."""
        yield self.head
        yield from self.content
        yield _END


def records(path: str) -> Iterator[ArchiveRecord | DamageError]:
    """The records of a WARC or ARC file, packed or not.

    Damage gives an error. It ends the file unless each record is a gzip member of its own.
    """
    try:
        with open(path, "rb") as file:
            yield from _ArchiveReader(file, path).records()
    except OSError as error:
        yield DamageError(read_problem(error), path)


class _ArchiveReader:
    """One pass over a file."""

    def __init__(self, file: IO[bytes], path: str):
        self.file, self.path = file, path
        self.is_gzip = file.read(2) == b"\x1f\x8b"
        self.search = MemberSearch(file, _begins_record)
        self.stream: IO[bytes] | Members
        # The last record: its number, its offset, and its address or kind.
        self.number, self.begin, self.last = 0, 0, ""
        # The offset of the next record.
        self.line = 0
        self.error: Exception | None = None
        self.damage = ""

    def records(self) -> Iterator[ArchiveRecord | DamageError]:
        start: int | None = 0
        while start is not None:
            damage = yield from self._records_from(start)
            self.damage = self.damage or damage
            start = self._following(start) if damage else None
        if self.damage:
            yield self._damage_error()

    def _records_from(self, start: int) -> Generator[ArchiveRecord | DamageError, None, str]:
        """Yield the records up to the end or to a damage; return a description of the damage."""
        self.file.seek(start)
        self.stream = Members(self.file) if self.is_gzip else unpacked(self.file)
        try:
            while record := self._alone() or self._next():
                if self.damage:
                    yield self._damage_error(f"; continues at byte {start}")
                self.number, self.begin, self.last = self.number + 1, self.line, record.url or record.kind
                yield record
                self._pass_over(record)
        except (*STREAM_ERRORS, IncompleteError) as error:
            return f"{_reason(self.error or error)}, {self._place()}"
        except ValueError as error:
            return f"{error}, {self._place()}"
        return "" if self.number else "no record in it: the file is empty"

    def _damage_error(self, rest: str = "") -> DamageError:
        damage, self.damage, self.error = self.damage, "", None
        return DamageError(damage + rest, self.path)

    def _following(self, start: int) -> int | None:
        """The offset of the next record that is packed by itself, after the last one or after `start`."""
        return self.search.next_after(max(start, self.begin)) if self.is_gzip else None

    def _alone(self) -> ArchiveRecord | None:
        """The record that fills the next gzip member, as in most crawls; it is not packed again."""
        if not isinstance(self.stream, Members) or not (member := self.stream.take(_LARGEST)):
            return None
        end = member.data.find(_END) + len(_END)
        head, length = member.data[:end], len(member.data) - end - len(_END)
        if head.startswith(b"WARC/") and member.data.endswith(_END) and _length(head) == length:
            self.line = self.stream.begun
            return _record(head, iter([member.data[end : end + length]]), member.packed)
        self.stream.give_back(member.data)
        return None

    def _next(self) -> ArchiveRecord | None:
        line = self._first_line()
        return (self._warc(line) if line.startswith(b"WARC/") else self._arc(line)) if line else None

    def _pass_over(self, record: ArchiveRecord) -> None:
        with suppress(IncompleteError):
            for _ in record.content:
                pass
        if self.error:
            raise self.error

    def _first_line(self) -> bytes:
        while line := self.stream.readline(_LONGEST_LINE):
            if line.strip():
                self.line = self.stream.begun if isinstance(self.stream, Members) else self.file.tell() - len(line)
                return line
        return b""

    def _warc(self, line: bytes) -> ArchiveRecord:
        lines = [line]
        while line.strip():
            line = self.stream.readline(_LONGEST_LINE)
            lines.append(line)
            if not line:
                raise EOFError
            if len(lines) > _MOST_LINES:
                raise ValueError("not a WARC record: its header does not end")
        head = b"".join(lines)
        length = _length(head)
        if length is None:
            raise ValueError("a WARC record without a length")
        return _record(head, self._content(length, _END))

    def _arc(self, line: bytes) -> ArchiveRecord:
        found = arc_files.header_of(self.number + 1, line)
        content = self._content(found.length, b"\n")
        if found.url.startswith("filedesc:"):
            return ArchiveRecord("filedesc", "", b"", content)
        first = next(content, b"")
        head = _warc_head(found, os.path.basename(self.path), is_http=first.startswith(b"HTTP/"))
        return ArchiveRecord("response", found.url, head, _with_first(first, content))

    def _content(self, length: int, end: bytes) -> Iterator[bytes]:
        try:
            while length:
                piece = self.stream.read(min(length, PIECE))
                while len(piece) < min(length, PIECE):
                    more = self.stream.read(min(length, PIECE) - len(piece))
                    if not more:
                        raise EOFError
                    piece += more
                length -= len(piece)
                yield piece
            if isinstance(self.stream, Members):
                self.stream.skip(end)
        except STREAM_ERRORS as error:
            self.error = error
            raise IncompleteError from error

    def _place(self) -> str:
        if not self.number:
            return "at its beginning"
        # In other packed files the offset of a record is unknown.
        byte = f" at byte {self.begin}" if self.is_gzip or self.stream is self.file else ""
        return f"in or after record {self.number}{byte} ({self.last})"


def _reason(error: Exception) -> str:
    return "the file is cut off" if isinstance(error, EOFError) else read_problem(error)


def _begins_record(data: bytes) -> bool:
    return data.startswith(b"WARC/") or arc_files.begins_record(data)


def _record(head: bytes, content: Iterator[bytes], packed: bytes = b"") -> ArchiveRecord:
    kind = _field(head, b"WARC-Type") or "unnamed"
    url = "" if kind == "warcinfo" else _field(head, b"WARC-Target-URI")
    return ArchiveRecord(kind, url, head, content, packed)


def _length(head: bytes) -> int | None:
    found = _field(head, b"Content-Length")
    return int(found) if found.isdecimal() else None


def _field(head: bytes, name: bytes) -> str:
    found = re.search(rb"^%s[ \t]*:(.*)$" % name, head, re.I | re.M)
    return found[1].strip().decode("utf-8", "replace") if found else ""


def _with_first(first: bytes, rest: Iterator[bytes]) -> Iterator[bytes]:
    if first:
        yield first
    yield from rest


def short(value: str) -> str:
    """The value, or its digest if readers of archives refuse so long a value in a header."""
    data = value.encode("utf-8", "replace")
    return value if len(data) <= _LONGEST_VALUE else f"urn:sha256:{sha256(data).hexdigest()}"


def _warc_head(record: arc_files.ArcHeader, archive: str, *, is_http: bool) -> bytes:
    """The header of a WARC record for an ARC record; its id is always the same."""
    id = uuid5(NAMESPACE_URL, f"{archive} {record.number} {record.date} {record.url}")
    fields = {
        "WARC-Type": "response" if is_http else "resource",
        "WARC-Target-URI": record.url,
        "WARC-Date": arc_files.iso_date(record.date),
        "WARC-Record-ID": f"<urn:uuid:{id}>",
        "WARC-IP-Address": record.address,
        "Content-Type": "application/http; msgtype=response" if is_http else record.media,
        "Content-Length": str(record.length),
    }
    lines = [f"{name}: {short(value)}\r\n" for name, value in fields.items() if value]
    return "".join(["WARC/1.0\r\n", *lines, "\r\n"]).encode("utf-8", "replace")
