"""The plan of a run: how its pages are cleaned, and into which files. Another plan is another run."""

import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import KW_ONLY, asdict, dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from victorpy import __version__
from victorpy.errors import UsageError, VictorError
from victorpy.foundation.digests import digest
from victorpy.foundation.files import check_writable, create
from victorpy.foundation.processes import Limits
from victorpy.foundation.resources import find
from victorpy.foundation.yaml_options import options_of
from victorpy.labelers.filters import Filter
from victorpy.labelers.registry import described
from victorpy.output.sinks import ending
from victorpy.pipeline.batch import SAFE, Job
from victorpy.pipeline.deduplication.records import Deduplication
from victorpy.pipeline.runs.shards import Shard, sha256_of
from victorpy.sources import COLUMNS, Container, PageColumns

FILE = "run.json"

# The folder of parts that are not deduplicated yet.
CLEANED = "cleaned/"

# How the run was begun, by which it is opened again. Earlier versions kept the options of the command.
NOT_COMPARED = frozenset({"folder", "settings", "options"})


class LastStep(NamedTuple):
    """The step after all shards: pages are deduplicated and printed in this format."""

    deduplication: Deduplication
    format: str


@dataclass(frozen=True)
class Plan:
    """Everything that work on a shard needs. It is small enough to be sent to another machine.

    If there is a last step, it reads the parts of the shards, which are in a folder of their own.
    """

    folder: Path
    job: Job
    _: KW_ONLY
    limits: Limits = SAFE
    columns: PageColumns = COLUMNS
    part_pages: int = 2_000
    packing: str = ".gz"
    last: LastStep | None = None

    @property
    def printed(self) -> "Plan":
        """The plan of the parts that the last step writes."""
        return replace(self, job=replace(self.job, format=self.last.format), last=None) if self.last else self

    def portable(self) -> "Plan":
        """The same plan for a process that works in another folder."""
        job = self.job
        with suppress(UsageError):  # no model has this name: it is a labeler's
            path = find("models", job.model)
            job = job if path.is_absolute() else replace(job, model=str(path.absolute()))
        if job.sites:
            job = replace(job, sites=replace(job.sites, path=os.path.abspath(job.sites.path)))
        return replace(self, job=job, folder=self.folder.absolute())

    @property
    def last_journal(self) -> Path:
        return self.folder / "shards" / "deduplicated.jsonl"

    def journal(self, shard: Shard) -> Path:
        return self.folder / "shards" / f"{shard.number:05}.jsonl"

    def part(self, shard: Shard, number: int) -> str:
        return f"{self.prefix(shard)}{number:04}{ending(self.job.format, self.packing)}"

    def outcomes(self, shard: Shard, number: int) -> str:
        return f"{self.prefix(shard)}{number:04}.outcomes.jsonl.gz"

    def prefix(self, shard: Shard) -> str:
        """The beginning of the names of the shard's parts."""
        return f"{CLEANED if self.last else ''}{shard.number:05}-"

    def facts(self) -> dict[str, Any]:
        """Everything that the outputs depend on, except the inputs."""
        job = self.job
        facts: dict[str, Any] = {
            "victorpy": __version__,
            "cleaner": described(job.labeler) if job.labeler else {"model": job.model, "digest": job.cleaner().model},
            "decoding": dict(job.decoding),
            "format": self.printed.job.format,
            "max-bytes": job.max_bytes,
            "limits": asdict(self.limits),
            "columns": asdict(self.columns),
            "part-pages": self.part_pages,
            "packing": self.packing,
        }
        if job.urls:
            facts["urls"] = digest(f"{page}\t{url}\n" for page, url in sorted(job.urls.items()))
        if job.sites:
            facts["site"] = {"sha256": sha256_of(job.sites.path), "host": job.sites.host}
        if job.options.changed():
            facts["format-options"] = job.options.changed()
        if job.filters:
            facts["filters"] = [_filter_facts(filter) for filter in job.filters]
        if job.selection:
            facts["selectors"] = options_of(job.selection)
        if job.comments:
            facts["comments"] = job.comments
        if self.last:
            facts["deduplication"] = asdict(self.last.deduplication)
        return facts


