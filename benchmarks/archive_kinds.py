"""Two hundred kinds of web archives, each with an oddity, and what must become of them.

pip install warcio brotli
python benchmarks/archive_kinds.py --damaged 100000

Ends with status 1 unless every HTML response that warcio reads is one page with the same body, every header of a record
is a page, a skipped record or a damage that is told, and no record is lost in which there is no damage. Then one
`victor run` cleans all these archives: each page must have one outcome with its text, and `victor verify` must name
the damaged archives and nothing else. `victor group-by-host` must move the same pages out of each, and tell as many
damages.
"""

import argparse
import gzip
import io
import json
import logging
import random
import sys
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout, suppress
from itertools import accumulate, chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from tally import tally

from victorpy import labeler
from victorpy.cli import main as victor
from victorpy.errors import VictorError
from victorpy.foundation.hosts import host_of
from victorpy.output.escapes import printable
from victorpy.pipeline.grouping import Grouping, group
from victorpy.pipeline.runs.journal import state_at
from victorpy.sources import SOURCES, RawPage
from victorpy.sources.archive_records import records

SENTENCE = "Before the ferry leaves, lantern {0} is lit on the quay and somebody counts the boats."
HTML = "<!DOCTYPE html><title>Quay {0}</title><p>" + SENTENCE + "</p>"
DATE = "2024-05-06T07:00:00Z"
BLOCK = 1 << 12


class Kind(NamedTuple):
    """The records of an archive; so many of their headers cannot be read, and so many damages are told at least.

    warcio leaves some bodies packed. `body` is what must be read instead.
    """

    records: Sequence[bytes]
    lost: int = 0
    damages: int = 0
    body: bytes = b""


def page(number: int) -> bytes:
    return HTML.format(number).encode()


def answer(
    body: bytes, *fields: str, status: str = "HTTP/1.1 200 OK", media: str = "text/html", end: str = "\r\n"
) -> bytes:
    lines = [status, *([f"Content-Type: {media}"] if media else []), *fields]
    return end.join([*lines, "", ""]).encode() + body


BETWEEN = b"\r\n\r\n"


def record(number: int, block: bytes | None = None, end: str = "\r\n", **changed: str | None) -> bytes:
    """A record; fields can be changed, or left out by None."""
    block = answer(page(number)) if block is None else block
    fields = {
        "version": "WARC/1.0",
        "WARC-Type": "response",
        "WARC-Target-URI": f"https://harbour.example/{number}",
        "WARC-Date": DATE,
        "WARC-Record-ID": f"<urn:uuid:00000000-0000-4000-8000-{number:012}>",
        "Content-Type": "application/http; msgtype=response",
        "Content-Length": str(len(block)),
    } | {name.replace("_", "-"): value for name, value in changed.items()}
    version = fields.pop("version")
    lines = [str(version), *(f"{name}: {value}" for name, value in fields.items() if value is not None), "", ""]
    return end.join(lines).encode("utf-8", "surrogateescape") + block + BETWEEN


def among(*odd: bytes, lost: int = 0, damages: int = 0) -> Kind:
    """Odd records between good ones."""
    return Kind([record(1), *odd, record(8), record(9)], lost, damages)


def beyond_warcio(kind: Kind, body: bytes = b"") -> Kind:
    return kind._replace(body=body or page(2))


def of_answer(body: bytes, *fields: str, **said: str) -> Kind:
    return among(record(2, answer(body, *fields, **said)))


def chunked(body: bytes, size: int = 9) -> bytes:
    pieces = [body[place : place + size] for place in range(0, len(body), size)]
    return b"".join(b"%x\r\n%b\r\n" % (len(piece), piece) for piece in [*pieces, b""])


def raw_deflate(body: bytes) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(body) + packer.flush()


def brotli(body: bytes) -> bytes:
    import brotli as package  # noqa: PLC0415

    return bytes(package.compress(body))


def zstd(body: bytes, dictionary: bytes = b"") -> bytes:
    import zstandard  # noqa: PLC0415

    given = {"dict_data": zstandard.ZstdCompressionDict(dictionary)} if dictionary else {}
    return bytes(zstandard.ZstdCompressor(**given).compress(body))


def arc(number: int, block: bytes | None = None, media: str = "text/html", url: str = "") -> bytes:
    block = answer(page(number)) if block is None else block
    url = url or f"http://harbour.example/{number}"
    return f"{url} 127.0.0.1 20060131120000 {media} {len(block)}\n".encode() + block + b"\n"


ARC_HEAD = arc(
    0, b"1 0 Harbour\nURL IP-address Archive-date Content-type Archive-length\n", "text/plain", "filedesc://a"
)
ARC2_HEAD = (
    b"filedesc://a 0.0.0.0 20060131120000 text/plain 200 - - 0 a.arc 123\n2 0 Harbour\n"
    b"URL IP-address Archive-date Content-type Result-code Checksum Location Offset Filename Archive-length\n\n"
)


