"""What a task may use, and how a task that fails is reported."""

import logging
import signal
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeVar

from victorpy.errors import VictorError

log = logging.getLogger("victorpy")

Task = TypeVar("Task")
Result = TypeVar("Result")
Loss = Literal["timeout", "out-of-memory", "crashed"]

# How often a child checks that its parent is alive.
SECONDS_BETWEEN_CHECKS = 1.0
# The exit status of a child that ran out of memory; no signal and no shell uses it.
NO_MEMORY = 77


@dataclass(frozen=True)
class Limits:
    """The time and memory of each task; None is no limit.

    `megabytes` counts beyond what the process uses before its first task.
    """

    seconds: float | None = None
    megabytes: int | None = None


class Crash(NamedTuple):
    """Replaces the result of a task that failed."""

    reason: str
    status: Loss = "crashed"


def attempt(function: Callable[[Task], Result], task: Task) -> Result | Crash:
    """The result or the failure: a bug of ours ends one task, not a run of a million."""
    try:
        return function(task)
    except MemoryError:
        return Crash("no memory is left", "out-of-memory")
    except VictorError as error:
        return Crash(str(error))
    except Exception as error:
        log.info("a task failed", exc_info=True)
        return Crash(f"{type(error).__name__}: {error}")


def exit_reason(exit_code: int | None) -> str:
    if exit_code is not None and exit_code < 0:
        return f"its process died ({signal.Signals(-exit_code).name})"
    return f"its process died (exit status {exit_code})"
