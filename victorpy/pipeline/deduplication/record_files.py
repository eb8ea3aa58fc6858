"""Removes duplicates from files of records, which have a JSON object on each line."""

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, NamedTuple

from victorpy.errors import UsageError, VictorError
from victorpy.foundation.compression import STREAM_ERRORS, bare_name, packing, unpacked
from victorpy.foundation.files import lines_of, written_whole
from victorpy.pipeline.deduplication.records import Deduplication, Deduplicator, Record
from victorpy.sources import STDIN

STDOUT = "-"


class Line(NamedTuple):
    """A record, and its bytes."""

    content: bytes
    record: Record


def read_lines(path: str) -> Iterator[Line]:
    """The records of a file: plain, gzip or Zstandard. Anything else is an error, so that the counts add up."""
    try:
        with _opened(path) as file:
            for number, line in enumerate(lines_of(file, path), 1):
                if line.strip():
                    yield Line(line, _record(line, path, number))
    except STREAM_ERRORS as error:
        raise VictorError(f"cannot be read: {getattr(error, 'strerror', None) or error}", path) from error


@contextmanager
def _opened(path: str) -> Iterator[IO[bytes]]:
    if path == STDIN:
        yield sys.stdin.buffer
        return
    with open(path, "rb") as file:
        yield unpacked(file)


def _record(line: bytes, path: str, number: int) -> dict[str, Any]:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise VictorError(f"not JSON: {error}", path, number) from None
    if not isinstance(record, dict):
        raise VictorError("not a JSON object", path, number)
    # Duplicates name the id of the page that was kept.
    return record if "id" in record else {**record, "id": f"{path}:{number}"}


def deduplicate(inputs: Sequence[str], output: str, settings: Deduplication) -> Deduplicator:
    """Writes all records into one file, or the records of each file into a file of the same name in a folder."""
    missing = [path for path in inputs if path != STDIN and not Path(path).exists()]
    if missing:
        raise UsageError("no such file", ", ".join(missing))
    deduplicator = Deduplicator(settings)
    for target, sources in _targets([file for path in inputs for file in _files(path)], output):
        _write(target, (line.content for source in sources for line in deduplicated_lines(source, deduplicator)))
    return deduplicator


def _files(path: str) -> list[str]:
    """The file itself, or the files of records in a folder, sorted by name."""
    if not Path(path).is_dir():
        return [path]
    found = sorted(str(file) for file in Path(path).iterdir() if _holds_records(file.name))
    if not found:
        raise UsageError("no files of records in this folder: their names end in .jsonl, .jsonl.gz or .jsonl.zst", path)
    return found


def _holds_records(name: str) -> bool:
    """Is it a file of records? The files of outcomes in a run are not."""
    return bare_name(name).endswith(".jsonl") and not bare_name(name).endswith(".outcomes.jsonl")


def _targets(inputs: Sequence[str], output: str) -> list[tuple[str, Sequence[str]]]:
    if not (output.endswith("/") or Path(output).is_dir()):
        targets = [(output, inputs)]
    else:
        names = [Path(path).name if path != STDIN else "stdin.jsonl" for path in inputs]
        twice = {name for name in names if names.count(name) > 1}
        if twice:
            raise UsageError(f"several inputs have this name: {', '.join(sorted(twice))}", output)
        targets = [(str(Path(output, name)), [path]) for name, path in zip(names, inputs, strict=True)]
    _check_keep_inputs(inputs, [target for target, _ in targets])
    return targets


def _check_keep_inputs(inputs: Sequence[str], targets: Iterable[str]) -> None:
    taken = {Path(path).resolve() for path in inputs if path != STDIN}
    for target in targets:
        if target != STDOUT and Path(target).resolve() in taken:
            raise UsageError("is an input and would be overwritten: name another --output", target)


def deduplicated_lines(path: str, deduplicator: Deduplicator) -> Iterator[Line]:
    """The records without duplicates. Unchanged records stay the same, byte for byte."""
    for content, record in read_lines(path):
        kept = deduplicator.deduplicated(record)
        yield Line(_ended(content) if kept is record else _written(kept), kept)


def _ended(line: bytes) -> bytes:
    return line if line.endswith(b"\n") else line + b"\n"


def _written(record: Any) -> bytes:
    return (json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n").encode("utf-8", "replace")


def _write(target: str, lines: Iterable[bytes]) -> None:
    if target == STDOUT:
        sys.stdout.flush()
        sys.stdout.buffer.writelines(lines)
        return
    with written_whole(Path(target)) as file, packing(file, target) as packed:
        for line in lines:
            packed.write(line)
