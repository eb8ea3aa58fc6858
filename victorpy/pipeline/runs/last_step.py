"""The last step of a deduplicated run: all pages in order, without duplicates.

It has the same parts as the shards. After a crash it reads all pages again from the beginning, because the known texts
are kept in memory only, and writes the parts that are missing.
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
from victorpy.pipeline.runs.parts import RecordOutcome, write_part
from victorpy.pipeline.runs.plan import LastStep, Plan
from victorpy.pipeline.runs.shards import Shard, sha256_of
from victorpy.pipeline.runs.work import Watch, part_of, unchanged


def finish(plan: Plan, last: LastStep, shards: Sequence[Shard], watch: Watch = unchanged) -> Deduplicator | None:
    """Does what is left of the last step. None if nothing was left."""
    states = states_of(plan, shards)
    with Journal(plan.last_journal) as journal:
        _restart_if_changed(plan, states, journal)
        if journal.state.end:
            return None
        deduplicator = Deduplicator(last.deduplication)
        written = iter(journal.state.parts)
        for shard, state in zip(shards, states, strict=True):
            entries = watch(shard, deduplicated(plan, shard, state, deduplicator))
            for number, part in groupby(entries, lambda entry: part_of(entry, plan)):
                if next(written, None):
                    deque(part, 0)
                else:
                    journal.append(write_part(plan.printed, shard, number, part))
        journal.append(End(sum(state.records for state in states)))
    return deduplicator


def _restart_if_changed(plan: Plan, states: Sequence[State], journal: Journal) -> None:
    """Starts again if the parts have changed, because a damaged input may have been repaired."""
    now = all_parts(states)
    if journal.state.input == now:
        return
    if journal.state.input:
        journal.restart()
        for path in plan.folder.glob("[0-9]*-[0-9]*.*"):
            path.unlink()
    journal.append(now)


def deduplicated(plan: Plan, shard: Shard, state: State, deduplicator: Deduplicator) -> Iterator[RecordOutcome]:
    """The pages of a shard without duplicates. The deduplicator must know the pages of all shards before."""
    job, share = plan.printed.job, shard.size() / max(state.records, 1)
    for number, part in enumerate(state.parts, 1):
        paths = [plan.folder / name for name in (part.name, plan.outcomes(shard, number))]
        if [sha256_of(path) for path in paths] != [part.sha256, part.outcomes]:
            raise VictorError(
                f"has changed since it was written: remove {plan.journal(shard)} to clean its shard again", paths[0]
            )
        recorded = (line.record for line in read_lines(str(paths[1])))
        for page, line in zip(recorded, deduplicated_lines(str(paths[0]), deduplicator), strict=True):
            outcome = _outcome(job.format, job.options.other_columns, page, line)
            yield RecordOutcome(page["record"], outcome, len(line.content), int(page["record"] * share))


def _outcome(format: str, columns: Sequence[str], recorded: Record, line: Line) -> Outcome:
    page = line.record
    return Outcome(
        id=recorded["id"],
        path="",
        status=page["status"],
        reason=page["reason"],
        fallback=recorded.get("fallback", ""),
        text=_text(format, line),
        columns={} if format in RECORDS else {name: page.get(name) or "" for name in columns},
        encoding=page["encoding"],
        replaced=page["replaced"],
        # The address as it was given: the record has it without characters that cannot be printed.
        metadata=replace(metadata_of(page), url=recorded["url"]),
        confidence=page["confidence"],
        record=recorded.get("source", ""),
        date=recorded.get("date", ""),
    )


def _text(format: str, line: Line) -> str:
    if format in RECORDS:
        return line.content.decode()
    return FORMATS[format](cleaned_of(line.record)) if line.record["status"] in CLEANED else ""
