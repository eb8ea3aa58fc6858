"""Small web archives of our own."""

import gzip
import struct
from io import BytesIO

import pytest

fastwarc = pytest.importorskip("fastwarc.warc")
zstandard = pytest.importorskip("zstandard")

HTML = b"<p>The ferry leaves at seven, long before the island is awake.</p>"
RECORD_ID = "urn:uuid:00000000-0000-4000-8000-{:012d}"


def answer(body=HTML, media="text/html; charset=utf-8", status="200 OK", **headers):
    lines = [f"HTTP/1.1 {status}", *([f"Content-Type: {media}"] if media else [])]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode() + body


def warc(number, block=None, kind="response", **headers):
    """A record as FastWARC writes it."""
    record = fastwarc.WarcRecord()
    record.init_headers(getattr(fastwarc.WarcRecordType, kind))
    record.headers["WARC-Record-ID"] = f"<{RECORD_ID.format(number)}>"
    record.headers["WARC-Date"] = "2024-05-06T07:00:00Z"
    record.headers["WARC-Target-URI"] = f"https://harbour.example/{number}"
    for name, value in headers.items():
        record.headers[name.replace("_", "-")] = value
    record.is_http = kind in {"response", "revisit"}
    record.set_bytes_content(answer() if block is None else block)
    stream = BytesIO()
    record.write(stream)
    return stream.getvalue()


def arc(url, block, media="text/html"):
    return f"{url} 127.0.0.1 20060131120000 {media} {len(block)}\n".encode() + block + b"\n"


ARC_HEAD = arc(
    "filedesc://harbour.arc", b"1 0 Harbour\nURL IP-address Archive-date Content-type Archive-length\n", "text/plain"
)


def packed(records, ending):
    """Record by record, as crawlers do."""
    if ending == ".gz":
        return b"".join(gzip.compress(record) for record in records)
    if ending == ".zst":
        return b"".join(zstandard.compress(record) for record in records)
    return b"".join(records)


def nested(head, blocks):
    """Gzip members, each within the one before it, that all hold what begins so, and break off at one far end."""
    member = gzip.compress(b"", mtime=0)[:10]
    step = len(member) + 5 + len(head)
    size = 60_000 // step * step
    block = b"".join(member + _stored(size - place - len(member) - 5) + head for place in range(0, size, step))
    return member + _stored(len(head)) + head + (_stored(size) + block) * blocks + b"\7"


def _stored(size):
    """What stands before so many bytes that deflate leaves as they are."""
    return struct.pack("<BHH", 0, size, 0xFFFF ^ size)
