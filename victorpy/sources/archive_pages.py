"""The pages of web archives, WARC and ARC."""

import os
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from victorpy.errors import VictorError
from victorpy.sources.archive_heads import ArcHead, WarcHead, iso_date
from victorpy.sources.archive_records import ArchiveRecord, IncompleteError, records
from victorpy.sources.http_responses import (
    LONGEST_HEADER,
    NOT_HTML,
    charset_of,
    decoded_body,
    is_xml,
    log_skipped,
    looks_like_html,
    response_of,
    skip_reason,
)
from victorpy.sources.raw_pages import MAX_BYTES, RawPage, too_large
from victorpy.sources.table_columns import COLUMNS, PageColumns

_TERMINATOR = re.compile(rb"\r?\n\r?\n\Z")

# Types of records without pages.
_KINDS = {"continuation", "conversion", "metadata", "request", "warcinfo"}


def read(
    path: str, _: PageColumns = COLUMNS, max_bytes: int = MAX_BYTES, skipped: Counter[str] | None = None
) -> Iterator[RawPage | VictorError]:
    """The pages of a WARC or ARC file, packed or not. Damage gives an error, and costs the record in which it is.

    Each other record is counted in `skipped`, by the reason.
    """
    skipped = Counter[str]() if skipped is None else skipped
    for record in records(path):
        if isinstance(record, VictorError):
            yield record
        else:
            page = _page_of(record, path, max_bytes)
            if isinstance(page, str):
                skipped[page] += 1
            else:
                yield page
    log_skipped(path, skipped)


def _page_of(record: ArchiveRecord, path: str, max_bytes: int) -> RawPage | str:
    """The page of a record, or why it is none."""
    found = record.found
    if isinstance(found, ArcHead):
        is_page = found.url.lower().startswith(("http:", "https:"))
        return _response(record, path, found.media, max_bytes) if is_page else "record of another protocol"
    if found.kind == "revisit":
        return RawPage(**_facts(record, path), problem=_of_revisit(found))
    if found.kind not in {"response", "resource"}:
        return f"{found.kind} record" if found.kind in _KINDS else "record of an unknown type"
    return _response(record, path, found.field("content-type"), max_bytes)


def _facts(record: ArchiveRecord, path: str) -> dict[str, Any]:
    found, number = record.found, f"{os.path.basename(path)}-{record.number}"
    if isinstance(found, ArcHead):
        place = f"{path}, record {record.number}"
        return {"id": number, "path": place, "url": found.url, "date": iso_date(found.date), "offset": record.offset}
    record_id = found.field("warc-record-id").strip("<>")
    return {
        "id": record_id.removeprefix("urn:uuid:") or number,
        "path": f"{path}, record at byte {record.offset}",
        "url": found.url or None,
        "record": record_id,
        "date": found.field("warc-date"),
        "offset": record.offset,
    }


def _response(record: ArchiveRecord, path: str, media: str, max_bytes: int) -> RawPage | str:
    block, damage = _block(record, max_bytes)
    response = response_of(block, media)
    if isinstance(response, str):
        return RawPage(**_facts(record, path), problem=response)
    is_lost = bool(damage) and not response.body
    if not is_lost and (reason := skip_reason(response.status, response.media)):
        return reason
    data, problem = decoded_body(response.body, response.transfer, response.content, max_bytes)
    if not (is_lost or response.media or looks_like_html(data)):
        return NOT_HTML
    problem, is_too_large = damage or _of_record(record.found) or problem, len(data) > max_bytes
    return RawPage(
        **_facts(record, path),
        data=None if is_too_large or (problem and not data) else data,
        problem=too_large(max_bytes) if is_too_large else problem,
        is_too_large=is_too_large,
        charset=charset_of(response.content_type),
        is_xml=is_xml(response.media),
    )


def _block(record: ArchiveRecord, max_bytes: int) -> tuple[bytes, str]:
    """The content of a record up to about the limit, and what is wrong with it."""
    limit = max_bytes + LONGEST_HEADER
    pieces, size, problem, length = list[bytes](), 0, "", None
    try:
        for piece in record.content:
            if size <= limit:
                pieces.append(piece)
                size += len(piece)
    except IncompleteError as error:
        problem, length = str(error), error.length
    block = b"".join(pieces)[:length]
    # What stands before the next record ends with empty lines.
    return (_TERMINATOR.sub(b"", block) if problem else block), problem


def _of_revisit(found: WarcHead) -> str:
    there = found.field("warc-refers-to") or found.field("warc-refers-to-target-uri") or "not named"
    return f"a revisit: its content is that of an earlier record ({there})"


def _of_record(found: WarcHead | ArcHead) -> str:
    """What a record says of itself."""
    if isinstance(found, ArcHead):
        return ""
    if reason := found.field("warc-truncated"):
        return f"truncated by the crawler ({reason})"
    is_segment = found.field("warc-segment-number")
    return "the first of several segments: the others are in continuation records" if is_segment else ""
