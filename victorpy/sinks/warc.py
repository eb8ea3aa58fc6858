"""WARC: a conversion record for every page that has a text, as in the WET files of Common Crawl."""

from base64 import b32encode
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha1
from typing import IO
from uuid import NAMESPACE_URL, uuid5

from victorpy.batch import Outcome
from victorpy.compression import packed_alone
from victorpy.formats.characters import in_one_line, printable

# The date is that of the source record, because clocks would make every file another; a page without one gets this.
NO_DATE = "1970-01-01T00:00:00Z"


@contextmanager
def opened(file: IO[bytes], name: str) -> Iterator[Callable[[Outcome], None]]:
    """Every record is packed on its own, so that it can be read alone."""

    def write(outcome: Outcome) -> None:
        if outcome.text:
            file.write(packed_alone(_record(outcome), name))

    yield write


def _record(outcome: Outcome) -> bytes:
    text = outcome.text.encode("utf-8", "replace")
    digest = b32encode(sha1(text, usedforsecurity=False).digest()).decode()
    url = url_of(outcome)
    source = in_one_line(outcome.record)
    fields = {
        "WARC-Type": "conversion",
        "WARC-Target-URI": url,
        "WARC-Date": in_one_line(outcome.date) or NO_DATE,
        "WARC-Record-ID": f"<urn:uuid:{uuid5(NAMESPACE_URL, f'{source} {printable(outcome.id)} {url} {digest}')}>",
        "WARC-Refers-To": source and f"<{source}>",
        "WARC-Block-Digest": f"sha1:{digest}",
        "Content-Type": "text/plain",
    }
    return archived(fields, text)


def archived(fields: Mapping[str, str], content: bytes) -> bytes:
    """A record with those of the fields that have a value."""
    lines = [f"{name}: {value}\r\n" for name, value in fields.items() if value]
    head = "".join(["WARC/1.0\r\n", *lines, f"Content-Length: {len(content)}\r\n\r\n"])
    return head.encode("utf-8", "replace") + content + b"\r\n\r\n"


def url_of(outcome: Outcome) -> str:
    """A record has to have an address, and an address has no blanks."""
    return in_one_line(outcome.url or f"urn:x-page:{outcome.id}").replace(" ", "%20")
