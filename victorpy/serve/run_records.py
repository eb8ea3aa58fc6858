"""Runs as the web app shows them: read from their folders, without their inputs and models."""

import gzip
import json
import zlib
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from itertools import chain, islice
from pathlib import Path
from typing import Any, NamedTuple

from victorpy.errors import VictorError
from victorpy.foundation.compression import unpacked
from victorpy.pipeline.runs.journal import Part, State, state_at
from victorpy.pipeline.runs.plan import FILE, read

# The page of the app shows so many outcomes.
MOST_SHOWN = 200
# A longer line is cut, which is an error: a small packed file may hold one that fills the memory.
_LONGEST_LINE = 100_000_000
_DEEPEST = 3
READ_ERRORS = (OSError, EOFError, zlib.error, ValueError, KeyError, TypeError, AttributeError, RecursionError)


class RunRecord(NamedTuple):
    """A run in short: its statuses with their numbers of pages, and what could not be read."""

    name: str
    model: str
    format: str
    pages: int
    statuses: Mapping[str, int]
    is_finished: bool
    damages: tuple[str, ...]


def run_folders(folder: Path) -> list[str]:
    """The names of the runs in a folder, and of the folder itself if it is one."""
    depths = ("/".join([*"*" * depth, FILE]) for depth in range(_DEEPEST + 1))
    found = {path.parent for pattern in depths for path in folder.glob(pattern)}
    return sorted(str(path.relative_to(folder)) for path in found)


def run_record(folder: Path, name: str) -> RunRecord:
    begun, states = read(folder / name), _states(folder / name)
    statuses = Counter[str]()
    for part in _parts(folder / name, states):
        statuses.update(part.statuses)
    return RunRecord(
        name=name,
        model=str(begun.get("cleaner", {}).get("model", "")),
        format=str(begun.get("format", "")),
        pages=statuses.total(),
        statuses=dict(sorted(statuses.items())),
        is_finished=(folder / name / "manifest.json").exists(),
        damages=tuple(state.end.damage for state in states if state.end and state.end.damage),
    )


def outcomes(run: Path, statuses: Collection[str], search: str = "", most: int = MOST_SHOWN) -> list[dict[str, Any]]:
    """The first outcomes with these statuses (all, if none is named) whose id, address or reason has the text."""
    parts = [part for part in _parts(run, _states(run)) if not statuses or part.statuses.keys() & set(statuses)]
    lines = chain.from_iterable(json_lines(run / outcome_name(part)) for part in parts)
    found = (line for line in lines if not statuses or line["status"] in statuses)
    wanted = search.casefold()
    fitting = (line for line in found if not wanted or wanted in _searched(line))
    return [{name: line[name] for name in ("id", "url", "status", "reason")} for line in islice(fitting, most)]


def _searched(line: Mapping[str, Any]) -> str:
    return f"{line['id']} {line['url'] or ''} {line['reason']}".casefold()


def written_parts(run: Path) -> list[Part]:
    return _parts(run, _states(run))


def format_of(run: Path) -> str:
    return str(read(run).get("format", ""))


def _states(run: Path) -> list[State]:
    return [state_at(path) for path in sorted((run / "shards").glob("[0-9]*.jsonl"))]


def _parts(run: Path, states: list[State]) -> list[Part]:
    """The parts that are written; those of the last step, if it is finished."""
    last = state_at(run / "shards" / "deduplicated.jsonl")
    return list(last.parts) if last.end else [part for state in states for part in state.parts]


def outcome_name(part: Part) -> str:
    return f"{part.name.partition('.')[0]}.outcomes.jsonl.gz"


def json_lines(path: Path) -> Iterator[dict[str, Any]]:
    """The lines of a file, as many as can be read."""
    try:
        with path.open("rb") as raw, gzip.open(raw) if path.suffix == ".gz" else unpacked(raw) as file:
            while line := file.readline(_LONGEST_LINE):
                found = json.loads(line)
                if isinstance(found, dict):
                    yield found
    except READ_ERRORS as error:
        raise VictorError(f"cannot be read: {error}", path) from error
