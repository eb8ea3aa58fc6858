"""The table of engines, which do the work of a run. All engines write the same files."""

from collections.abc import Callable, Mapping, Sequence

from victorpy.pipeline.engines import dask, local
from victorpy.pipeline.engines.engine_options import EngineOptions
from victorpy.pipeline.runs.meter import Meter
from victorpy.pipeline.runs.plan import Plan
from victorpy.pipeline.runs.shards import Shard

Engine = Callable[[Plan, Sequence[Shard], EngineOptions, Meter], None]

ENGINES: Mapping[str, Engine] = {"dask": dask.run, "local": local.run}
