"""A part of a shard: the texts of some pages in one file, and beside it how each of them ended."""

import json
import os
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from hashlib import sha256
from typing import IO, NamedTuple

from victorpy.foundation.compression import packing
from victorpy.foundation.files import written_whole
from victorpy.output.cleaned import Status
from victorpy.output.outcome import Outcome
from victorpy.output.sinks import SINKS
from victorpy.pipeline.runs.journal import Part
from victorpy.pipeline.runs.plan import Plan
from victorpy.pipeline.runs.shards import Shard, sha256_of


class Entry(NamedTuple):
    """A record of a shard with its number, its outcome, its bytes, and how much of the shard has been read with it."""

    number: int
    outcome: Outcome
    size: int
    offset: int


def write_part(plan: Plan, shard: Shard, number: int, entries: Iterator[Entry]) -> Part:
    """Writes a part that is on the disk, and whole, when this returns."""
    name, told_name = plan.part(shard, number), plan.outcomes(shard, number)
    seen = _Seen()
    with ExitStack() as stack:
        texts, told = (
            stack.enter_context(written_whole(plan.folder / file, is_durable=True)) for file in (name, told_name)
        )
        passing = seen.passing(entries, stack.enter_context(packing(told, told_name)))
        write = stack.enter_context(SINKS[plan.job.format](texts, name))
        for outcome in passing:
            write(outcome)
    digests = (sha256_of(plan.folder / file) for file in (name, told_name))
    return Part(name, seen.first, seen.last, dict(sorted(seen.statuses.items())), *digests)


class _Seen:
    """What has passed by."""

    def __init__(self) -> None:
        self.first, self.last, self.statuses = 0, 0, Counter[Status]()

    def passing(self, entries: Iterator[Entry], told: IO[bytes]) -> Iterator[Outcome]:
        for entry in entries:
            self.first = self.first or entry.number
            self.last = entry.number
            self.statuses[entry.outcome.status] += 1
            told.write(line(entry.number, entry.outcome))
            yield entry.outcome


def line(number: int, outcome: Outcome) -> bytes:
    """How a page ended, and the digest of its text, by which it can be compared without looking for it.

    `source` and `date` are those of the web archive's record.
    """
    told = {
        "record": number,
        "id": outcome.id,
        "url": outcome.metadata.url,
        "status": outcome.status,
        "reason": outcome.reason,
        "text": text_digest(outcome),
    } | {name: value for name, value in (("source", outcome.record), ("date", outcome.date)) if value}
    return json.dumps(told, ensure_ascii=False).encode("utf-8", "replace") + b"\n"


def text_digest(outcome: Outcome) -> str:
    return sha256(outcome.text.encode("utf-8", "replace")).hexdigest()[:32] if outcome.text else ""


def remove_parts(plan: Plan, shard: Shard) -> None:
    for path in plan.folder.glob(f"{plan.prefix(shard)}*"):
        os.unlink(path)
