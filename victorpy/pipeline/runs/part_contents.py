"""The pages in a part, compared with its outcomes: the same texts in the same order."""

import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from victorpy.errors import VictorError
from victorpy.foundation.compression import STREAM_ERRORS, unpacked
from victorpy.foundation.optional import pyarrow
from victorpy.output.formats import DELIMITED, TABLE
from victorpy.pipeline.batch import Job
from victorpy.pipeline.runs.parts import digest_of
from victorpy.sources import archive_records

_ROWS = 1_000
_MOST_FAULTS = 5
_ERRORS = (*STREAM_ERRORS, zlib.error, ValueError, KeyError, VictorError)


class RecordedText(NamedTuple):
    """A record and the digest of its text by its outcome, which is empty without a text."""

    record: int
    text: str


def content_faults(path: Path, job: Job, recorded: Sequence[RecordedText]) -> Iterator[str]:
    """Pages that stand in the part or in the outcomes only."""
    expected = recorded if TABLE[job.format].is_table else [page for page in recorded if page.text]
    try:
        if job.format in _READERS:
            yield from islice(_differences([*_READERS[job.format](path, job)], expected), _MOST_FAULTS)
        else:
            yield from _of_texts(path, job.format, expected)
    except _ERRORS as error:
        yield f"cannot be read: {error}"


def _differences(found: Sequence[str], expected: Sequence[RecordedText]) -> Iterator[str]:
    """Found are the digests of the texts."""
    texts = [page.text for page in expected]
    if found == texts:
        return
    missing, unnamed = Counter(texts) - Counter(found), Counter(found) - Counter(texts)
    for page in expected:
        if missing[page.text]:
            missing[page.text] -= 1
            yield f"has no page with the text of record {page.record:,}"
    for number, text in enumerate(found, 1):
        if unnamed[text]:
            unnamed[text] -= 1
            yield f"its page {number:,} is in no outcome"
    if Counter(texts) == Counter(found):
        yield "has its pages in another order than the outcomes"


def _of_texts(path: Path, format: str, expected: Sequence[RecordedText]) -> Iterator[str]:
    """Texts do not say where they end. They are read line by line until the digest is that of the outcome."""
    with path.open("rb") as file:
        lines = iter(unpacked(file))
        for number, page in enumerate(expected):
            is_separated = number == 0 or format in DELIMITED or next(lines, b"") == b"\n"
            if not (is_separated and _has_next(lines, page.text)):
                yield f"does not have the text of record {page.record:,} where it should be"
                return
        if next(lines, None) is not None:
            yield "has a text that is in no outcome"


def _has_next(lines: Iterator[bytes], expected: str) -> bool:
    text = sha256()
    for line in lines:
        text.update(line)
        if text.hexdigest()[: len(expected)] == expected:
            return True
    return False


def _of_lines(path: Path, job: Job) -> Iterator[str]:
    lasting = TABLE[job.format].lasting
    with path.open("rb") as file:
        yield from (digest_of(lasting(line.decode())) for line in unpacked(file))


def _of_rows(path: Path, job: Job) -> Iterator[str]:
    names = ["text", *job.options.other_columns]
    arrow = pyarrow()
    try:
        with arrow.parquet.ParquetFile(path) as file:
            wanted = [name for name in names if name in file.schema_arrow.names]
            for batch in file.iter_batches(_ROWS, columns=wanted):
                for row in batch.to_pylist():
                    yield digest_of("".join(row.get(name) or "" for name in names))
    except arrow.ArrowException as error:
        raise ValueError(error) from error


def _of_archive(path: Path, _: Job) -> Iterator[str]:
    for record in archive_records.records(str(path)):
        if isinstance(record, VictorError):
            raise record
        yield digest_of(b"".join(record.content).decode("utf-8", "replace"))


_READERS: Mapping[str, Callable[[Path, Job], Iterator[str]]] = {
    "jsonl": _of_lines,
    "parquet": _of_rows,
    "warc": _of_archive,
}
