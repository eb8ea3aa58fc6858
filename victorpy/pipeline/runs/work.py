"""Cleans shards: one stream of pages goes through child processes and is cut into parts and journals at the end."""

import logging
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from itertools import groupby, islice
from typing import NamedTuple

from victorpy.errors import VictorError
from victorpy.output.outcome import Outcome
from victorpy.pipeline.batch import failed_outcome, outcomes
from victorpy.pipeline.runs.journal import End, Journal, State
from victorpy.pipeline.runs.parts import RecordOutcome, remove_parts, write_part
from victorpy.pipeline.runs.plan import Plan
from victorpy.pipeline.runs.shards import Shard
from victorpy.sources import RawPage

log = logging.getLogger("victorpy")

Watch = Callable[[Shard, Iterator[RecordOutcome]], Iterator[RecordOutcome]]


class _Begun(NamedTuple):
    shard: Shard
    journal: Journal


class _HandedOut(NamedTuple):
    """A page that a child process cleans."""

    number: int
    size: int
    offset: int


class _Skipped(NamedTuple):
    """A page that killed its worker before. It is not cleaned again."""

    entry: RecordOutcome


# What the reader has done. It is ahead of the pages that come back.
_Step = _Begun | _HandedOut | _Skipped | End


def unchanged(_: Shard, entries: Iterator[RecordOutcome]) -> Iterator[RecordOutcome]:
    return entries


def work(plan: Plan, shards: Iterable[Shard], jobs: int = 1, watch: Watch = unchanged) -> None:
    """Cleans whatever is left of the shards."""
    ahead = deque[_Step]()
    found = outcomes(_unfinished_pages(plan, shards, ahead), plan.job, jobs, plan.limits)
    try:
        with closing(found):
            _write(plan, _in_order(ahead, found), watch)
    finally:
        for step in ahead:
            if isinstance(step, _Begun):
                step.journal.close()


def _unfinished_pages(plan: Plan, shards: Iterable[Shard], ahead: deque[_Step]) -> Iterator[RawPage]:
    for shard in shards:
        journal = Journal(plan.journal(shard))
        done = _checked_state(plan, shard, journal)
        if done.end:
            journal.close()
            if done.end.damage:
                log.error("%s", done.end.damage)
            continue
        ahead.append(_Begun(shard, journal))
        yield from _pages(plan, shard, done, ahead)


def _pages(plan: Plan, shard: Shard, done: State, ahead: deque[_Step]) -> Iterator[RawPage]:
    """The pages of a shard that are not done yet."""
    number, damages, skipped = 0, list[str](), Counter[str]()
    for found in shard.pages(plan.columns, plan.job.max_bytes, skipped):
        if isinstance(found, VictorError):
            log.error("%s", found)
            damages.append(str(found))
            continue
        number += 1
        if number <= done.records:
            continue
        if number in done.poison:
            ahead.append(_Skipped(_skipped(plan, number, found)))
        else:
            ahead.append(_HandedOut(number, len(found.data or b""), found.offset))
            yield found
    if done.input and shard.size() != done.input.size:
        damages.append(f"{shard.path}: changed while it was read")
    ahead.append(End(number, "; ".join(damages), dict(sorted(skipped.items()))))


def _skipped(plan: Plan, number: int, page: RawPage) -> RecordOutcome:
    outcome = failed_outcome(plan.job, page, "crashed", "the worker that cleaned it died")
    return RecordOutcome(number, outcome, len(page.data or b""), page.offset)


def tried(plan: Plan, shard: Shard, first: int, last: int) -> int:
    """Cleans some records only to see whether the process survives. Returns how many records of the shard were read."""
    found = (page for page in shard.pages(plan.columns, plan.job.max_bytes) if not isinstance(page, VictorError))
    read = 0

    def tested() -> Iterator[RawPage]:
        nonlocal read
        for page in islice(found, last):
            read += 1
            if read >= first:
                yield page

    for _ in outcomes(tested(), plan.job, 1, plan.limits):
        pass
    return read


def _checked_state(plan: Plan, shard: Shard, journal: Journal) -> State:
    """The state of a shard, if its input has not changed. A shard whose damaged input changed starts again."""
    was = journal.state
    if was.end and not was.end.damage:
        _check(shard, was, shard.size() == (was.input and was.input.size))
        return was
    now = shard.fingerprint()
    if was.input == now:
        return was
    if was.end is None and was.parts:
        _check(shard, was, is_same=False)
    if was.input:
        journal.restart()
        remove_parts(plan, shard)
    journal.append(now)
    return journal.state


def _check(shard: Shard, was: State, is_same: bool) -> None:
    if not is_same:
        raise VictorError(
            f"changed after {was.records:,} of its records were cleaned: restore the file,"
            f" or remove shards/{shard.number:05}.jsonl from the run's folder to clean it again",
            shard.path,
        )


def _in_order(ahead: deque[_Step], outcomes: Iterator[Outcome]) -> Iterator[_Begun | RecordOutcome | End]:
    """The steps of the reader in their order, each page with its outcome."""
    for outcome in outcomes:
        while not isinstance(step := ahead.popleft(), _HandedOut):
            yield step.entry if isinstance(step, _Skipped) else step
        yield RecordOutcome(step.number, outcome, step.size, step.offset)
    while ahead:
        last = ahead.popleft()
        assert not isinstance(last, _HandedOut)
        yield last.entry if isinstance(last, _Skipped) else last


def _write(plan: Plan, steps: Iterator[_Begun | RecordOutcome | End], watch: Watch) -> None:
    for begun in steps:
        assert isinstance(begun, _Begun)
        shard, rest = begun.shard, _UntilEnd(steps)
        with begun.journal as journal:
            for number, entries in groupby(watch(shard, iter(rest)), lambda entry: part_of(entry, plan)):
                journal.append(write_part(plan, shard, number, entries))
            if rest.end:
                journal.append(rest.end)


def part_of(entry: RecordOutcome, plan: Plan) -> int:
    return (entry.number - 1) // plan.part_pages + 1


class _UntilEnd:
    """Iterates over the entries of a shard, and then knows the end of the shard."""

    def __init__(self, steps: Iterator[_Begun | RecordOutcome | End]):
        self._steps = steps
        self.end: End | None = None

    def __iter__(self) -> Iterator[RecordOutcome]:
        for step in self._steps:
            if isinstance(step, RecordOutcome):
                yield step
            else:
                assert isinstance(step, End)
                self.end = step
                return
