"""Who does the work of a run: each engine does what is left of the shards, and all of them write the same files."""

from collections.abc import Callable, Mapping, Sequence

from victorpy.pipeline.engines import dask, local
from victorpy.pipeline.engines.places import Place
from victorpy.pipeline.runs.meter import Meter
from victorpy.pipeline.runs.plan import Plan
from victorpy.pipeline.runs.shards import Shard

Engine = Callable[[Plan, Sequence[Shard], Place, Meter], None]

ENGINES: Mapping[str, Engine] = {"dask": dask.run, "local": local.run}
