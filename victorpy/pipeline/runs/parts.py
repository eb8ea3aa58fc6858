"""Parts of a shard: a file with the texts of some pages, and a file with their outcomes."""

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
from victorpy.output.formats import TABLE
from victorpy.output.outcome import Outcome
from victorpy.output.sinks import SINKS
from victorpy.pipeline.runs.journal import Part
from victorpy.pipeline.runs.plan import Plan
from victorpy.pipeline.runs.shards import Shard, sha256_of


class RecordOutcome(NamedTuple):
    """The outcome of a record of a shard. `size` is the record's bytes, and `offset` how much of the shard was read."""

    number: int
    outcome: Outcome
    size: int
    offset: int


def write_part(plan: Plan, shard: Shard, number: int, entries: Iterator[RecordOutcome]) -> Part:
    """Writes both files of a part. When this returns, they are whole and on the disk."""
    name, outcomes_name = plan.part(shard, number), plan.outcomes(shard, number)
    summary = _PartSummary()
    with ExitStack() as stack:
        texts, outcomes = (stack.enter_context(written_whole(plan.folder / file)) for file in (name, outcomes_name))
        counted = summary.counted(entries, stack.enter_context(packing(outcomes, outcomes_name)), plan.job.format)
        write = stack.enter_context(SINKS[plan.job.format](texts, name, plan.job.options))
        for outcome in counted:
            write(outcome)
    sha256, of_outcomes = (sha256_of(plan.folder / file) for file in (name, outcomes_name))
    return Part(
        name=name,
        first=summary.first,
        last=summary.last,
        statuses=dict(sorted(summary.statuses.items())),
        sha256=sha256,
        outcomes=of_outcomes,
        fallbacks=dict(sorted(summary.fallbacks.items())),
    )


class _PartSummary:
    """The first and last record of a part, and the number of pages with each status and of each fallback."""

    def __init__(self) -> None:
        self.first, self.last = 0, 0
        self.statuses, self.fallbacks = Counter[Status](), Counter[str]()

    def counted(self, entries: Iterator[RecordOutcome], file: IO[bytes], format: str) -> Iterator[Outcome]:
        for entry in entries:
            self.first = self.first or entry.number
            self.last = entry.number
            self.statuses[entry.outcome.status] += 1
            if entry.outcome.fallback:
                self.fallbacks[entry.outcome.fallback] += 1
            file.write(line(entry.number, entry.outcome, format))
            yield entry.outcome


def line(number: int, outcome: Outcome, format: str) -> bytes:
    """The line of a page in a file of outcomes. The digest of its text is what verification compares.

    `source` and `date` are the id and the date of the page's record in a web archive.
    """
    sometimes = {"source": outcome.record, "date": outcome.date, "fallback": outcome.fallback}
    facts = {
        "record": number,
        "id": outcome.id,
        "url": outcome.metadata.url,
        "status": outcome.status,
        "reason": outcome.reason,
        "text": text_digest(outcome, format),
    } | {name: value for name, value in sometimes.items() if value}
    return json.dumps(facts, ensure_ascii=False).encode("utf-8", "replace") + b"\n"


def text_digest(outcome: Outcome, format: str) -> str:
    """The digest of what is the same wherever the page is cleaned: texts and labels, but not probabilities."""
    return digest_of("".join((TABLE[format].lasting(outcome.text), *outcome.columns.values())))


def digest_of(text: str) -> str:
    return sha256(text.encode("utf-8", "replace")).hexdigest()[:32] if text else ""


def remove_parts(plan: Plan, shard: Shard) -> None:
    for path in plan.folder.glob(f"{plan.prefix(shard)}*"):
        os.unlink(path)