def _arc2(number: int) -> bytes:
    block = answer(page(number))
    head = f"http://harbour.example/{number} 127.0.0.1 20060131120000 text/html 200 - - 0 a.arc {len(block)}\n"
    return head.encode() + block + b"\n"


LONG = random.Random(5).randbytes(60_000).hex().encode()
BIG = page(2) + b"<p>" + LONG * 25

# By name; all in four packings.
KINDS: dict[str, Callable[[], Kind]] = {
    "good": lambda: among(record(2)),
    "empty content": lambda: among(record(2, b"")),
    "one record": lambda: Kind([record(1)]),
    "large record": lambda: among(record(2, answer(BIG))),
    "WARC/0.18": lambda: among(record(2, version="WARC/0.18")),
    "WARC/1.1": lambda: among(record(2, version="WARC/1.1")),
    "no record id": lambda: among(record(2, WARC_Record_ID=None)),
    "no record id anywhere": lambda: Kind([record(number, WARC_Record_ID=None) for number in range(5)]),
    "no date": lambda: among(record(2, WARC_Date=None)),
    "no address": lambda: among(record(2, WARC_Target_URI=None)),
    "address in angle brackets": lambda: among(record(2, WARC_Target_URI="<https://harbour.example/2>")),
    "address not UTF-8": lambda: among(record(2, WARC_Target_URI="https://harbour.example/caf\udce9")),
    "LF in the header": lambda: among(record(2, end="\n")),
    "LF in all headers": lambda: Kind([record(number, end="\n") for number in range(5)]),
    "names in lower case": lambda: among(
        record(2).replace(b"WARC-Type", b"warc-type").replace(b"Content-L", b"content-l")
    ),
    "names in upper case": lambda: among(record(2).replace(b"Content-Length", b"CONTENT-LENGTH")),
    "blanks around fields": lambda: among(record(2).replace(b"Content-Length: ", b"Content-Length:\t  ")),
    "no blanks in fields": lambda: among(record(2).replace(b"Content-Length: ", b"Content-Length:")),
    "folded field": lambda: among(record(2, X_Folded="a\r\n\tb")),
    "field twice": lambda: among(record(2, X_A="1\r\nX-A: 2")),
    "field without colon": lambda: among(record(2, X_A="1\r\nnothing")),
    "long field": lambda: among(record(2, X_A="a" * 40_000)),
    "Response": lambda: among(record(2, WARC_Type="Response")),
    "RESPONSE": lambda: among(record(2, WARC_Type="RESPONSE")),
    "no type": lambda: among(record(2, WARC_Type=None)),
    "unknown type": lambda: among(record(2, WARC_Type="harbour")),
    "resource": lambda: among(record(2, page(2), WARC_Type="resource", Content_Type="text/html")),
    "conversion": lambda: among(record(2, b"text", WARC_Type="conversion", Content_Type="text/plain")),
    "continuation": lambda: among(record(2, WARC_Segment_Number="1"), record(3, b"x", WARC_Type="continuation")),
    "revisit": lambda: among(record(2, answer(b""), WARC_Type="revisit")),
    "metadata and request": lambda: among(
        record(2, b"a: b\r\n", WARC_Type="metadata"), record(3, b"GET / HTTP/1.1\r\n\r\n", WARC_Type="request")
    ),
    "warcinfo": lambda: Kind([record(0, b"software: ours\r\n", WARC_Type="warcinfo", WARC_Target_URI=None), record(1)]),
    "truncated by the crawler": lambda: among(record(2, WARC_Truncated="length")),
    "response of HTML": lambda: among(record(2, page(2), Content_Type="text/html")),
    "length too large": lambda: beyond_warcio(among(record(2, Content_Length="250"), damages=1)),
    "length far too large": lambda: beyond_warcio(among(record(2, Content_Length="999999999"), damages=1)),
    "length too small": lambda: among(record(2, Content_Length="100"), damages=1),
    "no length": lambda: beyond_warcio(among(record(2, Content_Length=None), damages=1)),
    "negative length": lambda: among(record(2, Content_Length="-5"), damages=1),
    "length no number": lambda: among(record(2, Content_Length="many"), damages=1),
    "huge length": lambda: among(record(2, Content_Length="9" * 400), damages=1),
    "one line end between records": lambda: among(record(2)[:-2]),
    "no line end between records": lambda: among(record(2)[:-4]),
    "many line ends between records": lambda: among(record(2) + b"\r\n" * 50),
    "junk between records": lambda: among(record(2) + b"nothing\r\n" * 9, damages=1),
    "no WARC line": lambda: among(record(2).replace(b"WARC/1.0", b"nothing!"), lost=1, damages=1),
    "LF in HTTP": lambda: among(record(2, answer(page(2), "X-A: b", end="\n"))),
    "LF everywhere": lambda: among(record(2, answer(page(2), "X-A: b", end="\n"), end="\n")),
    "HTTP/1.0": lambda: of_answer(page(2), status="HTTP/1.0 200 OK"),
    "HTTP/2": lambda: of_answer(page(2), status="HTTP/2 200"),
    "no reason": lambda: of_answer(page(2), status="HTTP/1.1 200"),
    "404": lambda: of_answer(page(2), status="HTTP/1.1 404 Not Found"),
    "redirection": lambda: of_answer(b"", "Location: /", status="HTTP/1.1 301 Moved"),
    "picture": lambda: of_answer(b"\x89PNG", media="image/png"),
    "type in upper case": lambda: of_answer(page(2), media="TEXT/HTML; Charset=UTF-8"),
    "no media type": lambda: of_answer(page(2), media=""),
    "XHTML": lambda: of_answer(page(2), media="application/xhtml+xml"),
    "no body": lambda: of_answer(b""),
    "no HTTP header": lambda: among(record(2, page(2))),
    "HTTP header without end": lambda: among(record(2, b"HTTP/1.1 200 OK\r\nContent-Type: text/html")),
    "names of HTTP in lower case": lambda: among(record(2, answer(gzip.compress(page(2)), "content-encoding: GZIP"))),
    "gzip": lambda: of_answer(gzip.compress(page(2)), "Content-Encoding: gzip"),
    "x-gzip": lambda: beyond_warcio(of_answer(gzip.compress(page(2)), "Content-Encoding: x-gzip")),
    "gzip that is none": lambda: of_answer(page(2), "Content-Encoding: gzip"),
    "gzip cut off": lambda: of_answer(gzip.compress(BIG)[:30_000], "Content-Encoding: gzip"),
    "gzip in two members": lambda: beyond_warcio(
        of_answer(gzip.compress(page(2)) + gzip.compress(b"<p>end"), "Content-Encoding: gzip"),
        page(2) + b"<p>end",
    ),
    "deflate": lambda: of_answer(zlib.compress(page(2)), "Content-Encoding: deflate"),
    "raw deflate": lambda: of_answer(raw_deflate(page(2)), "Content-Encoding: deflate"),
    "deflate cut off": lambda: of_answer(zlib.compress(BIG)[:30_000], "Content-Encoding: deflate"),
    "deflate that is none": lambda: of_answer(page(2), "Content-Encoding: deflate"),
    "Brotli": lambda: of_answer(brotli(page(2)), "Content-Encoding: br"),
    "Brotli cut off": lambda: of_answer(brotli(BIG)[:30_000], "Content-Encoding: br"),
    "Brotli that is none": lambda: of_answer(page(2), "Content-Encoding: br"),
    "gzip, br": lambda: beyond_warcio(of_answer(brotli(gzip.compress(page(2))), "Content-Encoding: gzip, br")),
    "two lines of encodings": lambda: beyond_warcio(
        of_answer(brotli(gzip.compress(page(2))), "Content-Encoding: gzip", "Content-Encoding: br")
    ),
    "Zstandard": lambda: beyond_warcio(of_answer(zstd(page(2)), "Content-Encoding: zstd")),
    "folded encoding": lambda: beyond_warcio(of_answer(brotli(page(2)), "Content-Encoding:\r\n br")),
    "gzip with a wrong checksum": lambda: beyond_warcio(
        of_answer(gzip.compress(page(2))[:-8] + bytes(8), "Content-Encoding: gzip")
    ),
    "identity": lambda: of_answer(page(2), "Content-Encoding: identity"),
    "unknown encoding": lambda: of_answer(page(2), "Content-Encoding: harbour"),
    "chunked": lambda: of_answer(chunked(page(2)), "Transfer-Encoding: chunked"),
    "chunked gzip": lambda: of_answer(
        chunked(gzip.compress(page(2))), "Content-Encoding: gzip", "Transfer-Encoding: chunked"
    ),
    "Chunked": lambda: beyond_warcio(of_answer(chunked(page(2)), "transfer-encoding: Chunked")),
    "chunked that is none": lambda: of_answer(page(2), "Transfer-Encoding: chunked"),
    "chunks cut off": lambda: of_answer(chunked(page(2), 50)[:70], "Transfer-Encoding: chunked"),
    "chunks without end": lambda: of_answer(chunked(page(2))[:-5], "Transfer-Encoding: chunked"),
    "damaged chunks": lambda: of_answer(b"5\r\n<p>ab\r\nzz\r\ncdef", "Transfer-Encoding: chunked"),
    "zeros in sizes of chunks": lambda: of_answer(
        b"%020x\r\n%b\r\n0\r\n\r\n" % (len(page(2)), page(2)), "Transfer-Encoding: chunked"
    ),
    "a page like the last chunk": lambda: of_answer(b"0\n" + page(2), "Transfer-Encoding: chunked"),
    "type that is none": lambda: beyond_warcio(of_answer(gzip.compress(page(2)), media="text/html, text/html")),
    "no type, packed": lambda: beyond_warcio(of_answer(gzip.compress(page(2)), media="")),
    "early hints": lambda: beyond_warcio(of_answer(answer(page(2)), status="HTTP/1.1 103 Early Hints")),
    "through a proxy": lambda: beyond_warcio(
        among(record(2, b"HTTP/1.0 200 Connection established\r\n\r\n" + answer(page(2))))
    ),
    "ICY": lambda: of_answer(page(2), status="ICY 200 OK"),
    "pseudo-headers": lambda: of_answer(page(2), status=":status: 200"),
    "lines before HTTP": lambda: beyond_warcio(among(record(2, b"\r\n" + answer(page(2))))),
    "folded length": lambda: among(record(2).replace(b"Content-Length: ", b"Content-Length:\r\n ")),
    "length with a sign": lambda: beyond_warcio(among(record(2, Content_Length="+171"), damages=1)),
    "record within a record": lambda: of_answer(page(2) + b"\r\n\r\n" + record(7)),
    "ARC": lambda: Kind([ARC_HEAD, arc(1), arc(2), arc(3, b"\x89PNG", "image/png")]),
    "ARC without HTTP": lambda: Kind([ARC_HEAD, arc(1, page(1)), arc(2)]),
    "ARC of version 2": lambda: Kind(
        [ARC2_HEAD.replace(b" 123\n", b" %d\n" % (len(ARC2_HEAD) - 69)), _arc2(1), _arc2(2)]
    ),
    "ARC and WARC": lambda: Kind([ARC_HEAD, arc(1), record(2), arc(3), record(4)]),
}


