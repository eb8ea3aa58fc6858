"""The records of web archives, WARC and ARC, in any packing. All commands read archives with this module."""

import os
import zlib
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from itertools import chain
from typing import IO, NamedTuple

from victorpy.errors import VictorError
from victorpy.foundation.compression import STREAM_ERRORS, DamagedError
from victorpy.sources.archive_heads import (
    LONGEST_LOOK,
    ArcHead,
    WarcHead,
    arc_head,
    begins_record,
    iso_date,
    next_head,
    warc_head,
)
from victorpy.sources.archive_streams import ArchiveStream, begins_unit
from victorpy.sources.raw_pages import read_problem

# All kinds of files give pieces of this size, so packing a record piece by piece always gives the same bytes.
PIECE = 1 << 16

_LONGEST_HEAD = {True: 1 << 20, False: 1 << 16}

# Larger records are not kept in memory, and are packed again.
_LARGEST = 1 << 20
_END = b"\r\n\r\n"
# What stands between the content of a record and the next record, in WARC and in ARC.
_TERMINATORS = {True: (b"\r\n\r\n", b"\n\n"), False: (b"\n", b"\r\n")}

# Some readers of archives stop at a record whose header has more than some 32,000 bytes.
_LONGEST_VALUE = 8_000


class DamageError(VictorError):
    """A damaged archive: all of it or a part cannot be read."""


class IncompleteError(Exception):
    """The content of a record is damaged. The next item of `records` is the DamageError.

    `length` is given if less than what was read belongs to the record.
    """

    def __init__(self, message: str, length: int | None = None):
        super().__init__(message)
        self.length = length


class ArchiveRecord(NamedTuple):
    """A record. Read its content before the next record.

    The `head` of a WARC record is as in the file. `offset` is that of the record, or of the packed unit in which it
    begins. A record that is copied and has a gzip member of its own has it as `packed`.
    """

    number: int
    offset: int
    found: WarcHead | ArcHead
    head: bytes
    content: Iterator[bytes]
    packed: bytes = b""

    @property
    def kind(self) -> str:
        if isinstance(self.found, WarcHead):
            return self.found.kind or "unnamed"
        return "filedesc" if self.found.url.startswith("filedesc:") else "response"

    @property
    def url(self) -> str:
        return "" if self.kind in {"warcinfo", "filedesc"} else self.found.url

    def pieces(self) -> Iterator[bytes]:
        """The whole WARC record."""
        yield self.head
        yield from self.content
        yield _END


def records(path: str, *, is_copied: bool = False) -> Iterator[ArchiveRecord | DamageError]:
    """The records of a WARC or ARC file, packed or not. Damage gives an error, and costs the record in which it is.

    Records to copy have `packed`, and ARC records get heads of WARC records.
    """
    try:
        with open(path, "rb") as file:
            yield from records_of(file, path, is_copied=is_copied)
    except OSError as error:
        yield DamageError(read_problem(error), path)


def records_of(file: IO[bytes], path: str, *, is_copied: bool = False) -> Iterator[ArchiveRecord | DamageError]:
    return _ArchiveReader(file, path, is_copied=is_copied).records()


