"""The manifest: a finished run in one file."""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from victorpy.foundation.digests import digest
from victorpy.foundation.files import written_whole
from victorpy.output.cleaned import Status
from victorpy.pipeline.runs.journal import Part, State, state_at
from victorpy.pipeline.runs.plan import NOT_COMPARED, Plan, read
from victorpy.pipeline.runs.shards import Fingerprint, Shard, sha256_of

FILE = "manifest.json"


def states_of(plan: Plan, shards: Iterable[Shard]) -> list[State]:
    return [state_at(plan.journal(shard)) for shard in shards]


def counted(states: Iterable[State]) -> Counter[Status]:
    """The number of pages with each status."""
    counts = Counter[Status]()
    for state in states:
        for part in state.parts:
            counts.update(part.statuses)  # type: ignore[arg-type]
    return counts


def counted_fallbacks(states: Iterable[State]) -> Counter[str]:
    """The number of pages that were cleaned by each fallback."""
    counts = Counter[str]()
    for state in states:
        for part in state.parts:
            counts.update(part.fallbacks)
    return counts


def are_done(plan: Plan, shards: Iterable[Shard]) -> bool:
    return all(state.end for state in states_of(plan, shards))


def all_parts(states: Iterable[State]) -> Fingerprint:
    """The fingerprint of what the last step reads."""
    parts = [part for state in states for part in state.parts]
    content = digest(f"{part.name} {part.sha256} {part.outcomes}" for part in parts)
    return Fingerprint(sum(state.records for state in states), content)


def printed_states(plan: Plan, shards: Sequence[Shard]) -> list[State]:
    """The states of the shards. If the last step is finished, they have its parts."""
    states, last = states_of(plan, shards), state_at(plan.last_journal)
    if not (plan.last and last.end and last.input == all_parts(states)):
        return states
    parts = iter(last.parts)
    return [state._replace(parts=tuple(islice(parts, len(state.parts)))) for state in states]


def write_manifest(plan: Plan, shards: Sequence[Shard]) -> bool:
    """Writes the manifest of a finished run. False if something is not finished."""
    states = states_of(plan, shards)
    if not all(state.end for state in states) or (plan.last and not state_at(plan.last_journal).end):
        return False
    with written_whole(plan.folder / FILE) as file:
        file.write(content_of(plan, shards, states))
    return True


def digest_of_run(folder: Path) -> str:
    """The SHA-256 of the manifest, which has the digests of all other files; empty if there is none yet."""
    return sha256_of(folder / FILE) or ""


def content_of(plan: Plan, shards: Sequence[Shard], states: Sequence[State]) -> bytes:
    last = state_at(plan.last_journal) if plan.last else None
    counts = counted([last] if last else states)
    begun = read(plan.folder).items()
    facts = {name: value for name, value in begun if name not in {*NOT_COMPARED, "shards"}}
    content = {
        **facts,
        "pages": counts.total(),
        "statuses": dict(sorted(counts.items())),
        "shards": [_shard_facts(shard, state) for shard, state in zip(shards, states, strict=True)],
    } | ({"deduplicated": [_part_facts(part) for part in last.parts]} if last else {})
    return (json.dumps(content, indent=1, ensure_ascii=False) + "\n").encode("utf-8", "replace")


def _shard_facts(shard: Shard, state: State) -> dict[str, Any]:
    return {
        "number": shard.number,
        "input": {"path": shard.path, "files": len(shard.paths), **(state.input._asdict() if state.input else {})},
        **(
            {name: value for name, value in state.end._asdict().items() if name != "skipped" or value}
            if state.end
            else {}
        ),
        "parts": [_part_facts(part) for part in state.parts],
    }


def _part_facts(part: Part) -> dict[str, Any]:
    """Without fallbacks where there were none, as in the manifests of earlier versions."""
    return {name: value for name, value in part._asdict().items() if name != "fallbacks" or value}