def one_member(records: Sequence[bytes]) -> bytes:
    return gzip.compress(b"".join(records), mtime=0)


def members(records: Sequence[bytes]) -> bytes:
    return b"".join(gzip.compress(one, mtime=0) for one in records)


def frames(records: Sequence[bytes]) -> bytes:
    return b"".join(zstd(one) for one in records)


PACKINGS: dict[str, Callable[[Sequence[bytes]], bytes]] = {
    "plain": b"".join,
    "members": members,
    "one member": one_member,
    "frames": frames,
}

EMPTY = gzip.compress(b"", mtime=0)
DICTIONARY = record(7) * 9
GOOD = [record(number) for number in range(6)]


def blocks(records: Sequence[bytes]) -> bytes:
    """Members of equal size and an empty one at the end, as bgzip writes them."""
    data = b"".join(records)
    return members([data[place : place + BLOCK] for place in range(0, len(data), BLOCK)]) + EMPTY


def skippable(data: bytes, number: int = 0) -> bytes:
    return bytes([0x50 + number]) + b"\x2a\x4d\x18" + len(data).to_bytes(4, "little") + data


def with_dictionary(dictionary: bytes, first: int) -> bytes:
    """A dictionary, and three records packed with it."""
    return skippable(dictionary, 13) + b"".join(zstd(one, dictionary) for one in GOOD[first : first + 3])


