"""The processes of this machine."""

from collections.abc import Sequence

from victorpy.engines.places import Place
from victorpy.runs.meter import Meter
from victorpy.runs.plan import Plan
from victorpy.runs.shards import Shard
from victorpy.runs.working import work


def run(plan: Plan, shards: Sequence[Shard], place: Place, meter: Meter) -> None:
    work(plan, shards, place.jobs, meter.watch)
