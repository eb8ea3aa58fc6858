"""The last step of a run that is to be deduplicated: all pages, in their order, without what was there before.

Its parts are those of the shards. Whatever ends it, it reads all from the beginning, because what is known of the pages
is nowhere but in memory, and writes what is not written yet.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from victorpy.errors import VictorError
from victorpy.output.cleaned import CLEANED
from victorpy.output.formats import FORMATS, RECORDS
from victorpy.output.formats.json import cleaned_of
from victorpy.output.outcome import Outcome
from victorpy.page.metadata import metadata_of
from victorpy.pipeline.deduplication.record_files import Line, deduplicated_lines, read_lines
from victorpy.pipeline.deduplication.records import Deduplicator, Record
from victorpy.pipeline.runs.journal import End, Journal, State
from victorpy.pipeline.runs.manifest import all_parts, states_of
from victorpy.pipeline.runs.parts import Entry, write_part
from victorpy.pipeline.runs.plan import LastStep, Plan
from victorpy.pipeline.runs.shards import Shard, sha256_of
from victorpy.pipeline.runs.work import Watch, part_of, unwatched


def finish(plan: Plan, last: LastStep, shards: Sequence[Shard], watch: Watch = unwatched) -> Deduplicator | None:
    """Does what is left of it; None where that is nothing."""
    states = states_of(plan, shards)
    with Journal(plan.last_journal) as journal:
        _settle(plan, states, journal)
        if journal.state.end:
            return None
        deduplicator = Deduplicator(last.deduplication)
        written = iter(journal.state.parts)
        for shard, state in zip(shards, states, strict=True):
            entries = watch(shard, left(plan, shard, state, deduplicator))
            for number, part in groupby(entries, lambda entry: part_of(entry, plan)):
                if next(written, None):
                    deque(part, 0)
                else:
                    journal.append(write_part(plan.printed, shard, number, part))
        journal.append(End(sum(state.records for state in states)))
    return deduplicator


def _settle(plan: Plan, states: Sequence[State], journal: Journal) -> None:
    """Forgets what was made of other parts: an input may have been mended."""
    now = all_parts(states)
    if journal.state.input == now:
        return
    if journal.state.input:
        journal.restart()
        for path in plan.folder.glob("[0-9]*-[0-9]*.*"):
            path.unlink()
    journal.append(now)


def left(plan: Plan, shard: Shard, state: State, deduplicator: Deduplicator) -> Iterator[Entry]:
    """The pages of a shard, for the deduplicator that has seen those of all shards before."""
    share = shard.size() / max(state.records, 1)
    for number, part in enumerate(state.parts, 1):
        paths = [plan.folder / name for name in (part.name, plan.outcomes(shard, number))]
        if [sha256_of(path) for path in paths] != [part.sha256, part.outcomes]:
            raise VictorError(
                f"is not what was written: remove {plan.journal(shard)} to clean its shard anew", paths[0]
            )
        told = (line.record for line in read_lines(str(paths[1])))
        for page, line in zip(told, deduplicated_lines(str(paths[0]), deduplicator), strict=True):
            outcome = _outcome(plan.printed.job.format, page, line)
            yield Entry(page["record"], outcome, len(line.content), int(page["record"] * share))


def _outcome(format: str, told: Record, line: Line) -> Outcome:
    page = line.record
    return Outcome(
        id=told["id"],
        path="",
        status=page["status"],
        reason=page["reason"],
        text=_text(format, line),
        encoding=page["encoding"],
        replaced=page["replaced"],
        # The address as it was given: the record has it without characters that cannot be printed.
        metadata=replace(metadata_of(page), url=told["url"]),
        confidence=page["confidence"],
        record=told.get("source", ""),
        date=told.get("date", ""),
    )


def _text(format: str, line: Line) -> str:
    if format in RECORDS:
        return line.content.decode()
    return FORMATS[format](cleaned_of(line.record)) if line.record["status"] in CLEANED else ""
