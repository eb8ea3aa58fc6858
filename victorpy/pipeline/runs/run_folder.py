"""A run in its folder: to look at, to verify, to resume."""

import os
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from contextlib import chdir
from dataclasses import dataclass
from itertools import chain
from os import PathLike
from pathlib import Path
from typing import Any

from victorpy.output.cleaned import FAILURES, Status
from victorpy.output.outcome import Outcome
from victorpy.pipeline.engines.engine_options import EngineOptions
from victorpy.pipeline.runs.earlier_runs import earlier_settings
from victorpy.pipeline.runs.execution import clean_shards, finish_run
from victorpy.pipeline.runs.failed import failed_outcomes
from victorpy.pipeline.runs.journal import State
from victorpy.pipeline.runs.manifest import counted, digest_of_run, printed_states
from victorpy.pipeline.runs.plan import FILE, Plan, check_same, read
from victorpy.pipeline.runs.settings import RunSettings, settings_of
from victorpy.pipeline.runs.shards import Shard
from victorpy.pipeline.runs.verification import faults, sample_faults


@dataclass(frozen=True)
class Run:
    """A run in its folder, as `victor run` made it. `Run.open(folder)` opens it."""

    plan: Plan
    shards: tuple[Shard, ...]

    @classmethod
    def open(cls, folder: str | PathLike[str]) -> "Run":
        """Opens the run in a folder. Its model, and whatever else it depends on, must be unchanged."""
        path = Path(folder).absolute()
        begun = read(Path(folder))
        # Relative paths in the settings start from the folder in which the run was begun.
        with chdir(begun["folder"] if os.path.isdir(begun["folder"]) else "."):
            settings = _settings(begun, path / FILE)
            plan, shards = settings.plan(path), settings.shards()
            check_same(plan, shards)
            return cls(plan.portable(), tuple(shards))

    @property
    def folder(self) -> Path:
        return self.plan.folder

    def resume(self, jobs: int = 1) -> None:
        """Cleans what is left, in this many processes, and finishes the run."""
        clean_shards(self.plan, self.shards, "local", EngineOptions(jobs), has_bar=False)
        finish_run(self.plan, self.shards, has_bar=False)

    def states(self) -> list[State]:
        """For each shard what is done of it: its parts, and its end if it is finished."""
        return printed_states(self.plan, self.shards)

    def counts(self) -> Counter[Status]:
        """How many pages ended with each status so far."""
        return counted(self.states())

    def is_finished(self) -> bool:
        return all(state.end for state in self.states())

    def files(self) -> list[Path]:
        """The files of texts that are written so far, in the order of the inputs."""
        return [self.folder / part.name for state in self.states() for part in state.parts]

    def failed(self, only: Collection[Status] = FAILURES) -> Iterator[Outcome]:
        """The pages that ended with one of these statuses, with their bytes, read again from the inputs."""
        return failed_outcomes(self.plan, self.shards, only)

    def faults(self, sample: int = 10, seed: int = 0) -> Iterator[str]:
        """Everything that is wrong with the files of the run; `sample` pages are cleaned again to compare them."""
        return chain(faults(self.plan, self.shards), sample_faults(self.plan, self.shards, sample, seed))

    def verify(self, sample: int = 10, seed: int = 0, digest: str | None = None) -> list[str]:
        """All faults; one of them is another digest of the run than this one."""
        found = list(self.faults(sample, seed))
        if digest is not None and digest != self.digest:
            found.insert(0, f"its digest is {self.digest or 'missing'}, expected {digest}")
        return found

    @property
    def digest(self) -> str:
        """What stands for all files of a finished run: the SHA-256 of its manifest."""
        return digest_of_run(self.folder)


def _settings(begun: Mapping[str, Any], place: Path) -> RunSettings:
    return settings_of(begun["settings"], place) if "settings" in begun else earlier_settings(begun, place)
