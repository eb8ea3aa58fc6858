"""Work done in child processes: one that dies takes only its own task with it."""

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import islice
from multiprocessing.connection import Connection, wait
from typing import Any, Generic, NamedTuple, TypeVar, cast

Task = TypeVar("Task")
Result = TypeVar("Result")
Item = TypeVar("Item")
Numbered = list[tuple[int, Any]]

# How often a child looks whether its parent is still there.
_SECONDS_BETWEEN_LOOKS = 1.0


class Crash(NamedTuple):
    """Stands for the result of a task whose process died."""

    reason: str


def results(
    make_worker: Callable[[], Callable[[Task], Result]], tasks: Iterable[Task], jobs: int, chunk_size: int = 8
) -> Iterator[Result | Crash]:
    """The result of every task, in order; `make_worker` makes, in each child, the function that does a task."""
    crew = _Crew(make_worker, jobs)
    waiting, done, following = deque[Numbered](), dict[int, Any](), 0
    chunks = _chunks(tasks, chunk_size)
    try:
        while True:
            # A slow page must not let all that comes after it pile up.
            room = 4 * jobs * chunk_size - len(done) - crew.tasks_under_way - sum(map(len, waiting))
            waiting.extend(islice(chunks, max(0, room // chunk_size)))
            while waiting and crew.has_idle:
                crew.start(waiting.popleft())
            if not crew.tasks_under_way and not done:
                return
            finished, unfinished = crew.wait()
            done.update(finished)
            waiting.extendleft(reversed([[task] for task in unfinished]))
            while following in done:
                yield done.pop(following)
                following += 1
    finally:
        crew.kill()


def _chunks(tasks: Iterable[Task], size: int) -> Iterator[Numbered]:
    numbered = enumerate(tasks)
    while chunk := list(islice(numbered, size)):
        yield chunk


class _Child:
    """A process and the chunk that it works on."""

    def __init__(self, make_worker: Callable[[], Callable[[Any], Any]]):
        # Forking a process with threads may copy a lock that nobody will ever open.
        can_fork = sys.platform == "linux" and threading.active_count() == 1
        context: Any = multiprocessing.get_context("fork" if can_fork else "spawn")
        self.connection: Connection[Any, Any]
        self.connection, theirs = context.Pipe()
        self.process = context.Process(target=_serve, args=(make_worker, theirs, os.getpid()), daemon=True)
        self.process.start()
        theirs.close()
        self.chunk: Numbered = []

    def received(self) -> list[Any] | None:
        """The results of the chunk; None where the process died over it."""
        try:
            received: list[Any] = self.connection.recv()
        except (EOFError, ConnectionError):
            return None
        return received

    def kill(self) -> None:
        self.process.kill()
        self.process.join()
        self.connection.close()


class _Crew:
    """The children: always `jobs` of them, the dead replaced."""

    def __init__(self, make_worker: Callable[[], Callable[[Any], Any]], jobs: int):
        self.make_worker, self.jobs = make_worker, jobs
        self.idle: list[_Child] = []
        self.busy: dict[Connection[Any, Any], _Child] = {}

    @property
    def has_idle(self) -> bool:
        return bool(self.idle) or len(self.busy) < self.jobs

    @property
    def tasks_under_way(self) -> int:
        return sum(len(child.chunk) for child in self.busy.values())

    def start(self, chunk: Numbered) -> None:
        child = self.idle.pop() if self.idle else _Child(self.make_worker)
        child.chunk = chunk
        self.busy[child.connection] = child
        with suppress(ConnectionError):  # it died meanwhile: `wait` sees that
            child.connection.send([task for _, task in chunk])

    def wait(self) -> tuple[dict[int, Any], Numbered]:
        """Results by number of task, and the tasks to be tried again, each by itself."""
        finished: dict[int, Any] = {}
        unfinished: Numbered = []
        for connection in wait(self.busy):
            child = self.busy.pop(cast("Connection[Any, Any]", connection))
            outcomes = child.received()
            if outcomes is not None:
                finished |= {number: outcome for (number, _), outcome in zip(child.chunk, outcomes, strict=True)}
                self.idle.append(child)
                continue
            child.kill()
            if len(child.chunk) == 1:
                finished[child.chunk[0][0]] = Crash(f"its process died ({_cause(child.process.exitcode)})")
            else:
                unfinished += child.chunk
        return finished, unfinished

    def kill(self) -> None:
        for child in [*self.idle, *self.busy.values()]:
            child.kill()


def _cause(exit_code: int | None) -> str:
    if exit_code is not None and exit_code < 0:
        return signal.Signals(-exit_code).name
    return f"exit status {exit_code}"


def _serve(make_worker: Callable[[], Callable[[Any], Any]], connection: "Connection[Any, Any]", parent: int) -> None:
    """What a child does: chunks in, results out. Ctrl-C and the like are the parent's to handle."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    worker = make_worker()
    with suppress(EOFError, ConnectionError):
        while True:
            connection.send([worker(task) for task in connection.recv()])


class Background(Generic[Item]):
    """A process that yields items, to be asked for without waiting; it has no terminal, and ends with its parent."""

    def __init__(self, items: Callable[[], Iterable[Item]]):
        # Never forked: a program with a terminal and an event loop would share both.
        context = multiprocessing.get_context("spawn")
        self._connection, theirs = context.Pipe(duplex=False)
        self._process = context.Process(target=_yield, args=(items, theirs, os.getpid()), daemon=True)
        self._process.start()
        theirs.close()

    def poll(self) -> Item | Crash | None:
        """The next item, if there is one by now; a crash, if the process died before the last one."""
        if self._connection.closed or not self._connection.poll():
            return None
        try:
            item: Item | None = self._connection.recv()
        except (EOFError, ConnectionError):
            self.stop()
            return Crash(f"its process died ({_cause(self._process.exitcode)})")
        if item is None:
            self.stop()
        return item

    def stop(self) -> None:
        self._process.kill()
        self._process.join()
        self._connection.close()


def _yield(items: Callable[[], Iterable[Any]], connection: "Connection[Any, Any]", parent: int) -> None:
    """What a background process does: its items, and None behind the last."""
    _leave_terminal()
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    with suppress(ConnectionError):
        for item in items():
            connection.send(item)
        connection.send(None)


def _leave_terminal() -> None:
    """Neither its keys nor its size nor its end are of concern, and nothing is printed on it."""
    if hasattr(os, "setsid"):
        os.setsid()
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nowhere, stream)


def _end_with(parent: int) -> None:
    """Whatever the child is at: without a parent nobody waits for it."""
    while os.getppid() == parent:
        time.sleep(_SECONDS_BETWEEN_LOOKS)
    os._exit(1)
