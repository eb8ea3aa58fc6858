"""The sink for WARC: a conversion record for every page that has a text, as in the WET files of Common Crawl."""

from base64 import b32encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha1
from typing import IO

from victorpy.foundation.compression import packed_alone
from victorpy.output.escapes import in_one_line, printable
from victorpy.output.format_options import DEFAULT_OPTIONS, FormatOptions
from victorpy.output.outcome import Outcome
from victorpy.sources.archive_records import short
from victorpy.sources.record_writing import archived

# Custom fields, by the facts they hold.
_FACTS = {
    "title": "X-Page-Title",
    "authors": "X-Page-Authors",
    "date_published": "X-Page-Date-Published",
    "declared_language": "X-Page-Declared-Language",
    "canonical_url": "X-Page-Canonical-URL",
}

_LONGEST_FACT = 1_000

# The date is that of the source record: the time of cleaning would make every file different. This stands for none.
NO_DATE = "1970-01-01T00:00:00Z"


@contextmanager
def opened(file: IO[bytes], name: str, _: FormatOptions = DEFAULT_OPTIONS) -> Iterator[Callable[[Outcome], None]]:
    """Each record is compressed by itself, so that it can be read alone."""

    def write(outcome: Outcome) -> None:
        if outcome.text:
            file.write(packed_alone(_record(outcome), name))

    yield write


def _record(outcome: Outcome) -> bytes:
    # Imported here, because it takes 4 ms.
    from uuid import NAMESPACE_URL, uuid5  # noqa: PLC0415

    text = outcome.text.encode("utf-8", "replace")
    digest = b32encode(sha1(text, usedforsecurity=False).digest()).decode()
    url, source = url_of(outcome), source_of(outcome)
    id = uuid5(NAMESPACE_URL, f"{source[1:-1]} {printable(outcome.id)} {url} {digest}")
    fields = {
        "WARC-Type": "conversion",
        "WARC-Target-URI": url,
        "WARC-Date": date_of(outcome),
        "WARC-Record-ID": f"<urn:uuid:{id}>",
        "WARC-Refers-To": source,
        "WARC-Block-Digest": f"sha1:{digest}",
        "Content-Type": "text/plain",
        **_fact_fields(outcome),
    }
    return archived(fields, text)


def _fact_fields(outcome: Outcome) -> dict[str, str]:
    known = outcome.metadata.known()
    return {_FACTS[name]: in_one_line(known[name])[:_LONGEST_FACT] for name in _FACTS if name in known}


def url_of(outcome: Outcome) -> str:
    """A record must have an address, and an address has no blanks."""
    return short(in_one_line(outcome.metadata.url or f"urn:x-page:{outcome.id}").replace(" ", "%20"))


def date_of(outcome: Outcome) -> str:
    date = in_one_line(outcome.date)
    return date if 0 < len(date) <= len(NO_DATE) + len(".123456789") else NO_DATE


def source_of(outcome: Outcome) -> str:
    return outcome.record and f"<{short(in_one_line(outcome.record))}>"
