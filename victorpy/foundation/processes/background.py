"""A process that works while its parent does something else."""

import multiprocessing
import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any, Generic, TypeVar

from victorpy.foundation.processes.lifeline import watch
from victorpy.foundation.processes.limits import Crash, exit_reason

Item = TypeVar("Item")


class Background(Generic[Item]):
    """Yields items that the parent polls for. It has no terminal and ends with its parent."""

    def __init__(self, items: Callable[[], Iterable[Item]]):
        # Never forked: a forked child would share the parent's terminal and event loop.
        context = multiprocessing.get_context("spawn")
        self._connection, theirs = context.Pipe(duplex=False)
        self._process = context.Process(target=_send_all, args=(items, theirs, os.getpid()), daemon=True)
        self._process.start()
        theirs.close()

    def poll(self) -> Item | Crash | None:
        """The next item if it is ready; a Crash if the process died before its last item."""
        if self._connection.closed or not self._connection.poll():
            return None
        try:
            item: Item | None = self._connection.recv()
        except (EOFError, ConnectionError):
            self.stop()
            return Crash(exit_reason(self._process.exitcode))
        if item is None:
            self.stop()
        return item

    def stop(self) -> None:
        self._process.kill()
        self._process.join()
        self._connection.close()


def _send_all(items: Callable[[], Iterable[Any]], connection: "Connection[Any, Any]", parent: int) -> None:
    """What the background process runs: it sends its items, then None."""
    _leave_terminal()
    watch(parent)
    with suppress(ConnectionError):
        for item in items():
            connection.send(item)
        connection.send(None)


def _leave_terminal() -> None:
    """Ignore the terminal's keys, size and end, and print nothing on it."""
    if hasattr(os, "setsid"):
        os.setsid()
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nowhere, stream)
