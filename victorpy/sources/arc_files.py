"""ARC: the format of web archives before WARC."""

import os
import re
from collections import Counter
from collections.abc import Generator, Iterator
from dataclasses import replace
from io import BytesIO
from typing import IO, NamedTuple

from victorpy.errors import VictorError
from victorpy.foundation.compression import STREAM_ERRORS, unpacked
from victorpy.sources.gzip_members import Members, MemberSearch
from victorpy.sources.http_responses import (
    charset_of,
    decoded_body,
    is_xml,
    log_skipped,
    pages_of_file,
    sized,
    skip_reason,
)
from victorpy.sources.raw_pages import MAX_BYTES, RawPage, read_problem
from victorpy.sources.table_columns import COLUMNS, PageColumns

_GZIP = b"\x1f\x8b"
_LONGEST_LINE = 1 << 16


class ArcHeader(NamedTuple):
    """The line before a record, and the number of the record."""

    number: int
    url: str
    address: str
    date: str
    media: str
    length: int


def read(path: str, _: PageColumns = COLUMNS, max_bytes: int = MAX_BYTES) -> Iterator[RawPage | VictorError]:
    """The pages of an ARC file, packed or not.

    Damage gives an error. It ends the file unless each record is packed by itself.
    """
    return pages_of_file(path, lambda file: _ArcReader(file, path, max_bytes).pages())


class _ArcReader:
    """One pass over a file."""

    def __init__(self, file: IO[bytes], path: str, max_bytes: int):
        self.file, self.path, self.max_bytes = file, path, max_bytes
        self.skipped = Counter[str]()
        # The last record: its number, its offset, and its description.
        self.number, self.begin, self.last = 0, 0, "its beginning"

    def pages(self) -> Iterator[RawPage | VictorError]:
        is_gzip = self.file.read(2) == _GZIP
        search = MemberSearch(self.file, begins_record)
        start: int | None = 0
        while start is not None:
            damage = yield from self._pages_from(start, is_gzip=is_gzip)
            start = search.next_after(max(start, self.begin)) if damage and is_gzip else None
        log_skipped(self.path, self.skipped)

    def _pages_from(self, start: int, *, is_gzip: bool) -> Generator[RawPage | VictorError, None, bool]:
        """Yield the pages up to the end or to a damage; return whether there was damage."""
        self.file.seek(start)
        stream = Members(self.file) if is_gzip else unpacked(self.file)
        before, damage = self.number, ""
        try:
            while record := self._record(stream):
                block = _block(stream, record, self.max_bytes)
                for page in self._pages(record, block):
                    yield replace(page, offset=self.file.tell())
                if len(block) < min(record.length, self.max_bytes + 1):
                    damage = f"the file is cut off, in {self.last}"
                    break
            if not self.number:
                damage = "no ARC record in it: the file is empty"
        except STREAM_ERRORS as error:
            damage = f"{read_problem(error)}, in or after {self.last}"
        except ValueError as error:
            damage = f"{error}, after {self.last}"
        # The first record after a damage may be the damaged one, which has been reported.
        if damage and not (start and self.number == before):
            yield VictorError(damage, self.path)
        return bool(damage)

    def _record(self, stream: IO[bytes] | Members) -> ArcHeader | None:
        while line := stream.readline(_LONGEST_LINE):
            if line.strip():
                record = header_of(self.number + 1, line)
                self.begin = stream.begun if isinstance(stream, Members) else 0
                self.number, self.last = record.number, f"record {record.number} ({record.url})"
                return record
        return None

    def _pages(self, record: ArcHeader, block: bytes) -> Iterator[RawPage]:
        if not record.url.lower().startswith(("http:", "https:")):
            return
        status, content_type, encodings, body = _answer(block, record.media)
        media = content_type.partition(";")[0].strip()
        reason = skip_reason(status, "" if media == "no-type" else media, body)
        if reason:
            self.skipped[reason] += 1
            return
        id = f"{os.path.basename(self.path)}-{record.number}"
        page = RawPage(id=id, path=f"{self.path}, record {record.number}", url=record.url, date=iso_date(record.date))
        data, problem = decoded_body(body, *encodings, self.max_bytes)
        if len(block) < min(record.length, self.max_bytes + 1):
            problem = "the file ends in the middle of it"
        yield sized(
            replace(page, charset=charset_of(content_type), is_xml=is_xml(media)), data, problem, self.max_bytes
        )


def begins_record(data: bytes) -> bool:
    line, end, _ = data.partition(b"\n")
    try:
        return bool(end and header_of(1, line))
    except ValueError:
        return False


def header_of(number: int, line: bytes) -> ArcHeader:
    words = line.decode("utf-8", "replace").split()
    if len(words) < 5 or not words[-1].isdecimal() or not words[2].isdecimal() or ":" not in words[0]:
        raise ValueError("not an ARC record")
    url, address, date, media = words[:4]
    return ArcHeader(number, url, address, date, media, int(words[-1]))


def _block(stream: IO[bytes] | Members, record: ArcHeader, max_bytes: int) -> bytes:
    """The beginning of a record up to the limit; the rest is skipped."""
    block = _as_much(stream, min(record.length, max_bytes + 1))
    rest = record.length - len(block)
    while rest > 0 and (skipped := stream.read(min(rest, 1 << 20))):
        rest -= len(skipped)
    return block


def _as_much(stream: IO[bytes] | Members, size: int) -> bytes:
    pieces: list[bytes] = []
    try:
        while size > 0 and (piece := stream.read(min(size, 1 << 16))):
            pieces.append(piece)
            size -= len(piece)
    except EOFError:
        pass  # the caller notices that the block is short
    return b"".join(pieces)


def _answer(block: bytes, media: str) -> tuple[int | None, str, tuple[str, str], bytes]:
    """Status, content type, transfer and content encoding, and body."""
    if not block.startswith(b"HTTP/"):
        return None, media, ("", ""), block
    from http.client import HTTPException, parse_headers  # noqa: PLC0415

    stream = BytesIO(block)
    words = stream.readline(_LONGEST_LINE).split(None, 2)
    status = int(words[1]) if len(words) > 1 and re.fullmatch(rb"\d{1,9}", words[1]) else None
    try:
        headers = parse_headers(stream)
    except HTTPException:
        return status, media, ("", ""), block.partition(b"\r\n\r\n")[2]
    encodings = headers.get("Transfer-Encoding", ""), headers.get("Content-Encoding", "")
    return status, headers.get("Content-Type", media), encodings, stream.read()


def iso_date(date: str) -> str:
    """A date such as 20060131120000 in the format of WARC."""
    if len(date) != 14:
        return ""
    return f"{date[:4]}-{date[4:6]}-{date[6:8]}T{date[8:10]}:{date[10:12]}:{date[12:]}Z"
