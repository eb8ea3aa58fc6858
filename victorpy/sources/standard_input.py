"""Standard input: a page, or many pages in one of the formats of files. Its beginning says which."""

import logging
import os
import re
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import BytesIO
from tempfile import TemporaryDirectory

from victorpy.errors import VictorError
from victorpy.foundation.compression import STREAM_ERRORS
from victorpy.sources.archive_heads import begins_record
from victorpy.sources.archive_streams import DICTIONARY, ArchiveStream
from victorpy.sources.raw_pages import STDIN, RawPage, page_of_bytes

log = logging.getLogger("victorpy")

# So many bytes show what it is, and what they unpack to.
_HEAD = 1 << 13
_PARQUET = b"PAR1"
_OBJECT = re.compile(rb'\s*\{[ \t]*"(?:[^"\\\n]|\\.)*"[ \t]*:')


def beginning() -> bytes:
    """The first bytes, which are then gone from standard input."""
    if sys.stdin.isatty():
        log.warning("reading a page from the terminal; end it with Ctrl-D")
    try:
        return sys.stdin.buffer.read(_HEAD)
    except OSError as error:
        raise VictorError(f"cannot be read: {error.strerror}", STDIN) from error


def format_of_beginning(head: bytes) -> str | None:
    """The format of a file with many pages that begins like this, packed or not."""
    if head.startswith(DICTIONARY):
        return "warc"  # only archives begin with one
    start = _unpacked(head)
    if start.startswith(_PARQUET):
        return "parquet"
    if begins_record(start):
        return "warc"  # and ARC, which is read alike
    return "jsonl" if _OBJECT.match(start.removeprefix(b"\xef\xbb\xbf")) else None


def _unpacked(head: bytes) -> bytes:
    """What the beginning unpacks to, behind what is empty or to be skipped; nothing if it is damaged."""
    stream = ArchiveStream(BytesIO(head))
    with suppress(*STREAM_ERRORS):
        if stream.has_record():
            stream.holds(_HEAD)
            return stream.data[stream.place :]
    return b""


def standard_page(head: bytes, id: str, max_bytes: int) -> RawPage:
    """The page that begins with these bytes and goes on in standard input."""
    rest = sys.stdin.buffer.read(max(max_bytes + 1 - len(head), 0))
    return page_of_bytes(RawPage(id=id, path=STDIN), head + rest, max_bytes)


@contextmanager
def kept_in_a_file(head: bytes) -> Iterator[str]:
    """A file with all of standard input, because files with many pages are read to and fro."""
    with TemporaryDirectory(prefix="victor-") as folder:
        path = os.path.join(folder, "stdin")
        try:
            with open(path, "wb") as file:
                file.write(head)
                shutil.copyfileobj(sys.stdin.buffer, file, 1 << 20)
        except OSError as error:
            raise VictorError(f"cannot be kept in {folder}: {error.strerror}", STDIN) from error
        yield path