class _ArchiveReader:
    """One pass over a file."""

    def __init__(self, file: IO[bytes], path: str, *, is_copied: bool):
        self.path, self.is_copied = path, is_copied
        self.stream = ArchiveStream(file)
        self.last: ArchiveRecord | None = None
        # The offset of what is read as a record.
        self.begin: int | None = None
        # A damage that is reported when it is known where reading continues.
        self.damage = ""
        # Why the content of the last record is damaged, and whether its unit cannot be read on.
        self.error, self.is_unit_lost = "", False

    def records(self) -> Iterator[ArchiveRecord | DamageError]:
        while record := self._next():
            if self.damage:
                yield self._reported(f"; continues at byte {record.offset}")
            yield record
            with suppress(IncompleteError):
                for _ in record.content:
                    pass
            if self.error:
                self.damage, self.error = f"{self.error}, in {_name(record)}", ""
                if not self._recovers():
                    break
        if self.damage:
            yield self._reported("; nothing after it can be read")
        elif not self.last:
            yield DamageError("no record in it: the file is empty", self.path)

    def _reported(self, rest: str) -> DamageError:
        damage, self.damage = self.damage, ""
        return DamageError(damage + rest, self.path)

    def _next(self) -> ArchiveRecord | None:
        """The next record, or the next one after a damage."""
        while True:
            self.begin = None
            try:
                return self._record() if self.stream.has_record() else None
            except (*STREAM_ERRORS, ValueError) as error:
                self.is_unit_lost = not isinstance(error, ValueError) or self.stream.is_foreign
                self.damage = self.damage or f"{_reason(error)}, {self._place()}"
            if not self._recovers():
                return None

    def _place(self) -> str:
        begin = self.stream.last_unit if self.begin is None else self.begin
        return f"at byte {begin}" + (f", after {_name(self.last)}" if self.last else "")

    def _recovers(self) -> bool:
        """Go to the next record after a damage; False if there is none."""
        while True:
            try:
                if self.is_unit_lost:
                    if not self.stream.finds_unit():
                        return False
                    self.is_unit_lost = False
                if self.stream.finds_head():
                    return True
                if not self.stream.goes_on():
                    return False
                self.is_unit_lost = self.stream.is_junk()
            except STREAM_ERRORS:
                self.is_unit_lost = True

    def _record(self) -> ArchiveRecord:
        self.begin = offset = self.stream.offset
        begun, passed = self.stream.unit
        is_warc = self.stream.starts_with(b"WARC/")
        found = warc_head(head := self._head(is_warc=True)) if is_warc else arc_head(head := self._head(is_warc=False))
        number = self.last.number + 1 if self.last else 1
        content = self._content(found.length, is_warc=is_warc)
        self.last = record = ArchiveRecord(number, offset, found, head, content)
        return self._to_copy(record, begun, is_first=not passed) if self.is_copied else record

    def _head(self, *, is_warc: bool) -> bytes:
        """The header of a WARC record, or the line of an ARC record."""
        stream, size, is_whole = self.stream, 1 << 10, True
        if not is_warc:
            _check_packed_once(stream)
        while True:
            end = _end_of_head(stream.data, stream.place) if is_warc else stream.data.find(b"\n", stream.place) + 1
            if end:
                break
            if not is_whole:
                stream.check()
            if not is_whole and stream.is_last() and is_warc:
                raise EOFError
            if not is_whole or size > _LONGEST_HEAD[is_warc]:
                stream.place += 1
                raise ValueError("not a WARC or ARC record" + is_warc * ": its header does not end")
            is_whole, size = stream.holds(size), size * 4
        head = stream.data[stream.place : end]
        if is_warc:
            _check_single(stream, head)
        else:
            _check_line(stream, head)
        stream.place = end
        return head

    def _content(self, length: int | None, *, is_warc: bool) -> Iterator[bytes]:
        try:
            if length is None:
                yield from self._of_unknown_length()
            else:
                yield from self._of_length(length, is_warc=is_warc)
        except STREAM_ERRORS as error:
            self.error, self.is_unit_lost = _reason(error), True
            raise IncompleteError(self.error) from error
        except IncompleteError as error:
            self.error = str(error)
            raise

    def _of_length(self, length: int, *, is_warc: bool) -> Iterator[bytes]:
        """The content, whose end is checked first if that takes no memory."""
        stream = self.stream
        if not stream.is_plain and length > _LARGEST:
            yield from self._of_large(length, is_warc=is_warc)
            return
        start, whole = stream.unit, length if length <= _LARGEST else PIECE
        try:
            tail = stream.peek(length, LONGEST_LOOK)
            if _is_end(tail):
                yield from stream.pieces(length, whole)
                return
            content = b"" if stream.is_plain else next(stream.pieces(length, whole), b"")
            stream.go_back(start)
            size, problem = self._measured(length, tail, is_warc=is_warc)
        except STREAM_ERRORS:
            yield from stream.pieces(length, whole)
            raise
        if content:
            yield content[:size]
            if not problem:
                stream.go_back((start[0], start[1] + length))
        elif stream.go_back(start):
            yield from stream.pieces(size, whole)
        if problem:
            raise IncompleteError(problem)

    def _of_large(self, length: int, *, is_warc: bool) -> Iterator[bytes]:
        """Content that is too large to be kept until its end has been checked."""
        stream, got = self.stream, 0
        start = stream.unit
        for piece in stream.pieces(length, PIECE):
            got += len(piece)
            yield piece
        stream.check()
        tail = stream.peek(0, LONGEST_LOOK) if got == length else None
        if _is_end(tail):
            return
        if not stream.go_back(start):
            raise IncompleteError(f"its Content-Length is {length}, which is wrong")
        size, problem = self._measured(length, tail, is_warc=is_warc)
        if problem:
            raise IncompleteError(problem, size)
        stream.go_back((start[0], start[1] + length))

    def _measured(self, length: int, tail: bytes | None, *, is_warc: bool) -> tuple[int, str]:
        """How much content there is up to the next record, and what is wrong with it. Goes to that record."""
        stream = self.stream
        start = stream.position
        is_found = stream.finds_head()
        size = stream.position - start
        if tail is not None and size >= length and tail.startswith(_TERMINATORS[is_warc]):
            return length, ""
        if size < length and not is_found and stream.is_last():
            return size, "the file is cut off"
        return min(size, length), f"its length should be {length}, but there are {size} bytes"

    def _of_unknown_length(self) -> Iterator[bytes]:
        stream = self.stream
        start, begun = stream.unit, stream.position
        stream.finds_head()
        size = stream.position - begun
        if stream.go_back(start):
            yield from stream.pieces(size, PIECE)
        raise IncompleteError("its Content-Length is missing or no number")

    def _to_copy(self, record: ArchiveRecord, begun: int, *, is_first: bool) -> ArchiveRecord:
        """The record with its gzip member, or as a WARC record if it is an ARC record."""
        found, content = record.found, record.content
        if isinstance(found, ArcHead):
            try:
                first = next(content, b"")
            except IncompleteError as error:
                first, content = b"", _raised(error)
            head = _warc_head(found, record.number, os.path.basename(self.path), is_http=first.startswith(b"HTTP/"))
            return record._replace(head=b"" if record.kind == "filedesc" else head, content=chain([first], content))
        if not is_first or found.length is None or found.length > _LARGEST:
            return record
        try:
            pieces = list(content)
        except IncompleteError as error:
            return record._replace(content=_raised(error))
        is_alone = self.stream.is_over(_END)
        # As for larger records, so that packing gives the same bytes.
        pieces = [piece[place : place + PIECE] for piece in pieces for place in range(0, len(piece), PIECE)]
        return record._replace(content=iter(pieces), packed=self.stream.packed_member(begun) if is_alone else b"")


