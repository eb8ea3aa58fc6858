"""A job that dies over a page, and takes the process with it that has started its own: importable by workers."""

import os
import signal
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from victorpy.pipeline.batch import Job
from victorpy.pipeline.engines import ENGINES
from victorpy.pipeline.engines.engine_options import EngineOptions
from victorpy.pipeline.runs.meter import Meter
from victorpy.pipeline.runs.plan import Plan, begin
from victorpy.pipeline.runs.shards import shards_of
from victorpy.sources import find_inputs

POISON = b"a page that nobody survives"


@dataclass(frozen=True)
class PoisonousJob(Job):
    def worker(self):
        return partial(_deadly, super().worker())


def _deadly(clean, page):
    if POISON in (page.data or b""):
        os.kill(os.getppid(), signal.SIGKILL)
    return clean(page)


def run(model, archive, folder, scheduler):
    """What `victor run --engine dask` does, with this job."""
    shards = shards_of(find_inputs([archive]))
    plan = Plan(Path(folder), PoisonousJob(model, "jsonl"), part_pages=4)
    begin(plan, shards, {})
    ENGINES["dask"](plan, shards, EngineOptions(scheduler=scheduler), Meter(shards))
