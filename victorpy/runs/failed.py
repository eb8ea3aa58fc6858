"""The pages of a run that failed, read again from its inputs."""

from collections.abc import Collection, Iterator, Sequence

from victorpy.errors import VictorError
from victorpy.runs.manifest import states_of
from victorpy.runs.plan import Plan
from victorpy.runs.shards import Shard
from victorpy.runs.verifying import told_of
from victorpy.sources import RawPage


def failed_records(plan: Plan, shards: Sequence[Shard], only: Collection[str]) -> dict[int, set[int]]:
    """Of each shard, by its number, the records that ended in one of these ways."""
    found = {
        shard.number: {
            page.record
            for number, part in enumerate(state.parts, 1)
            if part.statuses.keys() & set(only)
            for page in told_of(plan, plan.outcomes(shard, number))
            if page.status in only
        }
        for shard, state in zip(shards, states_of(plan, shards), strict=True)
    }
    return {number: records for number, records in found.items() if records}


def pages_of(plan: Plan, shards: Sequence[Shard], records: dict[int, set[int]], max_bytes: int) -> Iterator[RawPage]:
    for shard in shards:
        wanted = records.get(shard.number, set())
        found = shard.pages(plan.columns, max_bytes) if wanted else iter(())
        pages = (page for page in found if not isinstance(page, VictorError))
        yield from (page for number, page in enumerate(pages, 1) if number in wanted)
