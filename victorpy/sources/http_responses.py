"""What web servers answered: which answers are pages, and the pages in them."""

import logging
import re
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from io import BytesIO
from typing import IO

from victorpy.errors import VictorError
from victorpy.foundation.optional import fastwarc
from victorpy.sources.raw_pages import RawPage, read_problem, too_large, unpacked

log = logging.getLogger("victorpy")

MEDIA = {"text/html", "application/xhtml+xml"}

_LOOKS_LIKE_HTML = re.compile(rb"<(?:!doctype\s+html|html|head|body|title|meta)\b", re.I)
_SIZE = re.compile(rb"\s*([0-9a-fA-F]{1,8})[^\r\n]*\r?\n")


def pages_of_file(
    path: str, pages: Callable[[IO[bytes]], Iterator[RawPage | VictorError]]
) -> Iterator[RawPage | VictorError]:
    """The pages of a file, or an error that says why it cannot be read."""
    try:
        with open(path, "rb") as file:
            yield from pages(file)
    except OSError as error:
        yield VictorError(read_problem(error), path)


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
    if "chunked" in transfer.lower():
        body = _joined(body)
    if "deflate" in content.lower():
        return _inflated(body, max_bytes)
    if "br" in re.split(r"[,\s]+", content.lower()):
        return _brotli(body, max_bytes)
    return unpacked(body, max_bytes)


def _joined(body: bytes) -> bytes:
    """Join chunks without their sizes. The last one may be incomplete."""
    # Not a list, which would take many times the memory of the page if chunks have a byte or two.
    joined, place = bytearray(), 0
    while size := _SIZE.match(body, place):
        length = int(size[1], 16)
        joined += body[size.end() : size.end() + length]
        place = size.end() + length
        if not length:
            break
    return bytes(joined) if place else body


def _inflated(body: bytes, max_bytes: int) -> tuple[bytes, str]:
    for window in (zlib.MAX_WBITS, -zlib.MAX_WBITS):
        try:
            unpacker = zlib.decompressobj(window)
            data = unpacker.decompress(body, max_bytes + 1)
        except zlib.error:
            continue
        is_whole = unpacker.eof or len(data) > max_bytes
        return data, "" if is_whole else "deflate is cut off: only a part could be unpacked"
    return body, ""


def _brotli(body: bytes, max_bytes: int) -> tuple[bytes, str]:
    try:
        return fastwarc().stream_io.BrotliReader(BytesIO(body)).read(max_bytes + 1), ""
    except (OSError, ValueError):
        return body, ""


def sized(page: RawPage, data: bytes, problem: str, max_bytes: int) -> RawPage:
    """The page with its data. Data that are too large, or empty because of a problem, are left out."""
    if len(data) > max_bytes:
        return replace(page, problem=too_large(max_bytes), is_too_large=True)
    return replace(page, data=None if problem and not data else data, problem=problem)


def log_skipped(path: str, reasons: Counter[str]) -> None:
    """Log how many responses of an archive are not pages."""
    if reasons:
        counts = ", ".join(f"{count} {reason}" for reason, count in sorted(reasons.items()))
        log.warning("%s: %d responses skipped: %s", path, reasons.total(), counts)