def damaged_at(data: bytes, place: int) -> bytes:
    place %= len(data) or 1
    return data[:place] + bytes([data[place] ^ 0x5A]) + data[place + 1 :]


LARGE = [record(number, answer(page(number) + LONG[:9_000])) for number in range(8)]

# Archives in one packing: their bytes, their records, and how many are lost; the damages are at least as many.
PACKED: dict[str, Callable[[], tuple[bytes, Kind]]] = {
    "empty file": lambda: (b"", Kind([], damages=1)),
    "only an empty member": lambda: (EMPTY, Kind([], damages=1)),
    "empty member between": lambda: (members(GOOD[:3]) + EMPTY + members(GOOD[3:]), Kind(GOOD)),
    "empty member first": lambda: (EMPTY + members(GOOD), Kind(GOOD)),
    "three empty members": lambda: (members(GOOD[:3]) + EMPTY * 3 + members(GOOD[3:]) + EMPTY, Kind(GOOD)),
    "bgzip": lambda: (blocks(LARGE), Kind(LARGE)),
    "two of bgzip": lambda: (blocks(LARGE[:4]) + blocks(LARGE[4:]), Kind(LARGE)),
    "zeros between members": lambda: (bytes(999).join(map(gzip.compress, GOOD)), Kind(GOOD)),
    "zeros at the end": lambda: (members(GOOD) + bytes(999), Kind(GOOD)),
    "members then plain": lambda: (members(GOOD[:3]) + b"".join(GOOD[3:]), Kind(GOOD)),
    "plain then members": lambda: (b"".join(GOOD[:3]) + members(GOOD[3:]), Kind(GOOD)),
    "members then frames": lambda: (members(GOOD[:3]) + frames(GOOD[3:]), Kind(GOOD)),
    "frames then members": lambda: (frames(GOOD[:3]) + members(GOOD[3:]), Kind(GOOD)),
    "skippable frames": lambda: (
        skippable(b"x") + frames(GOOD[:3]) + skippable(b"yy", 7) + frames(GOOD[3:]),
        Kind(GOOD),
    ),
    "dictionary": lambda: (skippable(DICTIONARY, 13) + b"".join(zstd(one, DICTIONARY) for one in GOOD), Kind(GOOD)),
    "packed dictionary": lambda: (
        skippable(zstd(DICTIONARY), 13) + b"".join(zstd(one, DICTIONARY) for one in GOOD),
        Kind(GOOD),
    ),
    "two dictionaries": lambda: (with_dictionary(DICTIONARY, 0) + with_dictionary(DICTIONARY[::-1], 3), Kind(GOOD)),
    "damage before the second dictionary": lambda: (
        damaged_at(with_dictionary(DICTIONARY, 0), -len(zstd(GOOD[2], DICTIONARY)))
        + with_dictionary(DICTIONARY[::-1], 3),
        Kind(GOOD, lost=1, damages=1),
    ),
    "damaged dictionary": lambda: (
        skippable(b"\x37\xa4\x30\xec" + bytes(99), 13) + frames(GOOD),
        Kind(GOOD, damages=1),
    ),
    "frame to skip beyond the end": lambda: (frames(GOOD) + skippable(b"x")[:-1], Kind(GOOD, damages=1)),
    "length of a frame to skip": lambda: (
        frames(GOOD[:3]) + b"\x50\x2a\x4d\x18\0\0\1\0" + frames(GOOD[3:]),
        Kind(GOOD, damages=1),
    ),
    "many frames to skip": lambda: (skippable(b"") * 3_000 + frames(GOOD), Kind(GOOD)),
    "one frame": lambda: (zstd(b"".join(GOOD)), Kind(GOOD)),
    "gzip of gzip": lambda: (gzip.compress(members(GOOD)), Kind(GOOD, lost=6, damages=1)),
    "page, no archive": lambda: (page(1) * 20, Kind([], damages=1)),
    "damaged magic of the first member": lambda: (damaged_at(members(GOOD), 0), Kind(GOOD, lost=1, damages=1)),
    "damaged flags of the first member": lambda: (damaged_at(members(GOOD), 3), Kind(GOOD, lost=1, damages=1)),
    "damaged flags in the middle": lambda: (
        members(GOOD[:3]) + damaged_at(members(GOOD[3:]), 3),
        Kind(GOOD, lost=1, damages=1),
    ),
    "damaged first member": lambda: (damaged_at(members(GOOD), 60), Kind(GOOD, lost=1, damages=1)),
    "cut first member": lambda: (members(GOOD)[:30] + members(GOOD[1:]), Kind(GOOD, lost=1, damages=1)),
    "damaged checksum": lambda: (damaged_at(members(GOOD), len(members(GOOD[:2])) - 6), Kind(GOOD, damages=1)),
    "cut off in a member": lambda: (members(GOOD)[:-20], Kind(GOOD, damages=1)),
    "cut off in plain": lambda: (b"".join(GOOD)[:-60], Kind(GOOD, damages=1)),
    "cut off in a header": lambda: (b"".join(GOOD) + GOOD[0][:60], Kind([*GOOD, b""], lost=1, damages=1)),
    "damaged frame": lambda: (frames(GOOD[:2]) + damaged_at(frames(GOOD[2:]), 0), Kind(GOOD, lost=1, damages=1)),
    "damaged first frame": lambda: (damaged_at(frames(GOOD), 1), Kind(GOOD, lost=1, damages=1)),
    "damaged block of bgzip": lambda: (
        damaged_at(blocks(LARGE), len(members([b"".join(LARGE)[:BLOCK]])) + 500),
        Kind(LARGE, damages=1),
    ),
    "junk before": lambda: (b"nothing\n" * 9 + b"".join(GOOD), Kind(GOOD, damages=1)),
    "junk after members": lambda: (members(GOOD) + b"nothing", Kind(GOOD, damages=1)),
    "junk between members": lambda: (members(GOOD[:3]) + b"nothing" + members(GOOD[3:]), Kind(GOOD, damages=1)),
    "NULs before": lambda: (bytes(512) + b"".join(GOOD), Kind(GOOD)),
}


