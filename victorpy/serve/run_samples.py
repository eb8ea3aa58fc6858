"""Samples of the texts of a run, read from its parts in each format that a run can write."""

from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from itertools import islice
from pathlib import Path
from random import Random
from typing import IO, Any, NamedTuple

from victorpy.errors import VictorError
from victorpy.foundation.compression import unpacked
from victorpy.foundation.optional import pyarrow
from victorpy.output.formats import DELIMITED
from victorpy.pipeline.runs.journal import Part
from victorpy.serve.run_records import READ_ERRORS, format_of, json_lines, outcome_name, written_parts
from victorpy.sources import archive_records

# A sample is drawn from the first pages of a part.
_DRAWN_FROM = 2_000
_MOST_CHARACTERS = 3_000
_ROWS = 100
_LONGEST_TEXT = 10_000_000


class SampledText(NamedTuple):
    """A page and the beginning of its text."""

    id: str
    url: str | None
    title: str | None
    text: str


def sample(run: Path, count: int, seed: int) -> list[SampledText]:
    """Pages drawn at random, in the order of the part that they are from."""
    chance = Random(seed)
    parts = [part for part in written_parts(run) if part.statuses.get("ok")]
    if not parts:
        return []
    part = chance.choice(parts)
    pages = list(islice(_texts(run, part), _DRAWN_FROM))
    drawn = sorted(chance.sample(range(len(pages)), min(count, len(pages))))
    return [pages[number]._replace(text=pages[number].text[:_MOST_CHARACTERS]) for number in drawn]


def _texts(run: Path, part: Part) -> Iterator[SampledText]:
    """The pages of a part that have a text."""
    path, format = run / part.name, format_of(run)
    try:
        if format in _READERS:
            found = _READERS[format](path, run / outcome_name(part))
        else:
            found = _of_texts(path, format, run / outcome_name(part))
        yield from (page for page in found if page.text)
    except READ_ERRORS as error:
        raise VictorError(f"cannot be read: {error}", path) from error


def _of_lines(path: Path, _: Path) -> Iterator[SampledText]:
    return (_page(line, line.get("text")) for line in json_lines(path))


def _of_rows(path: Path, _: Path) -> Iterator[SampledText]:
    arrow = pyarrow()
    try:
        with arrow.parquet.ParquetFile(path) as file:
            names = [name for name in ("id", "url", "title", "text") if name in file.schema_arrow.names]
            for batch in file.iter_batches(_ROWS, columns=names):
                yield from (_page(row, row.get("text")) for row in batch.to_pylist())
    except arrow.ArrowException as error:
        raise ValueError(error) from error


def _of_archive(path: Path, outcomes: Path) -> Iterator[SampledText]:
    with_text = (line for line in json_lines(outcomes) if line.get("text"))
    for line, record in zip(with_text, archive_records.records(str(path)), strict=False):
        if isinstance(record, VictorError):
            raise record
        yield _page(line, b"".join(record.content).decode("utf-8", "replace"))


def _of_texts(path: Path, format: str, outcomes: Path) -> Iterator[SampledText]:
    """Texts do not say where they end: their digests, which the outcomes hold, do."""
    with path.open("rb") as raw, unpacked(raw) as file:
        with_text = (line for line in json_lines(outcomes) if line.get("text"))
        for number, line in enumerate(with_text):
            if number and format not in DELIMITED:
                file.readline()
            yield _page(line, _text_with(file, line["text"]))


def _text_with(file: IO[bytes], expected: str) -> str:
    """The lines up to the one with which they have this digest."""
    digest, lines, size = sha256(), list[bytes](), 0
    while line := file.readline(_LONGEST_TEXT):
        digest.update(line)
        lines.append(line)
        size += len(line)
        if digest.hexdigest().startswith(expected):
            return b"".join(lines).decode("utf-8", "replace")
        if size > _LONGEST_TEXT:
            break
    raise ValueError("its texts are not those of its outcomes")


def _page(line: Mapping[str, Any], text: Any) -> SampledText:
    return SampledText(str(line["id"]), line.get("url"), line.get("title"), str(text or ""))


_READERS: Mapping[str, Callable[[Path, Path], Iterator[SampledText]]] = {
    "jsonl": _of_lines,
    "parquet": _of_rows,
    "warc": _of_archive,
}