def _name(record: ArchiveRecord) -> str:
    return f"record {record.number} at byte {record.offset} ({record.found.url or 'without address'})"


def _raised(error: IncompleteError) -> Iterator[bytes]:
    yield b""
    raise error


def _end_of_head(data: bytes, start: int) -> int:
    """Where the header ends that begins here; 0 if it goes on. Lines may end in LF only."""
    end = data.find(b"\n\r\n", start) + 3
    bare = data.find(b"\n\n", start, end if end > 2 else len(data)) + 2
    return bare if bare > 1 else end if end > 2 else 0


def _check_single(stream: ArchiveStream, head: bytes) -> None:
    """The header of a record that is cut off goes on with the next record."""
    if b"WARC/" in head[5:] and next_head(head, 5, len(head)) >= 0:
        stream.place += 5
        raise ValueError("not a WARC record: another one begins in its header")


def _check_packed_once(stream: ArchiveStream) -> None:
    if not stream.is_plain and begins_unit(stream.data[stream.place : stream.place + 4]):
        stream.place += 1
        raise ValueError("packed twice: unpack it once")


def _check_line(stream: ArchiveStream, line: bytes) -> None:
    try:
        arc_head(line)
    except ValueError:
        stream.place += 1
        raise


def _is_end(tail: bytes | None) -> bool:
    """Is this what stands after the content of a record?"""
    if tail is None:
        return False
    rest = tail.lstrip(b"\r\n\0")
    return not rest or rest.startswith(b"WARC/") or begins_unit(rest) or begins_record(rest)


def _reason(error: Exception) -> str:
    if isinstance(error, ValueError):
        return str(error)
    if isinstance(error, EOFError):
        return "the file is cut off"
    return str(error) if isinstance(error, (DamagedError, zlib.error)) else read_problem(error)


def short(value: str) -> str:
    """The value, or its digest if readers of archives refuse so long a value in a header."""
    data = value.encode("utf-8", "replace")
    return value if len(data) <= _LONGEST_VALUE else f"urn:sha256:{sha256(data).hexdigest()}"


def _warc_head(found: ArcHead, number: int, archive: str, *, is_http: bool) -> bytes:
    """The header of a WARC record for an ARC record; its id is always the same."""
    from uuid import NAMESPACE_URL, uuid5  # noqa: PLC0415

    id = uuid5(NAMESPACE_URL, f"{archive} {number} {found.date} {found.url}")
    fields = {
        "WARC-Type": "response" if is_http else "resource",
        "WARC-Target-URI": found.url,
        "WARC-Date": iso_date(found.date),
        "WARC-Record-ID": f"<urn:uuid:{id}>",
        "WARC-IP-Address": found.address,
        "Content-Type": "application/http; msgtype=response" if is_http else found.media,
        "Content-Length": str(found.length),
    }
    lines = [f"{name}: {short(value)}\r\n" for name, value in fields.items() if value]
    return "".join(["WARC/1.0\r\n", *lines, "\r\n"]).encode("utf-8", "replace")