class Archive(NamedTuple):
    """An archive to check. `plain` is what warcio is given: it does not read Zstandard."""

    name: str
    data: bytes
    plain: bytes
    kind: Kind


def archives() -> Iterator[Archive]:
    for name, make in KINDS.items():
        kind = make()
        for packing, pack in PACKINGS.items():
            data = pack(kind.records)
            yield Archive(f"{name}, {packing}", data, b"".join(kind.records) if packing == "frames" else data, kind)
    for name, packed in PACKED.items():
        data, kind = packed()
        # It reads no record that goes on in another member.
        yield Archive(name, data, b"".join(kind.records) if "bgzip" in name and not kind.damages else data, kind)


# Reading


class Found(NamedTuple):
    """What the reader gives of an archive."""

    pages: list[RawPage]
    skipped: Counter[str]
    damages: list[str]


def found_in(path: Path) -> Found:
    skipped = Counter[str]()
    items = [*SOURCES["warc"].read(str(path), max_bytes=64_000_000, skipped=skipped)]
    pages = [item for item in items if isinstance(item, RawPage)]
    return Found(pages, skipped, [str(item) for item in items if isinstance(item, VictorError)])


def of_warcio(data: bytes) -> Iterator[tuple[str, bytes]]:
    """Address and body of each HTML response that warcio reads. It ends at the first damage."""
    from warcio.archiveiterator import ArchiveIterator  # noqa: PLC0415

    # It warns of lengths, and its errors are of many kinds.
    with redirect_stderr(io.StringIO()), suppress(Exception):
        for one in ArchiveIterator(io.BytesIO(data)):
            http = one.http_headers
            if one.rec_type != "response" or not http or not http.get_statuscode().startswith("2"):
                continue
            media = (http.get_header("Content-Type") or "").partition(";")[0].strip().lower()
            if media in {"text/html", "application/xhtml+xml"}:
                yield one.rec_headers.get_header("WARC-Target-URI") or "", one.content_stream().read()


