"""The web archive of what was fetched: each request with its response, robots.txt and redirects included."""

import threading
from base64 import b32encode
from collections.abc import Mapping
from datetime import UTC, datetime
from hashlib import sha1
from pathlib import Path
from typing import IO
from uuid import uuid4

from victorpy.errors import VictorError
from victorpy.fetching.exchanges import Exchange
from victorpy.fetching.fetch_settings import FetchSettings
from victorpy.foundation.compression import packed_alone
from victorpy.sources.archive_records import short
from victorpy.sources.record_writing import archived, check_new

_NOT_MODIFIED = "http://netpreserve.org/warc/1.0/revisit/server-not-modified"

# The body is kept without chunks, so this field would be wrong.
_CHUNKED, _WAS_CHUNKED = "transfer-encoding", "X-Archive-Orig-Transfer-Encoding"


class CrawlArchive:
    """A WARC file that grows with each exchange, and is whole after each one. Threads may share it."""

    def __init__(self, path: str, settings: FetchSettings):
        self.path, self._lock = path, threading.Lock()
        self._file = _new_file(path)
        self._write(_about(settings))

    def add(self, found: Exchange, *, refers_to: str = "") -> str:
        """Write the request and the response; returns the id of the response. A revisit names the date it refers to."""
        own, asked = (f"<urn:uuid:{uuid4()}>" for _ in range(2))
        named = {"WARC-Target-URI": short(found.target.url), "WARC-Date": found.date}
        response = {
            "WARC-Type": "revisit" if refers_to else "response",
            "WARC-Record-ID": own,
            **named,
            "WARC-IP-Address": found.host_address,
            "WARC-Profile": _NOT_MODIFIED if refers_to else "",
            "WARC-Refers-To-Target-URI": named["WARC-Target-URI"] if refers_to else "",
            "WARC-Refers-To-Date": refers_to,
            "WARC-Payload-Digest": "" if refers_to else _digest(found.body),
            "WARC-Truncated": _truncated(found),
            "Content-Type": "application/http; msgtype=response",
        }
        request = {
            "WARC-Type": "request",
            "WARC-Record-ID": asked,
            **named,
            "WARC-Concurrent-To": own,
            "Content-Type": "application/http; msgtype=request",
        }
        self._write(_record(response, _head(found) + found.body), _record(request, found.sent))
        return own[1:-1]

    def close(self) -> None:
        self._file.close()

    def _write(self, *records: bytes) -> None:
        packed = b"".join(packed_alone(record, self.path) for record in records)
        with self._lock:
            try:
                self._file.write(packed)
                self._file.flush()
            except OSError as error:
                raise VictorError(f"cannot be written: {error.strerror}", self.path) from error


def _new_file(path: str) -> IO[bytes]:
    check_new(path)
    try:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        return open(path, "xb")
    except OSError as error:
        raise VictorError(f"cannot be written: {error.strerror}", path) from error


def _about(settings: FetchSettings) -> bytes:
    robots = "ignore" if settings.ignore_robots else "obey"
    lines = f"software: victor-cleaner\r\nformat: WARC File Format 1.0\r\nrobots: {robots}\r\n"
    content = f"{lines}http-header-user-agent: {settings.user_agent}\r\n".encode()
    date = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    fields = {"WARC-Type": "warcinfo", "WARC-Record-ID": f"<urn:uuid:{uuid4()}>", "WARC-Date": date}
    return archived(fields | {"Content-Type": "application/warc-fields"}, content)


def _record(fields: Mapping[str, str], block: bytes) -> bytes:
    return archived({**fields, "WARC-Block-Digest": _digest(block)}, block)


def _digest(data: bytes) -> str:
    return f"sha1:{b32encode(sha1(data, usedforsecurity=False).digest()).decode()}"


def _head(found: Exchange) -> bytes:
    lines = [f"HTTP/1.1 {found.status} {found.reason}".strip()]
    for name, value in found.headers:
        kept = _WAS_CHUNKED if name.lower() == _CHUNKED else name
        lines.append(f"{kept}: {' '.join(value.split())}")
    return "\r\n".join([*lines, "", ""]).encode("latin-1", "replace")


def _truncated(found: Exchange) -> str:
    if found.is_too_large:
        return "length"
    if found.problem:
        return "disconnect"
    return "" if found.is_read or found.fields.get("content-length") == "0" else "unspecified"
