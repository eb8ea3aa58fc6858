"""Options of the engine of a run."""

from typing import NamedTuple


class EngineOptions(NamedTuple):
    """The number of processes on this machine, or the address of a scheduler with workers."""

    jobs: int = 1
    scheduler: str | None = None