def faults(archive: Archive, path: Path) -> Iterator[str]:
    path.write_bytes(archive.data)
    found, kind = found_in(path), archive.kind
    accounted = len(found.pages) + found.skipped.total()
    if accounted != len(kind.records) - kind.lost:
        yield f"{accounted} of {len(kind.records)} headers accounted for, {kind.lost} cannot be read: {found.damages}"
    if len(found.damages) < kind.damages or (found.damages and not kind.damages):
        yield f"{len(found.damages)} damages told, and not {kind.damages}: {found.damages}"
    if kind.records and not all(" byte " in damage for damage in found.damages):
        yield f"a damage without its place: {found.damages}"
    copied = (one.packed for one in records(str(path), is_copied=True) if not isinstance(one, VictorError))
    if not all(one.startswith(EMPTY[:3]) for one in copied if one):
        yield "a record is copied as what is no gzip member"
    ours = Counter(one.data or b"" for one in found.pages)
    bodies = [kind.body if kind.body and url.endswith("/2") else body for url, body in of_warcio(archive.plain)]
    if kind.body and kind.body not in ours:
        yield f"no page with the body {kind.body[:80]!r}: {[*ours][:3]}"
    for body in dict.fromkeys(bodies):
        if ours[body] != bodies.count(body):
            yield f"{ours[body]} pages, and not {bodies.count(body)}, with the body {body[:80]!r}: {[*ours][:3]}"


# In one run


def victor_said(*words: str | Path) -> tuple[int, str]:
    """The exit status of a command, and what it says."""
    said = io.StringIO()
    with redirect_stderr(said), redirect_stdout(said):
        return victor.main([*map(str, words)]), said.getvalue()


def faults_of_run(folder: Path) -> Iterator[str]:
    """What is wrong with a run over all archives of a folder, and with its verification."""
    paths, run = sorted(folder.glob("*.warc")), folder / "run"
    victor_said("run", *paths, "-o", run, "--labeler", "everything", "--max-bytes", "64000000", "-q")
    is_damaged = [bool(state_at(journal).end.damage) for journal in sorted(run.glob("shards/*.jsonl"))]
    status, said = victor_said("verify", run, "--sample", "500")
    for number, (path, named) in enumerate(zip(paths, is_damaged, strict=True), 1):
        yield from (f"{path.stem} in a run: {fault}" for fault in _of_shard(run, number, path, named))
    named = said.count("its input was incomplete")
    if (status, named) != (int(any(is_damaged)), sum(is_damaged)) or said.count("victor: ") != max(named, 1):
        yield f"verify ends with {status}: {said[:2_000]}"


def _of_shard(run: Path, number: int, path: Path, is_damaged: bool) -> Iterator[str]:
    found, end = found_in(path), state_at(run / "shards" / f"{number:05}.jsonl").end
    if bool(found.damages) != is_damaged:
        yield f"damage is {'' if is_damaged else 'not '}told: {found.damages}"
    if end.records != len(found.pages) or end.skipped != found.skipped:
        yield f"{end.records} records and {end.skipped} skipped, and not {len(found.pages)} and {found.skipped}"
    texts = [(one["id"], one["text"]) for one in _rows(run, number, "[0-9].jsonl.gz")]
    expected = [(printable(page.id), _text(page)) for page in found.pages]
    if len(texts) != len(expected):
        yield f"has {len(texts)} texts, expected {len(expected)}"
    different = next((pair for pair in zip(texts, expected, strict=False) if pair[0] != pair[1]), None)
    if different:
        yield "has the text {!r}, expected {!r}".format(*different)[:MOST_CHARACTERS]
    records = [one["record"] for one in _rows(run, number, ".outcomes.jsonl.gz")]
    if records != [*range(1, len(found.pages) + 1)]:
        yield f"has outcomes of the records {records}"


