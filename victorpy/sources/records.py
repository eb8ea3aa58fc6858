"""Records of web archives as they stand, for those who move them and do not look inside."""

import os
from collections.abc import Iterator
from typing import IO, NamedTuple
from uuid import NAMESPACE_URL, uuid5

from victorpy.compression import TROUBLE, unpacked
from victorpy.errors import VictorError
from victorpy.sources import arc
from victorpy.sources.pages import trouble

# The pieces of a record are the same however a file is read: what is packed piece by piece has the same bytes then.
PIECE = 1 << 16

_LONGEST_LINE = 1 << 16
_MOST_LINES = 1_000
_END = b"\r\n\r\n"


class DamageError(VictorError):
    """An archive cannot be read, or not to its end."""


class Record(NamedTuple):
    """A record; its content is there until the next record is asked for.

    A WARC record's `head` is what stood in the file, an ARC record's is that of a WARC record."""

    kind: str
    url: str
    head: bytes
    content: Iterator[bytes]

    def pieces(self) -> Iterator[bytes]:
        """The whole WARC record."""
        yield self.head
        yield from self.content
        yield _END


def records(path: str) -> Iterator[Record]:
    """The records of a WARC or ARC file, packed or not; DamageError where it cannot be read further."""
    try:
        with open(path, "rb") as file:
            yield from _Archive(unpacked(file), path).records()
    except OSError as error:
        raise DamageError(trouble(error), path) from error


class _Archive:
    """One pass over a file."""

    def __init__(self, stream: IO[bytes], path: str):
        self.stream, self.path = stream, path
        self.number, self.last = 0, ""

    def records(self) -> Iterator[Record]:
        try:
            while line := self._first_line():
                record = self._warc(line) if line.startswith(b"WARC/") else self._arc(line)
                self.number, self.last = self.number + 1, record.url or record.kind
                yield record
                for _ in record.content:
                    pass
        except TROUBLE as error:
            raise self._damage(error) from error
        except ValueError as error:
            raise DamageError(f"{error}, {self._place()}", self.path) from error
        if not self.number:
            raise DamageError("no record in it: the file is empty", self.path)

    def _first_line(self) -> bytes:
        while line := self.stream.readline(_LONGEST_LINE):
            if line.strip():
                return line
        return b""

    def _warc(self, line: bytes) -> Record:
        lines = [line]
        while line.strip():
            line = self.stream.readline(_LONGEST_LINE)
            lines.append(line)
            if not line:
                raise EOFError
            if len(lines) > _MOST_LINES:
                raise ValueError("not a WARC record: its header does not end")
        fields = _fields(lines[1:-1])
        length = fields.get(b"content-length", b"")
        if not length.isdigit():
            raise ValueError("a WARC record without a length")
        kind, url = (fields.get(name, b"").decode("utf-8", "replace") for name in (b"warc-type", b"warc-target-uri"))
        of_archive = kind == "warcinfo"
        return Record(kind or "unnamed", "" if of_archive else url, b"".join(lines), self._content(int(length)))

    def _arc(self, line: bytes) -> Record:
        found = arc.record_of(self.number + 1, line)
        content = self._content(found.length)
        if found.url.startswith("filedesc:"):
            return Record("filedesc", "", b"", content)
        first = next(content, b"")
        head = _warc_head(found, os.path.basename(self.path), is_http=first.startswith(b"HTTP/"))
        return Record("response", found.url, head, _behind(first, content))

    def _content(self, length: int) -> Iterator[bytes]:
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
        except TROUBLE as error:
            raise self._damage(error) from error

    def _damage(self, error: Exception) -> DamageError:
        reason = "the file is cut off" if isinstance(error, EOFError) else trouble(error)
        return DamageError(f"{reason}, {self._place()}", self.path)

    def _place(self) -> str:
        return (
            f"in or behind record {self.number} ({self.last or 'without address'})" if self.last else "at its beginning"
        )


def _fields(lines: list[bytes]) -> dict[bytes, bytes]:
    named = (line.partition(b":") for line in lines)
    return {name.strip().lower(): value.strip() for name, _, value in named}


def _behind(first: bytes, rest: Iterator[bytes]) -> Iterator[bytes]:
    if first:
        yield first
    yield from rest


def _warc_head(record: arc.Record, archive: str, *, is_http: bool) -> bytes:
    """What ARC says of a record, as WARC says it; the id is the same each time."""
    id = uuid5(NAMESPACE_URL, f"{archive} {record.number} {record.date} {record.url}")
    fields = {
        "WARC-Type": "response" if is_http else "resource",
        "WARC-Target-URI": record.url,
        "WARC-Date": arc.iso(record.date),
        "WARC-Record-ID": f"<urn:uuid:{id}>",
        "WARC-IP-Address": record.address,
        "Content-Type": "application/http; msgtype=response" if is_http else record.media,
        "Content-Length": str(record.length),
    }
    lines = [f"{name}: {value}\r\n" for name, value in fields.items() if value]
    return "".join(["WARC/1.0\r\n", *lines, "\r\n"]).encode("utf-8", "replace")
