"""The work on shards: one stream of pages through one crew of children, cut into parts and journals as it comes out."""

import logging
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from itertools import groupby, islice
from typing import NamedTuple

from victorpy.errors import VictorError
from victorpy.output.outcome import Outcome
from victorpy.pipeline.batch import failed_outcome, outcomes
from victorpy.pipeline.runs.journal import End, Journal, State
from victorpy.pipeline.runs.parts import Entry, remove_parts, write_part
from victorpy.pipeline.runs.plan import Plan
from victorpy.pipeline.runs.shards import Shard
from victorpy.sources import RawPage

log = logging.getLogger("victorpy")

Watch = Callable[[Shard, Iterator[Entry]], Iterator[Entry]]


class _Begun(NamedTuple):
    shard: Shard
    journal: Journal


class _Read(NamedTuple):
    """A page that has been handed out."""

    number: int
    size: int
    offset: int


class _Spared(NamedTuple):
    """A page that is known to be poison, and ends without being tried."""

    entry: Entry


# What the reader did, which is ahead of the pages that come back.
_Step = _Begun | _Read | _Spared | End


def unwatched(_: Shard, entries: Iterator[Entry]) -> Iterator[Entry]:
    return entries


def work(plan: Plan, shards: Iterable[Shard], jobs: int = 1, watch: Watch = unwatched) -> None:
    """Does what is left of the shards."""
    ahead = deque[_Step]()
    ended = outcomes(_handed_out(plan, shards, ahead), plan.job, jobs, plan.limits)
    try:
        with closing(ended):
            _write(plan, _in_order(ahead, ended), watch)
    finally:
        for step in ahead:
            if isinstance(step, _Begun):
                step.journal.close()


def _handed_out(plan: Plan, shards: Iterable[Shard], ahead: deque[_Step]) -> Iterator[RawPage]:
    for shard in shards:
        journal = Journal(plan.journal(shard))
        done = _settled(plan, shard, journal)
        if done.end:
            journal.close()
            if done.end.damage:
                log.error("%s", done.end.damage)
            continue
        ahead.append(_Begun(shard, journal))
        yield from _pages(plan, shard, done, ahead)


def _pages(plan: Plan, shard: Shard, done: State, ahead: deque[_Step]) -> Iterator[RawPage]:
    """What is not done yet of a shard."""
    number, damages = 0, list[str]()
    for found in shard.pages(plan.columns, plan.job.max_bytes):
        if isinstance(found, VictorError):
            log.error("%s", found)
            damages.append(str(found))
            continue
        number += 1
        if number <= done.records:
            continue
        if number in done.poison:
            ahead.append(_Spared(_spared(plan, number, found)))
        else:
            ahead.append(_Read(number, len(found.data or b""), found.offset))
            yield found
    if done.input and shard.size() != done.input.size:
        damages.append(f"{shard.path}: has changed while it was read")
    ahead.append(End(number, "; ".join(damages)))


def _spared(plan: Plan, number: int, page: RawPage) -> Entry:
    outcome = failed_outcome(plan.job, page, "crashed", "the worker that cleaned it died")
    return Entry(number, outcome, len(page.data or b""), page.offset)


def tried(plan: Plan, shard: Shard, first: int, last: int) -> int:
    """Cleans some records for nothing but to see whether that can be survived; how many of the shard it has read."""
    found = (page for page in shard.pages(plan.columns, plan.job.max_bytes) if not isinstance(page, VictorError))
    read = 0

    def wanted() -> Iterator[RawPage]:
        nonlocal read
        for page in islice(found, last):
            read += 1
            if read >= first:
                yield page

    for _ in outcomes(wanted(), plan.job, 1, plan.limits):
        pass
    return read


def _settled(plan: Plan, shard: Shard, journal: Journal) -> State:
    """What is done of a shard, once it is sure that this was done of the very same input."""
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
            f"has changed since {was.records:,} records of it were cleaned: put back what was there,"
            f" or remove shards/{shard.number:05}.jsonl from the run's folder to clean it anew",
            shard.path,
        )


def _in_order(ahead: deque[_Step], ended: Iterator[Outcome]) -> Iterator[_Begun | Entry | End]:
    """The steps of the reader again, when their time has come."""
    for outcome in ended:
        while not isinstance(step := ahead.popleft(), _Read):
            yield step.entry if isinstance(step, _Spared) else step
        yield Entry(step.number, outcome, step.size, step.offset)
    while ahead:
        last = ahead.popleft()
        assert not isinstance(last, _Read)
        yield last.entry if isinstance(last, _Spared) else last


def _write(plan: Plan, steps: Iterator[_Begun | Entry | End], watch: Watch) -> None:
    for begun in steps:
        assert isinstance(begun, _Begun)
        shard, rest = begun.shard, _UntilEnd(steps)
        with begun.journal as journal:
            for number, entries in groupby(watch(shard, iter(rest)), lambda entry: part_of(entry, plan)):
                journal.append(write_part(plan, shard, number, entries))
            if rest.end:
                journal.append(rest.end)


def part_of(entry: Entry, plan: Plan) -> int:
    return (entry.number - 1) // plan.part_pages + 1


class _UntilEnd:
    """The entries of a shard, and, once they have passed, its end."""

    def __init__(self, steps: Iterator[_Begun | Entry | End]):
        self._steps = steps
        self.end: End | None = None

    def __iter__(self) -> Iterator[Entry]:
        for step in self._steps:
            if isinstance(step, Entry):
                yield step
            else:
                assert isinstance(step, End)
                self.end = step
                return