def _rows(run: Path, number: int, ending: str) -> list[dict[str, Any]]:
    paths = sorted(run.glob(f"{number:05}-*{ending}"))
    return [json.loads(row) for path in paths for row in gzip.decompress(path.read_bytes()).splitlines()]


def _text(page: RawPage) -> str:
    cleaned = labeler("everything").clean(page.data or b"", page.url, page.id, page.charset)
    return printable(cleaned.text)


# Grouped by host


def faults_of_groups(folder: Path) -> Iterator[str]:
    """What is wrong with the records that are sorted by host, archive by archive."""
    for path in sorted(folder.glob("*.warc")):
        out = folder / f"grouped {path.stem}"
        totals = group([str(path)], out, Grouping(shards=1))
        there, found = found_in(path), [found_in(file) for file in out.glob("*.gz")]
        whole = Counter(page.data for page in there.pages if not page.problem and host_of(page.url or ""))
        moved = Counter(page.data for one in found for page in one.pages)
        if whole - moved or moved - Counter(page.data for page in there.pages):
            yield f"{path.stem} grouped: {moved.total()} pages, and not {whole.total()}, or others"
        if any(one.damages for one in found) or len(totals.damages) != len(there.damages):
            yield f"{path.stem} grouped: {len(totals.damages)} damages told, and not {len(there.damages)}"


# Damage at random


class Damaged(NamedTuple):
    """Records, some of them damaged: so many, and the bodies of the others."""

    data: bytes
    count: int
    sound: set[bytes]


def _flipped(data: bytes, place: int, chance: random.Random) -> bytes:
    return data[:place] + bytes([data[place] ^ 1 << chance.randrange(8)]) + data[place + 1 :]


def _replaced(data: bytes, chance: random.Random, by: bytes) -> bytes:
    place = chance.randrange(len(data))
    return data[:place] + by + data[place + chance.randint(1, 40) :]


def _inserted(data: bytes, chance: random.Random) -> bytes:
    place = chance.randrange(len(data))
    return data[:place] + chance.randbytes(chance.randint(1, 40)) + data[place:]


# Faults of an archive that are printed, and characters of one.
MOST_SHOWN, MOST_CHARACTERS = 20, 600

WAYS: dict[str, Callable[[bytes, random.Random], bytes]] = {
    "flip": lambda data, chance: _flipped(data, chance.randrange(len(data)), chance),
    "cut": lambda data, chance: data[: chance.randrange(1, len(data))],
    "delete": lambda data, chance: _replaced(data, chance, b""),
    "insert": _inserted,
    "overwrite": lambda data, chance: _replaced(data, chance, chance.randbytes(chance.randint(1, 40))),
    "header": lambda data, chance: _flipped(data, chance.randrange(10), chance),
}


def damaged(count: int, packing: str, share: float, seed: int) -> tuple[Damaged, Counter[str]]:
    """Records packed one by one, some of them damaged."""
    chance, ways = random.Random(f"{seed} {packing}"), Counter[str]()
    bodies = [_body(number, chance) for number in range(count)]
    whole = [PACKINGS[packing]([record(number, answer(body))]) for number, body in enumerate(bodies)]
    harmed = {number for number in range(count) if chance.random() < share}
    pieces = [_harmed(one, chance, ways) if number in harmed else one for number, one in enumerate(whole)]
    lost = harmed | (set(_covered(pieces, whole, harmed)) if packing == "plain" else set())
    sound = {body for number, body in enumerate(bodies) if number not in lost}
    return Damaged(b"".join(pieces), count - len(sound), sound), ways


def _covered(pieces: Sequence[bytes], whole: Sequence[bytes], harmed: set[int]) -> Iterator[int]:
    """Records that a cut one before them holds to their end, by the length in its header: nobody can tell that these
    are not its content. The empty lines between records may lack, as they do in old archives.
    """
    for number in harmed:
        behind, missing = number + 1, len(whole[number]) - len(pieces[number])
        while behind < len(pieces) and missing > len(BETWEEN):
            missing -= len(pieces[behind])
            behind += 1
        if 0 <= missing <= len(BETWEEN):
            yield from range(number + 1, behind)


