"""What web servers answered: which answers are pages, and the pages in them."""

import logging
import re
import zlib
from collections import Counter
from collections.abc import Callable
from io import BytesIO
from typing import NamedTuple

from victorpy.foundation import compression
from victorpy.foundation.optional import fastwarc
from victorpy.sources.raw_pages import unpacked

log = logging.getLogger("victorpy")

MEDIA = {"text/html", "application/xhtml+xml"}
# As browsers do, the type is looked for in the page if it is one of these, or no type at all.
_UNKNOWN_MEDIA = {"*/*", "application/unknown", "unknown/unknown"}
_MEDIA_TYPE = re.compile(r"[!#-'*+.^-z|~-]+/[!#-'*+.^-z|~-]+", re.A)

NOT_HTML = "not HTML"
_USUAL = {"metadata record", "request record", "warcinfo record", "record of another protocol"}

_LOOKS_LIKE_HTML = re.compile(rb"\A\s{0,999}<!--|<(?:!doctype\s+html|html|head|body|title|meta)\b", re.I)
# Possessive (+): backtracking in zeros and blanks takes hours.
_EXTENSION = rb"[ \t]*+(?:;[^\r\n]{0,1000}+)?+\r?"
_SIZE = re.compile(rb"\s*+([0-9a-fA-F]{1,1000}+)%b\n" % _EXTENSION)
_SIZE_BEGINS = re.compile(rb"\s*+[0-9a-fA-F]{0,1000}+%b" % _EXTENSION)
_CONTROL = re.compile(rb"[\0-\x08\x0e-\x1a]")

LONGEST_HEADER = 1 << 20
_HEADER = re.compile(rb"(?:HTTP|ICY)[ \t]+\d{3}\b|:?[^\s<:]{1,100}(?:/\d|[ \t]*:)")
# Answers of the server, or of a proxy, before the answer.
_INTERIM = re.compile(
    rb"(?:HTTP/[\d.]{1,9}[ \t]+(?:1\d\d|200[ \t]+connection[ \t]established)\b[^\n]{0,1000}\n"
    rb"(?:[^\r\n][^\n]{0,8000}\n){0,100}\r?\n(?=HTTP/)){1,8}",
    re.I,
)
_HEADER_END = re.compile(rb"\n\r?\n")
_STATUS = re.compile(rb"[!-~]{1,100}[ \t]+(\d{3})(?!\d)")
_FIELD = re.compile(
    rb"(?<=\n)(content-type|content-encoding|transfer-encoding)[ \t]*:([^\r\n]*(?:\r?\n[ \t][^\r\n]*)*)", re.I
)
_IS_HTTP = re.compile(r"\s*(?:application/http|no-type)\b", re.I)

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
        return media_of(self.content_type)


def response_of(block: bytes, media: str) -> Response | str:
    """The response in a record of this media type, or why it cannot be read. Lines may end in LF only.

    Some records have the page without a header, or a header without a status.
    """
    is_http = not media or bool(_IS_HTTP.match(media))
    block = block.lstrip(b"\r\n") if is_http else block
    interim = _INTERIM.match(block)
    block = block[interim.end() :] if interim else block
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
        name, value = found[1].lower().decode("ascii"), " ".join(found[2].decode("latin-1").split())
        # Codings add up, and of types the first counts.
        if name in fields and name != "content-type":
            fields[name] += f", {value}"
        else:
            fields.setdefault(name, value)
    return fields


def media_of(content_type: str) -> str:
    """The media type in lower case; empty if there is none, or none that says something."""
    media = content_type.partition(";")[0].strip().lower()
    return media if _MEDIA_TYPE.fullmatch(media) and media not in _UNKNOWN_MEDIA else ""


def skip_reason(status: int | None, media: str) -> str:
    """Why a response is skipped, by its header; empty if it may be a page."""
    if status is not None and not 200 <= status < 300:
        return f"HTTP status {status}"
    return NOT_HTML if media and media not in MEDIA else ""


def looks_like_html(data: bytes) -> bool:
    return bool(_LOOKS_LIKE_HTML.search(data, 0, 2_048))


def is_xml(media: str) -> bool:
    """Do browsers read this media type as XML?"""
    return media == "application/xhtml+xml"


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
    if unknown and not looks_like_html(data):
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
            is_end = joined or not _is_text(body[size.end() :][:2_048])
            return (bytes(joined) if is_end else body), ""
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
    if body.startswith(compression.GZIP_MAGIC):
        return body, ""
    best, problem = b"", ""
    for window in (zlib.MAX_WBITS, -zlib.MAX_WBITS):
        data, found = _inflated_part(window, body, max_bytes)
        if not found:
            return data, ""
        if len(data) > len(best):
            best, problem = data, found
    # A text may begin like deflate.
    return (body, "") if len(best) < len(body) and _is_text(body) else (best or body, problem)


def _inflated_part(window: int, body: bytes, max_bytes: int) -> tuple[bytes, str]:
    data, unpacker = bytearray(), zlib.decompressobj(window)
    for place in range(0, len(body), _STEP):
        try:
            data += unpacker.decompress(body[place : place + _STEP])
        except zlib.error:
            pieces = compression.unpacked_up_to_damage(zlib.decompressobj(window), body[: place + _STEP])
            return b"".join(pieces), "damaged deflate: only a part could be unpacked"
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
    if not body.startswith(compression.ZSTD_MAGIC):
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
