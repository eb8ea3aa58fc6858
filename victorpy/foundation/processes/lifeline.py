"""Children end when their parent dies, whatever they are doing."""

import os
import signal
import sys
import threading
import time
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

from victorpy.foundation.processes.limits import SECONDS_BETWEEN_CHECKS


class Lifeline(NamedTuple):
    """A pipe that nobody writes to: it breaks when the parent dies, which ends the child."""

    parent: int
    end: "Connection[Any, Any]"
    # A forked child inherits this end and closes it. Copies in later children close when those end.
    parents_end: "Connection[Any, Any] | None"

    def hold(self) -> None:
        if self.parents_end:
            self.parents_end.close()
        if sys.platform == "linux":
            self._ask_for_signal()
            self._check_regularly()
        else:
            watch(self.parent)

    def _ask_for_signal(self) -> None:
        """Let the system send the signal: a check in Python waits for the GIL, which C code may hold for hours."""
        import fcntl  # noqa: PLC0415  # not on Windows

        fcntl.fcntl(self.end, fcntl.F_SETSIG, signal.SIGKILL)
        fcntl.fcntl(self.end, fcntl.F_SETOWN, os.getpid())
        fcntl.fcntl(self.end, fcntl.F_SETFL, os.O_ASYNC)

    def _check_regularly(self) -> None:
        """Check for the parent in case another process holds the pipe open.

        A timer, not a thread: with a second thread every allocation of a parser takes a lock, which makes cleaning
        2 % slower.
        """
        signal.signal(signal.SIGALRM, lambda _signal, _frame: _exit_if_orphaned(self.parent))
        signal.setitimer(signal.ITIMER_REAL, SECONDS_BETWEEN_CHECKS, SECONDS_BETWEEN_CHECKS)


def watch(parent: int) -> None:
    """End this process, from a thread, when its parent has died."""
    threading.Thread(target=_exit_with, args=(parent,), daemon=True).start()


def _exit_with(parent: int) -> None:
    while True:
        _exit_if_orphaned(parent)
        time.sleep(SECONDS_BETWEEN_CHECKS)


def _exit_if_orphaned(parent: int) -> None:
    if os.getppid() != parent:
        os._exit(1)
