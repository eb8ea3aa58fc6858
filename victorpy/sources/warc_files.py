"""WARC: the format of web archives. Pages are read with FastWARC, which parses records in native code.

`archive_records` has a parser of its own, because it copies records byte by byte, which FastWARC cannot.
"""

import gzip
import os
from collections import Counter
from collections.abc import Generator, Iterator
from dataclasses import replace
from typing import IO, Any

from victorpy.errors import VictorError
from victorpy.foundation.compression import STREAM_ERRORS
from victorpy.foundation.optional import fastwarc
from victorpy.sources.gzip_members import MemberSearch
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
_LONGEST_HEADER = 1 << 20


def read(path: str, _: PageColumns = COLUMNS, max_bytes: int = MAX_BYTES) -> Iterator[RawPage | VictorError]:
    """The pages of a WARC file, packed or not.

    Damage gives an error. It ends the file unless each record is packed by itself.
    """
    return pages_of_file(path, lambda file: _WarcReader(file, path, max_bytes).pages())


class _WarcReader:
    """One pass over a file."""

    def __init__(self, file: IO[bytes], path: str, max_bytes: int):
        self.file, self.path, self.max_bytes = file, path, max_bytes
        self.is_gzip = file.read(2) == _GZIP
        self.search = MemberSearch(file, _begins_record)
        self.skipped = Counter[str]()
        self.last: tuple[int, str] | None = None

    def pages(self) -> Iterator[RawPage | VictorError]:
        start: int | None = 0
        while start is not None:
            start = yield from self._pages_from(start)

    def _pages_from(self, start: int) -> Generator[RawPage | VictorError, None, int | None]:
        """Yield the pages up to the end or to a damage; return the offset of the next record after the damage."""
        self.file.seek(start)
        is_alone = True
        try:
            for record in self._records():
                if record.record_id is None:
                    yield self._damage("the file is cut off")
                    return None
                self.last = record.stream_pos, record.headers.get("WARC-Target-URI") or ""
                is_alone = False
                yield from self._page(record)
        except OSError as error:
            # The first record after a damage may be the damaged one, which has been reported.
            if not (start and is_alone):
                yield self._damage(_cause(error))
            return self.search.next_after(max(start, self.last[0] if self.last else 0)) if self.is_gzip else None
        yield from self._end()
        return None

    def _records(self) -> Any:
        # HTTP is parsed below, because an error in one response must not end the file.
        return fastwarc().warc.ArchiveIterator(self.file, parse_http=False, auto_decode="none")

    def _page(self, record: Any) -> Iterator[RawPage | VictorError]:
        page = self._named(record)
        kind = record.headers.get("WARC-Type")
        if kind == "revisit":
            yield replace(page, problem=_of_revisit(record))
        elif kind in {"response", "resource"}:
            if _has_readable_header(record):
                yield from self._response(record, page)
            else:
                yield replace(page, problem=f"its HTTP header is longer than {_LONGEST_HEADER:,} bytes")

    def _named(self, record: Any) -> RawPage:
        record_id = record.record_id.strip("<>")
        return RawPage(
            id=record_id.removeprefix("urn:uuid:"),
            path=f"{self.path}, record at byte {record.stream_pos}",
            url=record.headers.get("WARC-Target-URI"),
            record=record_id,
            date=record.headers.get("WARC-Date") or "",
            offset=record.stream_pos,
        )

    def _response(self, record: Any, page: RawPage) -> Iterator[RawPage | VictorError]:
        length = record.content_length
        body = record.reader.read(self.max_bytes + 1)
        http = record.http_headers if record.is_http_parsed else None
        content_type = (record.headers if http is None else http).get("Content-Type") or ""
        media = content_type.partition(";")[0].strip()
        is_cut = len(body) < min(length, self.max_bytes + 1)
        reason = "" if is_cut and not body else skip_reason(http.status_code if http else None, media, body)
        if reason:
            self.skipped[reason] += 1
        else:
            data, problem = decoded_body(body, *_encodings(http), self.max_bytes)
            cut = "the file ends in the middle of it" if is_cut else _of_truncation(record)
            yield sized(
                replace(page, charset=charset_of(content_type), is_xml=is_xml(media)),
                data,
                cut or problem,
                self.max_bytes,
            )

    def _end(self) -> Iterator[VictorError]:
        log_skipped(self.path, self.skipped)
        if self.last is None:
            yield VictorError("no WARC record in it: the file is empty, or cut off in its first record", self.path)
        elif self._is_cut():
            yield self._damage("the file is cut off")

    def _is_cut(self) -> bool:
        """Is the file cut off within a record? FastWARC does not report it."""
        place = self.last[0] if self.last else 0
        self.file.seek(place)
        head = self.file.read(2)
        if head == _GZIP:
            self.file.seek(place)
            return _breaks_off(self.file)
        self.file.seek(-4, os.SEEK_END)
        return head == b"WA" and not self.file.read().endswith((b"\n\r\n", b"\n\n"))

    def _damage(self, reason: str) -> VictorError:
        if self.last is None:
            return VictorError(f"{reason}, at its beginning", self.path)
        place, url = self.last
        return VictorError(f"{reason}, in or after the record at byte {place} ({url or 'without address'})", self.path)


def _cause(error: OSError) -> str:
    return "not a WARC record" if "WARC header" in str(error) else read_problem(error)


def _has_readable_header(record: Any) -> bool:
    try:
        record.parse_http(auto_decode="none", max_header_len=_LONGEST_HEADER)
    except OSError as error:
        if "header length" in str(error):
            return False
        raise
    return True


def _of_revisit(record: Any) -> str:
    there = record.headers.get("WARC-Refers-To") or record.headers.get("WARC-Refers-To-Target-URI") or "not named"
    return f"a revisit: its content is that of an earlier record ({there})"


def _of_truncation(record: Any) -> str:
    reason = record.headers.get("WARC-Truncated")
    return f"truncated by the crawler ({reason})" if reason else ""


def _encodings(http: Any) -> tuple[str, str]:
    if http is None:
        return "", ""
    return http.get("Transfer-Encoding") or "", http.get("Content-Encoding") or ""


def _breaks_off(file: IO[bytes]) -> bool:
    stream = gzip.GzipFile(fileobj=file)
    try:
        while stream.read(1 << 16):
            pass
    except STREAM_ERRORS:
        return True
    return False


def _begins_record(data: bytes) -> bool:
    return data.startswith(b"WARC/")
