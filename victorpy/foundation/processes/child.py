"""One child process, as its parent handles it."""

import multiprocessing
import os
import pickle
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

from victorpy.foundation.processes.lifeline import Lifeline
from victorpy.foundation.processes.limits import NO_MEMORY, Crash, Limits, exit_reason
from victorpy.foundation.processes.serving import READY, serve

# A task is the culprit after so many deaths of its process. Another program sends SIGKILL, and may send it again: the
# two are counted apart, so that a task is not blamed for one of each.
_DEATHS = 2
_KILLS = 4
_KILLED = exit_reason(-signal.SIGKILL)


class Numbered(NamedTuple):
    """A task as it is sent. After the death of its process it is tried again, in a new process.

    `kills` counts deaths by SIGKILL, which another program sends, and `deaths` all others.
    """

    number: int
    pickled: bytes
    deaths: int = 0
    kills: int = 0

    def after(self, cause: Crash) -> "Numbered":
        """The task after a death of its process."""
        if cause.reason == _KILLED:
            return self._replace(kills=self.kills + 1)
        return self._replace(deaths=self.deaths + 1)

    @property
    def is_suspect(self) -> bool:
        return self.deaths + self.kills > 0

    @property
    def is_culprit(self) -> bool:
        return self.deaths >= _DEATHS or self.kills >= _KILLS


Chunk = Sequence[Numbered]


class Child:
    """A process, and the tasks of its chunk that are not done."""

    def __init__(self, function: Callable[[Any], Any], limits: Limits, *, may_fork: bool = True):
        can_fork = may_fork and _can_fork()
        context: Any = multiprocessing.get_context("fork" if can_fork else "spawn")
        self.connection: Connection[Any, Any]
        self.connection, theirs = context.Pipe()
        their_end, self.lifeline = context.Pipe(duplex=False)
        line = Lifeline(os.getpid(), their_end, self.lifeline if can_fork else None)
        self.limits, self.kernel_kills = limits, _kernel_kills()
        self.process = context.Process(target=serve, args=(function, theirs, line, limits.megabytes), daemon=True)
        self.process.start()
        theirs.close()
        their_end.close()
        self.chunk = deque[Numbered]()
        self.is_ready = False
        self.deadline: float | None = None

    def give(self, chunk: Chunk) -> None:
        self.chunk = deque(chunk)
        if self.is_ready:
            self._send()

    def _send(self) -> None:
        with suppress(ConnectionError):  # the child is dead, which the crew notices by itself
            self.connection.send(len(self.chunk))
            for task in self.chunk:
                self.connection.send_bytes(task.pickled)
        self._start_clock()

    def _start_clock(self) -> None:
        """Give the next task its full time."""
        if self.limits.seconds is not None:
            self.deadline = time.monotonic() + self.limits.seconds if self.chunk else None

    def receive(self) -> dict[int, Any] | None:
        """The result of one task by its number; empty if the child has just become ready, None if it is dead."""
        try:
            message = self.connection.recv_bytes()
        except (EOFError, OSError):
            return None
        if message == READY:
            self.is_ready = True
            self._send()
            return {}
        result = pickle.loads(message)
        number = self.chunk.popleft().number
        self._start_clock()
        return {number: result}

    def is_overdue(self) -> bool:
        is_late = self.deadline is not None and time.monotonic() >= self.deadline
        return is_late and not self.connection.poll()

    def cause_of_death(self) -> Crash:
        self.process.join(1)
        code = self.process.exitcode
        if code == NO_MEMORY:
            limit = "there is" if self.limits.megabytes is None else f"{self.limits.megabytes:,} MB"
            return Crash(f"takes more memory than {limit}", "out-of-memory")
        if code == -signal.SIGKILL and _kernel_kills() > self.kernel_kills:
            return Crash("its process was killed by the system, which had no memory left", "out-of-memory")
        return Crash(exit_reason(code))

    def kill(self) -> None:
        self.process.kill()
        self.process.join()
        self.connection.close()
        self.lifeline.close()


def _can_fork() -> bool:
    """Forking a process with threads may copy a lock that no thread will ever release.

    Python does not count the threads of libraries. BLAS and Arrow's allocator stop theirs before a fork.
    """
    return sys.platform == "linux" and threading.active_count() == 1 and not _runs_jax()


def _runs_jax() -> bool:
    """JAX starts threads that Python does not count."""
    return bool(getattr(sys.modules.get("jax._src.xla_bridge"), "_backends", None))


def _kernel_kills() -> int:
    """The number of processes that Linux has killed because memory ran out; 0 on other systems."""
    with suppress(OSError):
        for line in Path("/proc/vmstat").read_text("ascii").splitlines():
            if line.startswith("oom_kill "):
                return int(line.split()[1])
    return 0


def allow_children() -> None:
    """Let a daemon that another program started have children.

    Python forbids it, because children may outlive a daemon. Ours end with their parent.
    """
    multiprocessing.current_process()._config["daemon"] = False  # type: ignore[attr-defined]