def _filter_facts(filter: Filter) -> dict[str, str]:
    facts = {"by": repr(filter)}
    return facts | {"digest": digest([filter.knowledge])} if filter.knowledge else facts


def begin(plan: Plan, shards: Sequence[Shard], settings: Mapping[str, Any]) -> None:
    """Makes the run's folder, or checks that the folder is of the same run. The settings are kept to open it again."""
    check_writable(plan.folder)
    if not _is_made(plan.folder, {**_facts(plan, shards), "folder": os.getcwd(), "settings": dict(settings)}):
        check_same(plan, shards)


def check_same(plan: Plan, shards: Sequence[Shard]) -> None:
    """Raises an error if the folder is of another run. Nothing is written: it may be on a disk that is read-only."""
    differences = list(_differences(read(plan.folder), _facts(plan, shards)))
    if differences:
        raise UsageError(
            f"is another run: {'; '.join(differences[:5])}. Name another folder, or repeat the first command",
            plan.folder,
        )


def _facts(plan: Plan, shards: Sequence[Shard]) -> dict[str, Any]:
    return plan.facts() | {"shards": list(map(_named, shards))}


def _named(shard: Shard) -> list[Any]:
    if isinstance(shard.content, Container):
        return [shard.path]
    return [shard.path, len(shard.content), digest(f"{page.path}\t{page.id}\t{page.url}" for page in shard.content)]


def _is_made(folder: Path, content: Mapping[str, Any]) -> bool:
    """Several processes may begin a run at once. One of them makes the file."""
    if (folder / FILE).exists():
        return False
    if folder.exists() and any(path.name != "shards" and not path.name.startswith(".") for path in folder.iterdir()):
        raise UsageError(f"has files but no {FILE}, so it is not the folder of a run: name another folder", folder)
    return create(folder / FILE, (json.dumps(content, indent=1, ensure_ascii=False) + "\n").encode("utf-8", "replace"))


def read(folder: Path) -> dict[str, Any]:
    path = folder / FILE
    try:
        # Runs of earlier versions call the filter by site SeenFilter.
        content: dict[str, Any] = json.loads(path.read_bytes().replace(b'"SeenFilter(', b'"SiteFilter('))
        if not isinstance(content["folder"], str):
            raise TypeError("its folder is not a path")
        if not isinstance(content["settings"] if "settings" in content else content["options"], dict):
            raise TypeError("its settings are not a JSON object")
        return content
    except FileNotFoundError:
        raise UsageError(f"not the folder of a run: it has no {FILE}", folder) from None
    except OSError as error:
        raise VictorError(f"cannot be read: {error.strerror}", path) from error
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise VictorError(f"is damaged: {error}", path) from error


def _differences(there: Mapping[str, Any], here: Mapping[str, Any], place: str = "") -> Iterator[str]:
    for name in dict.fromkeys([*here, *(name for name in there if name not in NOT_COMPARED)]):
        was, now = there.get(name), here.get(name)
        if isinstance(was, dict) and isinstance(now, dict):
            yield from _differences(was, now, f"{place}{name}.")
        elif name == "shards" and was != now:
            yield _other_shards(was if isinstance(was, list) else [], now or [])
        elif was != now:
            yield f"{place}{name} was {_short(was)}, is {_short(now)}"


def _other_shards(was: Sequence[Any], now: Sequence[Any]) -> str:
    if len(was) != len(now):
        return f"it has {len(was):,} shards, but these inputs make {len(now):,}"
    number, (one, other) = next((n, pair) for n, pair in enumerate(zip(was, now, strict=True), 1) if pair[0] != pair[1])
    was_named = one[0] if isinstance(one, list) and one else _short(one)
    if was_named != other[0]:
        return f"shard {number} was {was_named}, is {other[0]}"
    return f"the pages of shard {number} ({one[0]} …) have changed"


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) < 60 else f"{text[:30]}…{hashlib.sha256(text.encode()).hexdigest()[:8]}"
