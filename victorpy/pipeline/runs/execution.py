"""The work of a run: clean its shards on an engine, and finish after the last one."""

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from victorpy.output.quarantine import KEPT, quarantined
from victorpy.pipeline.deduplication.records import Deduplicator
from victorpy.pipeline.engines import ENGINES
from victorpy.pipeline.engines.engine_options import EngineOptions
from victorpy.pipeline.runs.failed import failed_outcomes
from victorpy.pipeline.runs.journal import alone
from victorpy.pipeline.runs.last_step import finish
from victorpy.pipeline.runs.manifest import are_done, states_of, write_manifest
from victorpy.pipeline.runs.meter import Meter
from victorpy.pipeline.runs.plan import LastStep, Plan
from victorpy.pipeline.runs.shards import Shard


def clean_shards(
    plan: Plan, shards: Sequence[Shard], engine: str, options: EngineOptions, *, has_bar: bool = True
) -> None:
    """Clean the unfinished shards."""
    done = [shard for shard, state in zip(shards, states_of(plan, shards), strict=True) if state.end]
    with closing(Meter(shards, done, has_bar=has_bar)) as meter:
        ENGINES[engine](plan, shards, options, meter)


def finish_run(
    plan: Plan, shards: Sequence[Shard], quarantine: str | None = None, *, has_bar: bool = True
) -> Deduplicator | None:
    """Take the steps after the last shard: deduplication, if the plan has it, the manifest, and the quarantine."""
    if not are_done(plan, shards):
        return None
    with alone(plan.folder / "shards" / "end.lock"):
        deduplicator = _deduplicate(plan, plan.last, shards, has_bar=has_bar) if plan.last else None
        write_manifest(plan, shards)
        if quarantine:
            _write_quarantine(plan, shards, Path(quarantine))
    return deduplicator


def _deduplicate(plan: Plan, last: LastStep, shards: Sequence[Shard], *, has_bar: bool) -> Deduplicator | None:
    with closing(Meter(shards, has_bar=has_bar)) as meter:
        return finish(plan, last, shards, meter.watch)


def _write_quarantine(plan: Plan, shards: Sequence[Shard], path: Path) -> None:
    for _ in quarantined(failed_outcomes(plan, shards, KEPT), path):
        pass
