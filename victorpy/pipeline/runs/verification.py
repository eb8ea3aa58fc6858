"""Checks a run against its journals, its inputs, and the cleaner itself."""

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
from victorpy.pipeline.runs.last_step import deduplicated
from victorpy.pipeline.runs.manifest import FILE, all_parts, content_of, states_of
from victorpy.pipeline.runs.part_contents import RecordedText, content_faults
from victorpy.pipeline.runs.parts import text_digest
from victorpy.pipeline.runs.plan import CLEANED, LastStep, Plan
from victorpy.pipeline.runs.shards import Shard, sha256_of
from victorpy.sources import RawPage

# Another try may give another status.
_BY_CHANCE = frozenset({"timeout", "out-of-memory", "crashed"})


class RecordedOutcome(NamedTuple):
    """What a file of outcomes says about a page; `text` is the digest of its text."""

    record: int
    status: str
    text: str
    reason: str = ""
    url: str | None = None

    def matches(self, outcome: Outcome, format: str) -> bool:
        return (self.status, self.text) == (outcome.status, text_digest(outcome, format))


def faults(plan: Plan, shards: Sequence[Shard]) -> Iterator[str]:
    """Everything that is wrong with the files, without cleaning any page."""
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
        yield f"its input was incomplete: {state.end.damage}"
    elif state.end.records != state.records:
        yield f"has {state.end.records:,} records, but {state.records:,} are done"
    if state.input and shard.fingerprint() != state.input:
        yield "the input has changed since it was cleaned"
    expected = 1
    for part in state.parts:
        if part.first != expected:
            yield f"{part.name} begins with record {part.first:,}, expected {expected:,}"
        expected = part.last + 1


def _of_part(plan: Plan, shard: Shard, number: int, part: Part) -> Iterator[str]:
    outcomes_name = plan.outcomes(shard, number)
    for name, digest in ((part.name, part.sha256), (outcomes_name, part.outcomes)):
        found = sha256_of(plan.folder / name)
        if found != digest:
            yield f"{name}: {'has changed since it was written' if found else 'is missing or cannot be read'}"
            return
    recorded = recorded_outcomes(plan, outcomes_name)
    if [page.record for page in recorded] != list(range(part.first, part.last + 1)):
        yield f"{outcomes_name}: does not hold each of the records {part.first:,} to {part.last:,} once"
        return
    texts = [RecordedText(page.record, page.text) for page in recorded]
    yield from (f"{part.name}: {fault}" for fault in content_faults(plan.folder / part.name, plan.job, texts))
    if Counter(page.status for page in recorded) != part.statuses:
        yield f"{outcomes_name}: the outcomes differ from the journal"


def _of_last_step(plan: Plan, last: LastStep, shards: Sequence[Shard], states: Sequence[State]) -> Iterator[str]:
    """Faults of the last step: its files, and pages that are deduplicated differently now."""
    done, parts = state_at(plan.last_journal), list(_parts(shards, states))
    if done.end is None or done.input != all_parts(states) or len(done.parts) != len(parts):
        yield (
            "deduplication is not finished"
            if done.end is None
            else "the parts have changed since they were deduplicated"
        )
        return
    for (shard, number, _), part in zip(parts, done.parts, strict=True):
        yield from _of_part(plan.printed, shard, number, part)
    try:
        yield from _deduplicated_differently(plan, last, shards, states)
    except VictorError as error:
        yield str(error)


def _deduplicated_differently(
    plan: Plan, last: LastStep, shards: Sequence[Shard], states: Sequence[State]
) -> Iterator[str]:
    deduplicator = Deduplicator(last.deduplication)
    for shard, state in zip(shards, states, strict=True):
        names = (plan.printed.outcomes(shard, number) for number in range(1, len(state.parts) + 1))
        recorded = (page for name in names for page in recorded_outcomes(plan, name))
        for entry, page in zip(deduplicated(plan, shard, state, deduplicator), recorded, strict=False):
            if page.record != entry.number or not page.matches(entry.outcome, plan.printed.job.format):
                yield f"shard {shard.number}, record {entry.number:,}: differs when it is deduplicated again"


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
    yield from _of_manifest(plan, shards, states)


def _of_manifest(plan: Plan, shards: Sequence[Shard], states: Sequence[State]) -> Iterator[str]:
    manifest = plan.folder / FILE
    if not manifest.exists():
        if all(state.end for state in states) and not (plan.last and state_at(plan.last_journal).end is None):
            yield f"{FILE}: is missing; the command of the run writes it again"
    elif manifest.read_bytes() != content_of(plan, shards, states):
        yield f"{FILE}: differs from the journals"


def recorded_outcomes(plan: Plan, name: str) -> list[RecordedOutcome]:
    """The outcomes in a file, as many as can be read."""
    recorded = list[RecordedOutcome]()
    try:
        with gzip.open(plan.folder / name) as file:
            for row in file:
                page: dict[str, Any] = json.loads(row)
                one = RecordedOutcome(*(page[name] for name in RecordedOutcome._fields))
                if not (type(one.record) is int and isinstance(one.status, str) and isinstance(one.text, str)):
                    return recorded
                recorded.append(one)
    except (OSError, EOFError, zlib.error, ValueError, KeyError, TypeError, RecursionError):
        return recorded
    return recorded


def sample_faults(plan: Plan, shards: Sequence[Shard], size: int, seed: int) -> Iterator[str]:
    """Cleans a sample of the pages again and names those that differ from the run."""
    for shard, sampled in _sampled(plan, shards, size, seed).items():
        number = {one.number: one for one in shards}[shard]
        expected = {page.record: page for page in sampled}
        pages = list(chosen_pages(plan, number, expected, plan.job.max_bytes))
        for missing in expected.keys() - {record for record, _ in pages}:
            yield f"shard {shard}: there is no record {missing:,} in its input"
        again = outcomes((page for _, page in pages), plan.job, 1, plan.limits)
        for (record, _), outcome in zip(pages, again, strict=True):
            if not expected[record].matches(outcome, plan.job.format):
                yield f"shard {shard}, record {record:,} ({outcome.id}): {_difference(expected[record], outcome)}"


def _sampled(plan: Plan, shards: Sequence[Shard], size: int, seed: int) -> dict[int, list[RecordedOutcome]]:
    parts = list(_parts(shards, states_of(plan, shards)))
    chosen = defaultdict[int, list[RecordedOutcome]](list)
    places = random.Random(seed)
    counts = [part.last - part.first + 1 for _, _, part in parts]
    sizes = Counter(places.choices(range(len(parts)), counts, k=size)) if parts else Counter[int]()
    for place, number in sorted(sizes.items()):
        shard, part_number, _ = parts[place]
        found = recorded_outcomes(plan, plan.outcomes(shard, part_number))
        recorded = [page for page in found if page.status not in _BY_CHANCE]
        chosen[shard.number] += places.sample(recorded, min(number, len(recorded)))
    return chosen


def chosen_pages(plan: Plan, shard: Shard, chosen: Collection[int], max_bytes: int) -> Iterator[tuple[int, RawPage]]:
    """The pages of a shard with these numbers."""
    found = (page for page in shard.pages(plan.columns, max_bytes) if not isinstance(page, VictorError))
    numbered = enumerate(islice(found, max(chosen, default=0)), 1)
    return ((number, page) for number, page in numbered if number in chosen)


def _difference(recorded: RecordedOutcome, outcome: Outcome) -> str:
    if recorded.status != outcome.status:
        return f"was {recorded.status}, but is {outcome.status} when it is cleaned again"
    return "has a different text when it is cleaned again"
