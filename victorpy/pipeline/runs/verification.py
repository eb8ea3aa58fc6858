"""A finished run against its journals, its inputs, and the cleaner itself."""

import gzip
import json
import random
import zlib
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

from victorpy.errors import VictorError
from victorpy.output.outcome import Outcome
from victorpy.pipeline.batch import outcomes
from victorpy.pipeline.deduplication.records import Deduplicator
from victorpy.pipeline.runs.journal import Part, State, state_at
from victorpy.pipeline.runs.last_step import left
from victorpy.pipeline.runs.manifest import FILE, all_parts, content_of, states_of
from victorpy.pipeline.runs.parts import text_digest
from victorpy.pipeline.runs.plan import CLEANED, LastStep, Plan
from victorpy.pipeline.runs.shards import Shard, sha256_of
from victorpy.sources import RawPage

# Of these another try may end in another way.
_BY_CHANCE = frozenset({"timeout", "out-of-memory", "crashed"})


class Told(NamedTuple):
    """What a run says of a page."""

    record: int
    status: str
    text: str
    reason: str = ""
    url: str | None = None

    def is_like(self, outcome: Outcome) -> bool:
        return (self.status, self.text) == (outcome.status, text_digest(outcome))


def faults(plan: Plan, shards: Sequence[Shard]) -> Iterator[str]:
    """All that is not as it should be, without cleaning anything."""
    states = states_of(plan, shards)
    for shard, state in zip(shards, states, strict=True):
        place = f"shard {shard.number} ({shard.path})"
        yield from (f"{place}: {fault}" for fault in _of_state(shard, state))
        for number, part in enumerate(state.parts, 1):
            yield from _of_part(plan, shard, number, part)
    if plan.last:
        yield from _of_last_step(plan, plan.last, shards, states)
    yield from _of_folder(plan, shards, states)


def _of_state(shard: Shard, state: State) -> Iterator[str]:
    if state.end is None:
        yield f"not finished: {state.records:,} records are done"
    elif state.end.damage:
        yield f"its input was not whole: {state.end.damage}"
    elif state.end.records != state.records:
        yield f"has {state.end.records:,} records, and {state.records:,} are done"
    if state.input and shard.fingerprint() != state.input:
        yield "the input is not what was cleaned"
    follows = 1
    for part in state.parts:
        if part.first != follows:
            yield f"{part.name} begins with record {part.first:,}, where {follows:,} follows"
        follows = part.last + 1


def _of_part(plan: Plan, shard: Shard, number: int, part: Part) -> Iterator[str]:
    told_name = plan.outcomes(shard, number)
    for name, digest in ((part.name, part.sha256), (told_name, part.outcomes)):
        found = sha256_of(plan.folder / name)
        if found != digest:
            yield f"{name}: {'is not what was written' if found else 'is not there, or cannot be read'}"
            return
    told = told_of(plan, told_name)
    if [page.record for page in told] != list(range(part.first, part.last + 1)):
        yield f"{told_name}: does not hold the records {part.first:,} to {part.last:,}, each once"
    if Counter(page.status for page in told) != part.statuses:
        yield f"{told_name}: the outcomes are not those of the journal"


def _of_last_step(plan: Plan, last: LastStep, shards: Sequence[Shard], states: Sequence[State]) -> Iterator[str]:
    """Its files, and whether all pages come out again as they did."""
    done, parts = state_at(plan.last_journal), list(_parts(shards, states))
    if done.end is None or done.input != all_parts(states) or len(done.parts) != len(parts):
        yield "not deduplicated to the end" if done.end is None else "what was deduplicated is not what was cleaned"
        return
    for (shard, number, _), part in zip(parts, done.parts, strict=True):
        yield from _of_part(plan.printed, shard, number, part)
    try:
        yield from _left_otherwise(plan, last, shards, states)
    except VictorError as error:
        yield str(error)


def _left_otherwise(plan: Plan, last: LastStep, shards: Sequence[Shard], states: Sequence[State]) -> Iterator[str]:
    deduplicator = Deduplicator(last.deduplication)
    for shard, state in zip(shards, states, strict=True):
        names = (plan.printed.outcomes(shard, number) for number in range(1, len(state.parts) + 1))
        told = (page for name in names for page in told_of(plan, name))
        for entry, page in zip(left(plan, shard, state, deduplicator), told, strict=False):
            if page.record != entry.number or not page.is_like(entry.outcome):
                yield f"shard {shard.number}, record {entry.number:,}: is another when it is deduplicated again"


