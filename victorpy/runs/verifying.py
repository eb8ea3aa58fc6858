"""A finished run against its journals, its inputs, and the cleaner itself."""

import gzip
import json
import random
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from victorpy.batch import Outcome, outcomes
from victorpy.errors import VictorError
from victorpy.runs.journal import Part, State
from victorpy.runs.manifest import FILE, content_of, states_of
from victorpy.runs.parts import text_digest
from victorpy.runs.plan import Plan
from victorpy.runs.shards import Shard, sha256_of
from victorpy.sources import RawPage

# Of these another try may end in another way.
_BY_CHANCE = frozenset({"timeout", "out-of-memory", "crashed"})


class Told(NamedTuple):
    """What a run says of a page."""

    record: int
    status: str
    text: str


def faults(plan: Plan, shards: Sequence[Shard]) -> Iterator[str]:
    """All that is not as it should be, without cleaning anything."""
    states = states_of(plan, shards)
    for shard, state in zip(shards, states, strict=True):
        place = f"shard {shard.number} ({shard.path})"
        yield from (f"{place}: {fault}" for fault in _of_state(shard, state))
        for number, part in enumerate(state.parts, 1):
            yield from _of_part(plan, shard, number, part)
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


def _of_folder(plan: Plan, shards: Sequence[Shard], states: Sequence[State]) -> Iterator[str]:
    known = {
        name
        for shard, state in zip(shards, states, strict=True)
        for number, part in enumerate(state.parts, 1)
        for name in (part.name, plan.outcomes(shard, number))
    }
    for path in sorted(plan.folder.glob("[0-9]*-[0-9]*.*")):
        if path.name not in known:
            yield f"{path.name}: belongs to no shard"
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
                one = Told(page["record"], page["status"], page["text"])
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
        pages = list(_pages(plan, number, wanted))
        for missing in wanted.keys() - {record for record, _ in pages}:
            yield f"shard {shard}: there is no record {missing:,} in its input"
        again = outcomes((page for _, page in pages), plan.job, 1, plan.limits)
        for (record, _), outcome in zip(pages, again, strict=True):
            if (outcome.status, text_digest(outcome)) != wanted[record][1:]:
                yield f"shard {shard}, record {record:,} ({outcome.id}): {_difference(wanted[record], outcome)}"


def _sampled(plan: Plan, shards: Sequence[Shard], size: int, seed: int) -> dict[int, list[Told]]:
    parts = [
        (shard, number, part)
        for shard, state in zip(shards, states_of(plan, shards), strict=True)
        for number, part in enumerate(state.parts, 1)
    ]
    chosen = defaultdict[int, list[Told]](list)
    places = random.Random(seed)
    counts = [part.last - part.first + 1 for _, _, part in parts]
    wanted = Counter(places.choices(range(len(parts)), counts, k=size)) if parts else Counter[int]()
    for place, number in sorted(wanted.items()):
        shard, part_number, _ = parts[place]
        told = [page for page in told_of(plan, plan.outcomes(shard, part_number)) if page.status not in _BY_CHANCE]
        chosen[shard.number] += places.sample(told, min(number, len(told)))
    return chosen


def _pages(plan: Plan, shard: Shard, wanted: dict[int, Told]) -> Iterator[tuple[int, RawPage]]:
    found = (page for page in shard.pages(plan.columns, plan.job.max_bytes) if not isinstance(page, VictorError))
    last = max(wanted, default=0)
    for number, page in enumerate(found, 1):
        if number in wanted:
            yield number, page
        if number >= last:
            return


def _difference(told: Told, outcome: Outcome) -> str:
    if told.status != outcome.status:
        return f"was {told.status}, and is {outcome.status} when it is cleaned again"
    return "has another text when it is cleaned again"
