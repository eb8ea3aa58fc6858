"""ARC: the web archives of the years before WARC."""

import os
import re
from collections import Counter
from collections.abc import Iterator
from io import BytesIO
from typing import IO, NamedTuple

from victorpy.compression import TROUBLE, unpacked
from victorpy.errors import VictorError
from victorpy.sources.columns import COLUMNS, Columns
from victorpy.sources.pages import MAX_BYTES, RawPage, trouble
from victorpy.sources.responses import charset_of, decoded_body, passed_over, sized, why_no_page

_LONGEST_LINE = 1 << 16


class Record(NamedTuple):
    """What the line before a record says."""

    number: int
    url: str
    address: str
    date: str
    media: str
    length: int


def read(path: str, _: Columns = COLUMNS, max_bytes: int = MAX_BYTES) -> Iterator[RawPage | VictorError]:
    """The pages of an ARC file, packed or not; what is damaged ends it with an error."""
    found, last = Counter[str](), "its beginning"
    try:
        with open(path, "rb") as file:
            stream = unpacked(file)
            for record in _records(stream):
                last = f"record {record.number} ({record.url})"
                block = _block(stream, record, max_bytes)
                for page in _pages(path, record, block, found, max_bytes):
                    yield page._replace(offset=file.tell())
                if len(block) < min(record.length, max_bytes + 1):
                    yield VictorError(f"the file is cut off, in {last}", path)
                    return
            if last == "its beginning":
                yield VictorError("no ARC record in it: the file is empty", path)
    except TROUBLE as error:
        yield VictorError(f"{trouble(error)}, in or behind {last}", path)
    except ValueError as error:
        yield VictorError(f"{error}, behind {last}", path)
    passed_over(path, found)


def _records(stream: IO[bytes]) -> Iterator[Record]:
    number = 0
    while line := stream.readline(_LONGEST_LINE):
        if line.strip():
            number += 1
            yield record_of(number, line)


def record_of(number: int, line: bytes) -> Record:
    words = line.decode("utf-8", "replace").split()
    if len(words) < 5 or not words[-1].isdecimal() or not words[2].isdecimal() or ":" not in words[0]:
        raise ValueError("not an ARC record")
    url, address, date, media = words[:4]
    return Record(number, url, address, date, media, int(words[-1]))


def _block(stream: IO[bytes], record: Record, max_bytes: int) -> bytes:
    """As much of it as may be wanted; the rest is passed over."""
    block = _as_much(stream, min(record.length, max_bytes + 1))
    rest = record.length - len(block)
    while rest > 0 and (skipped := stream.read(min(rest, 1 << 20))):
        rest -= len(skipped)
    return block


def _as_much(stream: IO[bytes], size: int) -> bytes:
    pieces: list[bytes] = []
    try:
        while size > 0 and (piece := stream.read(min(size, 1 << 16))):
            pieces.append(piece)
            size -= len(piece)
    except EOFError:
        pass  # the caller sees that it is short
    return b"".join(pieces)


def _pages(path: str, record: Record, block: bytes, found: Counter[str], max_bytes: int) -> Iterator[RawPage]:
    if not record.url.lower().startswith(("http:", "https:")):
        return
    status, content_type, encodings, body = _answer(block, record.media)
    media = content_type.partition(";")[0].strip()
    reason = why_no_page(status, "" if media == "no-type" else media, body)
    if reason:
        found[reason] += 1
        return
    id = f"{os.path.basename(path)}-{record.number}"
    page = RawPage(id, f"{path}, record {record.number}", None, url=record.url, date=iso(record.date))
    data, problem = decoded_body(body, *encodings, max_bytes)
    if len(block) < min(record.length, max_bytes + 1):
        problem = "the file ends in the middle of it"
    yield sized(page._replace(charset=charset_of(content_type)), data, problem, max_bytes)


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


def iso(date: str) -> str:
    """20060131120000 as a WARC has it."""
    if len(date) != 14:
        return ""
    return f"{date[:4]}-{date[4:6]}-{date[6:8]}T{date[8:10]}:{date[10:12]}:{date[12:]}Z"
