"""The engine for the workers of a Dask scheduler: a shard is a task, and only counts come back.

A task does what the local engine does. If a worker dies, another worker continues after the last part. If a shard kills
several workers, the record that is the cause is found by bisection and skipped; its status is `crashed`.
"""

import logging
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from typing import Any, NamedTuple

from victorpy.errors import UsageError, VictorError
from victorpy.foundation.optional import distributed
from victorpy.foundation.processes.child import allow_children
from victorpy.output.cleaned import Status
from victorpy.pipeline.engines.engine_options import EngineOptions
from victorpy.pipeline.runs.journal import Journal, Poison, state_at
from victorpy.pipeline.runs.manifest import counted
from victorpy.pipeline.runs.meter import Meter
from victorpy.pipeline.runs.parts import RecordOutcome
from victorpy.pipeline.runs.plan import Plan
from victorpy.pipeline.runs.shards import Shard
from victorpy.pipeline.runs.work import tried, work

log = logging.getLogger("victorpy")

# At most so many records after the last part are being cleaned.
_AHEAD = 64
# The deaths that a shard may cause. Finding each record that is a cause takes some more.
_DEATHS = 16


class _Done(NamedTuple):
    statuses: Mapping[Status, int]
    size: int
    damage: str


def run(plan: Plan, shards: Sequence[Shard], options: EngineOptions, meter: Meter) -> None:
    plan = plan.portable()
    waiting = [shard for shard in shards if not _is_finished(plan, shard)]
    with _client(options) as client:
        troubles = list(_troubles(client, plan, waiting, meter))
    if troubles:
        raise VictorError("; ".join(troubles[:5]))


def _is_finished(plan: Plan, shard: Shard) -> bool:
    end = state_at(plan.journal(shard)).end
    return end is not None and not end.damage


def _client(options: EngineOptions) -> Any:
    if not options.scheduler:
        raise UsageError("--engine dask needs a scheduler, such as --scheduler tcp://host:8786")
    dask = distributed()
    logging.getLogger("distributed").setLevel(logging.ERROR)
    try:
        client = dask.Client(options.scheduler, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        message = f"no Dask scheduler answers ({error}): start one with 'dask scheduler'"
        raise UsageError(message, options.scheduler) from error
    if not client.scheduler_info()["workers"]:
        log.warning("%s: no workers yet; waiting ('dask worker %s' starts one)", options.scheduler, options.scheduler)
    return client


def _troubles(client: Any, plan: Plan, shards: Sequence[Shard], meter: Meter) -> Iterator[str]:
    """Cleans the shards and yields an error for each that failed."""
    under_way = {_submitted(client, plan, shard): shard for shard in shards}
    deaths = Counter[int]()
    ended = distributed().as_completed(under_way, loop=client.loop)
    try:
        for future in ended:
            shard, error = under_way.pop(future), future.exception()
            if error is None:
                _finish(shard, future.result(), meter)
            elif not _is_death(error):
                yield str(error)
            elif deaths[shard.number] < _DEATHS and _is_cause_found(client, plan, shard):
                deaths[shard.number] += 1
                again = _submitted(client, plan, shard)
                under_way[again] = shard
                ended.add(again)
            else:
                yield f"{shard.path}: kills its workers, but no single record is the cause"
    finally:
        client.cancel(list(under_way))


def _finish(shard: Shard, done: _Done, meter: Meter) -> None:
    if done.damage:
        log.error("%s", done.damage)
    meter.finished(shard, done.statuses, done.size)


def _is_death(error: BaseException) -> bool:
    return isinstance(error, distributed().KilledWorker)


def _submitted(client: Any, plan: Plan, shard: Shard) -> Any:
    return client.submit(_shard_done, plan, shard, pure=False)


def _shard_done(plan: Plan, shard: Shard) -> _Done:
    """The task of a worker."""
    allow_children()
    size = 0

    def weighed(_: Shard, entries: Iterator[RecordOutcome]) -> Iterator[RecordOutcome]:
        nonlocal size
        for entry in entries:
            size += entry.size
            yield entry

    work(plan, [shard], 1, weighed)
    state = state_at(plan.journal(shard))
    return _Done(dict(counted([state])), size, state.end.damage if state.end else "")


def _is_cause_found(client: Any, plan: Plan, shard: Shard) -> bool:
    """Is the shard worth another try? True if the fatal record was found, or if no record is fatal by itself."""
    done = state_at(plan.journal(shard)).records
    before, last = done, done + plan.part_pages + _AHEAD
    read = _survived(client, plan, shard, last + 1, last)
    if read is None:
        return False
    last = min(last, read)
    if _survived(client, plan, shard, before + 1, last) is not None:
        return True
    while last - before > 1:
        middle = (before + last) // 2
        if _survived(client, plan, shard, before + 1, middle) is None:
            last = middle
        else:
            before = middle
    log.warning("%s: record %d kills its worker and is skipped", shard.path, last)
    with closing(Journal(plan.journal(shard))) as journal:
        journal.append(Poison(last))
    return True


def _survived(client: Any, plan: Plan, shard: Shard, first: int, last: int) -> int | None:
    """The number of records that were read, or None if the workers died."""
    future = client.submit(_tried, plan, shard, first, last, pure=False)
    error = future.exception()
    if error is None:
        return int(future.result())
    if _is_death(error):
        return None
    raise error


def _tried(plan: Plan, shard: Shard, first: int, last: int) -> int:
    allow_children()
    return tried(plan, shard, first, last)
