"""Small web archives and tables of our own to begin with, plain and packed."""

import gzip
import io
import json
from itertools import starmap

_PAGE = b"<title>Harbour</title><p>The ferry leaves at seven, long before the island is awake.</p>"


def _answer(body: bytes, *headers: str, status: str = "200 OK") -> bytes:
    return "\r\n".join([f"HTTP/1.1 {status}", *headers, "", ""]).encode() + body


_ANSWERS = (
    _answer(_PAGE, "Content-Type: text/html; charset=utf-8"),
    _answer(b"1c\r\n" + _PAGE[:28] + b"\r\n0\r\n\r\n", "Content-Type: text/html", "Transfer-Encoding: chunked"),
    _answer(gzip.compress(_PAGE, mtime=0), "Content-Type: text/html", "Content-Encoding: gzip"),
    _answer(_PAGE, "Content-Type: text/html", "Content-Encoding: br"),
    _answer(_PAGE, "Content-Type: text/html", "Content-Encoding: deflate"),
    _answer(b"no", "Content-Type: text/plain", status="404 Not Found"),
)


def _warc(number: int, block: bytes, kind: str = "response", *headers: str) -> bytes:
    head = (
        "WARC/1.0",
        f"WARC-Type: {kind}",
        f"WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-{number:012}>",
        "WARC-Date: 2024-05-06T07:00:00Z",
        f"WARC-Target-URI: https://harbour.example/{number}",
        "Content-Type: application/http; msgtype=response",
        *headers,
        f"Content-Length: {len(block)}",
    )
    return "\r\n".join([*head, "", ""]).encode() + block + b"\r\n\r\n"


def _arc(url: str, block: bytes, media: str = "text/html") -> bytes:
    return f"{url} 127.0.0.1 20060131120000 {media} {len(block)}\n".encode() + block + b"\n"


def _packed(records: list[bytes]) -> list[bytes]:
    return [
        b"".join(records),
        b"".join(gzip.compress(record, mtime=0) for record in records),
        gzip.compress(b"".join(records), mtime=0),
        *_zstandard(records),
    ]


def _zstandard(records: list[bytes]) -> list[bytes]:
    try:
        import zstandard  # noqa: PLC0415
    except ImportError:
        return []
    return [b"".join(map(zstandard.compress, records))]


def warcs() -> list[bytes]:
    records = list(starmap(_warc, enumerate(_ANSWERS)))
    revisit = _warc(9, b"", "revisit", "WARC-Refers-To: <urn:uuid:1>")
    return _packed([_warc(8, b"software: x\r\n", "warcinfo"), *records, revisit])


def arcs() -> list[bytes]:
    head = _arc("filedesc://harbour.arc", b"1 0 Harbour\nURL IP-address Archive-date Content-type Archive-length\n")
    records = [_arc(f"http://harbour.example/{number}", answer) for number, answer in enumerate(_ANSWERS)]
    return _packed([head, *records, _arc("http://harbour.example/old", _PAGE)])


def tables() -> list[bytes]:
    rows = (
        {"html": _PAGE.decode(), "url": "https://harbour.example/", "id": "a"},
        {"content": "<p>déjà", "address": None, "name": 7},
        {"html": None},
    )
    lines = [json.dumps(row).encode() + b"\n" for row in rows]
    return _packed(lines)


def parquets() -> list[bytes]:
    try:
        from pyarrow import parquet, table  # noqa: PLC0415
    except ImportError:
        return []
    content = io.BytesIO()
    rows = table({"html": [_PAGE.decode(), "<p>a", None], "url": ["https://x.example/", None, ""]})
    parquet.write_table(rows, content)
    return [content.getvalue()]
