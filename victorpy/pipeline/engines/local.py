"""The processes of this machine."""

from collections.abc import Sequence

from victorpy.pipeline.engines.places import Place
from victorpy.pipeline.runs.meter import Meter
from victorpy.pipeline.runs.plan import Plan
from victorpy.pipeline.runs.shards import Shard
from victorpy.pipeline.runs.work import work


def run(plan: Plan, shards: Sequence[Shard], place: Place, meter: Meter) -> None:
    work(plan, shards, place.jobs, meter.watch)