def damaged_blocks(count: int, packing: str, share: float, seed: int) -> tuple[Damaged, Counter[str]]:
    """Records packed in blocks of equal size, some of which are damaged."""
    chance, ways = random.Random(f"{seed} {packing} blocks"), Counter[str]()
    bodies = [_body(number, chance) for number in range(count)]
    records = [record(number, answer(body)) for number, body in enumerate(bodies)]
    data, size, ends = b"".join(records), chance.choice([600, BLOCK]), [*accumulate(map(len, records))]
    harmed = {number for number in range(len(data) // size) if chance.random() < share}
    blocks = [PACKINGS[packing]([data[place : place + size]]) for place in range(0, len(data), size)]
    pieces = [_harmed(one, chance, ways) if number in harmed else one for number, one in enumerate(blocks)]
    begins = [0, *ends[:-1]]
    sound = {
        body
        for body, begin, end in zip(bodies, begins, ends, strict=True)
        if harmed.isdisjoint(range(begin // size, (end - 1) // size + 1))
    }
    return Damaged(b"".join(pieces), count - len(sound), sound), ways


def _body(number: int, chance: random.Random) -> bytes:
    """A page; one of fifty is large."""
    return page(number) + chance.randbytes(chance.randrange(400 if chance.random() < 0.98 else 20_000)).hex().encode()


def _harmed(piece: bytes, chance: random.Random, ways: Counter[str]) -> bytes:
    way = chance.choice([*WAYS])
    ways[way] += 1
    return WAYS[way](piece, chance)


class Compared(NamedTuple):
    """The number of undamaged records of a damaged archive, and a fault for each that was not read once."""

    sound: int
    faults: list[str]


def differential(packing: str, made: tuple[Damaged, Counter[str]], path: Path) -> Compared:
    archive, ways = made
    path.write_bytes(archive.data)
    found = found_in(path)
    bodies = Counter(one.data for one in found.pages)
    lost = [body for body in archive.sound if bodies[body] != 1]
    doubted = sum(bool(one.problem) and one.data in archive.sound for one in found.pages)
    print(
        f"  {packing}: {archive.count + len(archive.sound):,} records, {archive.count:,} damaged ("
        f"{', '.join(f'{times} {way}' for way, times in sorted(ways.items()))}); {len(found.pages):,} pages,"
        f" {len(found.damages):,} damages told, {len(lost)} undamaged records lost, {doubted} of them doubted"
    )
    faults = [f"{packing}: {bodies[body]} pages of an undamaged record: {body[:60]!r}" for body in lost]
    return Compared(len(archive.sound), faults)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--damaged", type=int, default=100_000, help="so many records, some with damage (100000)")
    parser.add_argument("--share", type=float, default=0.1, help="this share of them is damaged (0.1)")
    parser.add_argument("--only", default="", help="only kinds whose name holds this")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def wrong(folder: Path, count: int, share: float, seed: int, only: str = "") -> list[str]:
    """Checks all kinds, and damage at random; says how that went, and gives what is wrong."""
    kinds, of_kinds = folder / "kinds", dict[str, list[str]]()
    kinds.mkdir()
    for archive in archives():
        if only in archive.name:
            path = kinds / f"{archive.name.replace('/', ' ')}.warc"
            of_kinds[archive.name] = [f"{archive.name}: {fault}" for fault in faults(archive, path)]
    tally("kinds of archives, by the reader, against warcio", len(of_kinds), sum(map(bool, of_kinds.values())))
    at_random = _at_random(kinds, count, share, seed) if count else []
    of_run = [*faults_of_run(kinds)]
    archive_count = len([*kinds.glob("*.warc")])
    tally("the same archives and those with damage at random in one run, then verified", archive_count, len(of_run))
    of_groups = [*faults_of_groups(kinds)]
    tally("the same archives, grouped by host", archive_count, len(of_groups))
    return [*chain(*of_kinds.values()), *at_random, *of_run, *of_groups]


def _at_random(kinds: Path, count: int, share: float, seed: int) -> list[str]:
    compared = [
        differential(packing, damaged(count // 3 + 1, packing, share, seed), kinds / f"damaged {packing}.warc")
        for packing in ("plain", "members", "frames")
    ] + [
        differential(
            packing, damaged_blocks(count // 30 + 1, packing, share / 2, seed), kinds / f"blocks {packing}.warc"
        )
        for packing in ("members", "frames")
    ]
    sound, lost = (sum(counts) for counts in zip(*((one.sound, len(one.faults)) for one in compared), strict=True))
    tally("undamaged records of damaged archives", sound, lost)
    return [*chain(*(one.faults[:MOST_SHOWN] for one in compared))]


def main() -> int:
    options = arguments()
    logging.getLogger("victorpy").setLevel(logging.ERROR)
    with TemporaryDirectory() as folder:
        found = wrong(Path(folder), options.damaged, options.share, options.seed, options.only)
    for fault in found:
        print(fault, file=sys.stderr)
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
