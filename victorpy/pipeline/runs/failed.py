"""The failed pages of a run, read again from its inputs."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import cast

from victorpy.output.cleaned import Status
from victorpy.output.outcome import Outcome
from victorpy.page.metadata import Metadata
from victorpy.pipeline.runs.manifest import states_of
from victorpy.pipeline.runs.plan import Plan
from victorpy.pipeline.runs.shards import Shard
from victorpy.pipeline.runs.verification import RecordedOutcome, chosen_pages, recorded_outcomes
from victorpy.sources import Container, RawPage

Failed = Mapping[int, Mapping[int, RecordedOutcome]]


def failed_records(plan: Plan, shards: Sequence[Shard], only: Collection[str]) -> Failed:
    """The records with one of these statuses, by shard number and record number."""
    found = {
        shard.number: {
            page.record: page
            for number, part in enumerate(state.parts, 1)
            if part.statuses.keys() & set(only)
            for page in recorded_outcomes(plan, plan.outcomes(shard, number))
            if page.status in only
        }
        for shard, state in zip(shards, states_of(plan, shards), strict=True)
    }
    return {number: records for number, records in found.items() if records}


def pages_of(plan: Plan, shards: Sequence[Shard], records: Failed, max_bytes: int) -> Iterator[RawPage]:
    for shard in shards:
        if shard.number in records:
            yield from (page for _, page in chosen_pages(plan, shard, records[shard.number], max_bytes))


def failed_outcomes(plan: Plan, shards: Sequence[Shard], only: Collection[str]) -> Iterator[Outcome]:
    """The outcomes of the failed pages, with their bytes unless a page is a file."""
    for shard in shards:
        for recorded in failed_records(plan, [shard], only).values():
            for number, page in chosen_pages(plan, shard, recorded, plan.job.max_bytes):
                yield _outcome(recorded[number], page, has_file=not isinstance(shard.content, Container))


def _outcome(recorded: RecordedOutcome, page: RawPage, *, has_file: bool) -> Outcome:
    return Outcome(
        id=page.id,
        path=page.path,
        status=cast(Status, recorded.status),
        reason=recorded.reason,
        metadata=Metadata(url=recorded.url),
        record=page.record,
        date=page.date,
        raw=None if has_file else page,
    )
