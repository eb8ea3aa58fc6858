"""The engine for processes on this machine."""

from collections.abc import Sequence

from victorpy.pipeline.engines.engine_options import EngineOptions
from victorpy.pipeline.runs.meter import Meter
from victorpy.pipeline.runs.plan import Plan
from victorpy.pipeline.runs.shards import Shard
from victorpy.pipeline.runs.work import work


def run(plan: Plan, shards: Sequence[Shard], options: EngineOptions, meter: Meter) -> None:
    work(plan, shards, options.jobs, meter.watch)