def _parts(shards: Sequence[Shard], states: Sequence[State]) -> Iterator[tuple[Shard, int, Part]]:
    for shard, state in zip(shards, states, strict=True):
        yield from ((shard, number, part) for number, part in enumerate(state.parts, 1))


def _of_folder(plan: Plan, shards: Sequence[Shard], states: Sequence[State]) -> Iterator[str]:
    places = [plan, plan.printed] if plan.last else [plan]
    known = {
        name
        for shard, number, _ in _parts(shards, states)
        for place in places
        for name in (place.part(shard, number), place.outcomes(shard, number))
    }
    for path in sorted(path for place in ("", CLEANED) for path in plan.folder.glob(f"{place}[0-9]*-[0-9]*.*")):
        name = str(path.relative_to(plan.folder))
        if name not in known:
            yield f"{name}: belongs to no shard"
    manifest = plan.folder / FILE
    if manifest.exists() and manifest.read_bytes() != content_of(plan, shards, states):
        yield f"{FILE}: is not what the journals say"


def told_of(plan: Plan, name: str) -> list[Told]:
    """What a file of outcomes says; as much as can be read of it."""
    told = list[Told]()
    try:
        with gzip.open(plan.folder / name) as file:
            for row in file:
                page: dict[str, Any] = json.loads(row)
                one = Told(*(page[name] for name in Told._fields))
                if not (type(one.record) is int and isinstance(one.status, str) and isinstance(one.text, str)):
                    return told
                told.append(one)
    except (OSError, EOFError, zlib.error, ValueError, KeyError, TypeError, RecursionError):
        return told
    return told


def sample_faults(plan: Plan, shards: Sequence[Shard], size: int, seed: int) -> Iterator[str]:
    """Cleans some of the pages again, and tells which come out in another way than the run says."""
    for shard, told in _sampled(plan, shards, size, seed).items():
        number = {one.number: one for one in shards}[shard]
        wanted = {page.record: page for page in told}
        pages = list(wanted_pages(plan, number, wanted, plan.job.max_bytes))
        for missing in wanted.keys() - {record for record, _ in pages}:
            yield f"shard {shard}: there is no record {missing:,} in its input"
        again = outcomes((page for _, page in pages), plan.job, 1, plan.limits)
        for (record, _), outcome in zip(pages, again, strict=True):
            if not wanted[record].is_like(outcome):
                yield f"shard {shard}, record {record:,} ({outcome.id}): {_difference(wanted[record], outcome)}"


def _sampled(plan: Plan, shards: Sequence[Shard], size: int, seed: int) -> dict[int, list[Told]]:
    parts = list(_parts(shards, states_of(plan, shards)))
    chosen = defaultdict[int, list[Told]](list)
    places = random.Random(seed)
    counts = [part.last - part.first + 1 for _, _, part in parts]
    wanted = Counter(places.choices(range(len(parts)), counts, k=size)) if parts else Counter[int]()
    for place, number in sorted(wanted.items()):
        shard, part_number, _ = parts[place]
        told = [page for page in told_of(plan, plan.outcomes(shard, part_number)) if page.status not in _BY_CHANCE]
        chosen[shard.number] += places.sample(told, min(number, len(told)))
    return chosen


def wanted_pages(plan: Plan, shard: Shard, wanted: Collection[int], max_bytes: int) -> Iterator[tuple[int, RawPage]]:
    """Some of a shard's records, with their numbers."""
    found = (page for page in shard.pages(plan.columns, max_bytes) if not isinstance(page, VictorError))
    numbered = enumerate(islice(found, max(wanted, default=0)), 1)
    return ((number, page) for number, page in numbered if number in wanted)


def _difference(told: Told, outcome: Outcome) -> str:
    if told.status != outcome.status:
        return f"was {told.status}, and is {outcome.status} when it is cleaned again"
    return "has another text when it is cleaned again"
