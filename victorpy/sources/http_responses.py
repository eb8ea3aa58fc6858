"""What web servers answered: which answers are pages, and the pages in them."""

import logging
import re
import zlib
from collections import Counter
from collections.abc import Callable
from io import BytesIO
from typing import Any, NamedTuple

from victorpy.foundation import compression
from victorpy.foundation.optional import fastwarc
from victorpy.sources.raw_pages import unpacked

log = logging.getLogger("victorpy")

MEDIA = {"text/html", "application/xhtml+xml"}

_USUAL = {"metadata record", "request record", "warcinfo record", "record of another protocol"}

_LOOKS_LIKE_HTML = re.compile(rb"<(?:!doctype\s+html|html|head|body|title|meta)\b", re.I)
_SIZE = re.compile(rb"\s*([0-9a-fA-F]{1,8})[^\r\n]{0,1000}\r?\n")
_SIZE_BEGINS = re.compile(rb"\s*[0-9a-fA-F]{0,8}[^\r\n]{0,1000}\r?")
_CONTROL = re.compile(rb"[\0-\x08\x0e-\x1a]")

LONGEST_HEADER = 1 << 20
_HEADER = re.compile(rb"[^\s<:]{1,100}(?:/\d|[ \t]*:)")
_HEADER_END = re.compile(rb"\n\r?\n")
_STATUS = re.compile(rb"[!-~]{1,100}[ \t]+(\d{3})(?!\d)")
_FIELD = re.compile(rb"(?<=\n)(content-type|content-encoding|transfer-encoding)[ \t]*:([^\r\n]*)", re.I)
_IS_HTTP = re.compile(r"\s*(?:application/http|no-type)\b", re.I)

_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
# More of them are an attack.
_MOST_CODINGS = 8
_PIECE, _STEP = 1 << 16, 1 << 10


class Response(NamedTuple):
    """What a web server answered. `status` is None if it is unknown."""

    status: int | None
    content_type: str
    transfer: str
    content: str
    body: bytes

    @property
    def media(self) -> str:
        return self.content_type.partition(";")[0].strip()


def response_of(block: bytes, media: str) -> Response | str:
    """The response in a record of this media type, or why it cannot be read. Lines may end in LF only.

    Some records have the page without a header, or a header without a status.
    """
    is_http = not media or bool(_IS_HTTP.match(media))
    if not block.startswith(b"HTTP/") and not (is_http and _HEADER.match(block)):
        return Response(None, "" if is_http else media, "", "", block)
    end = _HEADER_END.search(block, 0, LONGEST_HEADER)
    if not end and len(block) >= LONGEST_HEADER:
        return f"its HTTP header is longer than {LONGEST_HEADER:,} bytes"
    head = block[: end.start()] if end else block
    status = _STATUS.match(head)
    fields = _fields(head)
    return Response(
        int(status[1]) if status else None,
        fields.get("content-type", "" if is_http else media),
        fields.get("transfer-encoding", ""),
        fields.get("content-encoding", ""),
        block[end.end() :] if end else b"",
    )


def _fields(head: bytes) -> dict[str, str]:
    """The fields that matter, each with all its values."""
    fields = dict[str, str]()
    for found in _FIELD.finditer(head):
        name, value = found[1].lower().decode("ascii"), found[2].decode("latin-1").strip()
        # Codings add up, and of types the first counts.
        if name in fields and name != "content-type":
            fields[name] += f", {value}"
        else:
            fields.setdefault(name, value)
    return fields


def skip_reason(status: int | None, media: str | None, body: bytes) -> str:
    """Why a response is skipped; empty if it is a page."""
    if status is not None and not 200 <= status < 300:
        return f"HTTP status {status}"
    if media:
        return "" if media.lower() in MEDIA else "not HTML"
    return "" if _LOOKS_LIKE_HTML.search(body, 0, 2_048) else "not HTML"


def is_xml(media: str) -> bool:
    """Do browsers read this media type as XML?"""
    return media.lower() == "application/xhtml+xml"


def charset_of(content_type: str) -> str | None:
    found = re.search(r"""charset\s*=\s*["']?([^\s"';]+)""", content_type, re.I)
    return found[1] if found else None


def decoded_body(body: bytes, transfer: str, content: str, max_bytes: int) -> tuple[bytes, str]:
    """The decoded body of a response, and its problem.

    Many crawlers keep the headers but store the decoded body, so a body that does not match its headers stays as it is.
    """
    codings, problem = [*_codings(content), *_codings(transfer)], ""
    for coding in reversed(codings):
        if coding == "chunked" or (coding in _DECODERS and len(body) <= max_bytes):
            body, found = _DECODERS[coding](body, max_bytes)
            problem = problem or found
    data, found = unpacked(body, max_bytes)
    unknown = [coding for coding in codings if coding not in _KNOWN]
    if unknown and not _LOOKS_LIKE_HTML.search(data, 0, 2_048):
        problem = problem or f"packed as {', '.join(unknown)}, which is not supported"
    return data, problem or found


def _codings(value: str) -> list[str]:
    return [coding for coding in re.split(r"[,;\s]+", value.lower()) if coding][:_MOST_CODINGS]


def _joined(body: bytes, _: int) -> tuple[bytes, str]:
    """Join chunks without their sizes. What follows damaged chunks stays as it is."""
    # Not a list, which would take many times the memory of the page if chunks have a byte or two.
    joined, place = bytearray(), 0
    while size := _SIZE.match(body, place):
        length = int(size[1], 16)
        if not length:
            return bytes(joined), ""
        joined += body[size.end() : size.end() + length]
        place = size.end() + length
        place += 2 * body.startswith(b"\r\n", place)
    if not place:
        return body, ""
    if place >= len(body) or _SIZE_BEGINS.fullmatch(body, place):
        return bytes(joined), "its chunks are cut off: only a part is there"
    return bytes(joined) + body[place:], "its chunks are damaged: what follows the damage may be wrong"


def _inflated(body: bytes, max_bytes: int) -> tuple[bytes, str]:
    """With a header of zlib or without, up to a damage."""
    if body.startswith(_GZIP):
        return body, ""
    best, problem = b"", ""
    for window in (zlib.MAX_WBITS, -zlib.MAX_WBITS):
        data, found = _inflated_part(zlib.decompressobj(window), body, max_bytes)
        if not found:
            return data, ""
        if len(data) > len(best):
            best, problem = data, found
    # A text may begin like deflate.
    return (body, "") if len(best) < len(body) and _is_text(body) else (best or body, problem)


def _inflated_part(unpacker: Any, body: bytes, max_bytes: int) -> tuple[bytes, str]:
    data = bytearray()
    # In small steps, because an error loses the output of its whole step.
    for place in range(0, len(body), _STEP):
        try:
            data += unpacker.decompress(body[place : place + _STEP])
        except zlib.error:
            return bytes(data), "damaged deflate: only a part could be unpacked"
        if unpacker.eof or len(data) > max_bytes:
            return bytes(data), ""
    return bytes(data), "deflate is cut off: only a part could be unpacked" if data else "not deflate"


def _brotli(body: bytes, max_bytes: int) -> tuple[bytes, str]:
    data = bytearray()
    try:
        reader = fastwarc().stream_io.BrotliReader(BytesIO(body))
        while len(data) <= max_bytes and (piece := reader.read(min(_PIECE, max_bytes + 1 - len(data)))):
            data += piece
    except (OSError, ValueError):
        if not data or _is_text(body):
            return body, ""
        return bytes(data), "Brotli is damaged or cut off: only a part could be unpacked"
    return bytes(data), ""


def _zstd(body: bytes, max_bytes: int) -> tuple[bytes, str]:
    if not body.startswith(_ZSTD):
        return body, ""
    data = bytearray()
    try:
        stream = compression.unpacked(BytesIO(body))
        while len(data) <= max_bytes and (piece := stream.read(_PIECE)):
            data += piece
    except OSError:
        return (bytes(data), "Zstandard is damaged or cut off: only a part could be unpacked") if data else (body, "")
    return bytes(data), ""


def _is_text(body: bytes) -> bool:
    """Does it hold the tags of a page, and no bytes of packed data?"""
    return b"<" in body[:2_048] and not _CONTROL.search(body, 0, 2_048)


_DECODERS: dict[str, Callable[[bytes, int], tuple[bytes, str]]] = {
    "chunked": _joined,
    "gzip": unpacked,
    "x-gzip": unpacked,
    "deflate": _inflated,
    "br": _brotli,
    "zstd": _zstd,
}
_KNOWN = {*_DECODERS, "identity", "none", "utf-8", "binary", "8bit", "7bit"}


def log_skipped(path: str, reasons: Counter[str]) -> None:
    """Log how many records of an archive are not pages, other than those that each archive has."""
    counts = Counter({reason: count for reason, count in reasons.items() if reason not in _USUAL})
    if counts:
        listed = ", ".join(f"{count} {reason}" for reason, count in sorted(counts.items()))
        log.warning("%s: %d records skipped: %s", path, counts.total(), listed)
