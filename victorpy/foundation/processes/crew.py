"""Several children that share a stream of tasks."""

import pickle
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from multiprocessing.connection import Connection, wait
from typing import Any, cast

from victorpy.errors import VictorError
from victorpy.foundation.processes.child import Child, Chunk, Numbered
from victorpy.foundation.processes.limits import Crash, Limits, Task

# The parent checks deadlines at least this often. Waking up later than `_LATE` means that everything was stopped.
_LONGEST_WAIT = 0.5
_LATE = 0.5
# A chunk is in memory twice while it is sent, and its memory counts for the task that runs meanwhile.
_CHUNK_BYTES = 1 << 20
# The bytes of tasks that may wait behind a slow one.
_BYTES_AHEAD = 64 << 20
_MOST_FAILED_STARTS = 3


class Crew:
    """At most `jobs` children. Dead ones are replaced; the others stay for later tasks."""

    def __init__(
        self, function: Callable[[Any], Any], jobs: int = 1, limits: Limits | None = None, chunk_size: int = 8
    ):
        self.function, self.jobs, self.limits, self.chunk_size = function, jobs, limits or Limits(), chunk_size
        self.idle: list[Child] = []
        self.busy: dict[Connection[Any, Any], Child] = {}
        self.failed_starts = 0

    def mapped(self, tasks: Iterable[Task]) -> Iterator[tuple[Task, Any]]:
        """Every task with its result, in order. All children are killed if the caller stops early."""
        drawn = deque[Task]()
        queue = _Queue(_recorded(tasks, drawn), self.jobs, self.chunk_size)
        try:
            while not queue.is_done:
                self._feed(queue)
                if self.busy:
                    queue.take(*self.wait())
                for result in queue.results():
                    yield drawn.popleft(), result
        except BaseException:
            self.kill()
            raise

    def _feed(self, queue: "_Queue") -> None:
        while len(self.busy) < self.jobs and (chunk := queue.next_chunk()):
            child = self._child(is_new=chunk[0].is_suspect)
            self.busy[child.connection] = child
            child.give(chunk)

    def _child(self, *, is_new: bool) -> Child:
        if self.idle:
            child = self.idle.pop()
            if not is_new:
                return child
            child.kill()
        return Child(self.function, self.limits)

    def wait(self) -> tuple[dict[int, Any], list[Chunk]]:
        """Results by the number of their task, and the chunks to try again."""
        finished: dict[int, Any] = {}
        again: list[Chunk] = []
        for child in self._with_news():
            received = child.receive()
            if received is None:
                self._replace(child, finished, again)
                continue
            finished |= received
            self.failed_starts = 0
            if not child.chunk:
                self.idle.append(self.busy.pop(child.connection))
        for child in [child for child in self.busy.values() if child.is_overdue()]:
            self._stop(child, finished, again)
        return finished, again

    def _with_news(self) -> list[Child]:
        """Wait for children that answer or die."""
        pause, begun = self._seconds_left(), time.monotonic()
        connections = wait(self.busy, pause)
        if pause is not None:
            self._extend_deadlines(time.monotonic() - begun - pause)
        return [self.busy[cast("Connection[Any, Any]", connection)] for connection in connections]

    def _seconds_left(self) -> float | None:
        deadlines = [child.deadline for child in self.busy.values() if child.deadline is not None]
        return max(0.0, min(_LONGEST_WAIT, min(deadlines) - time.monotonic())) if deadlines else None

    def _extend_deadlines(self, seconds: float) -> None:
        """Ctrl-Z, a scheduler or a sleeping machine also stops the children: do not count that time."""
        if seconds > _LATE:
            for child in self.busy.values():
                if child.deadline is not None:
                    child.deadline += seconds

    def _replace(self, child: Child, finished: dict[int, Any], again: list[Chunk]) -> None:
        """Handle a dead child. Results arrive one at a time, so its first unfinished task is the culprit."""
        cause = child.cause_of_death()
        self._remove(child)
        if not child.is_ready:
            self._count_failed_start(cause)
            again.append(child.chunk)
            return
        suspect = child.chunk.popleft().after(cause)
        if suspect.is_culprit:
            finished[suspect.number] = cause
        else:
            again.append([suspect])
        if child.chunk:
            again.append(child.chunk)

    def _stop(self, child: Child, finished: dict[int, Any], again: list[Chunk]) -> None:
        """End a child whose task has used its time."""
        self._remove(child)
        finished[child.chunk.popleft().number] = Crash(f"takes more than {self.limits.seconds:g} s", "timeout")
        if child.chunk:
            again.append(child.chunk)

    def _remove(self, child: Child) -> None:
        del self.busy[child.connection]
        child.kill()

    def _count_failed_start(self, cause: Crash) -> None:
        self.failed_starts += 1
        if self.failed_starts >= _MOST_FAILED_STARTS:
            raise VictorError(f"child processes fail to start: {cause.reason}")

    def kill(self) -> None:
        for child in [*self.idle, *self.busy.values()]:
            child.kill()
        self.idle, self.busy = [], {}


class _Queue:
    """Draws tasks only as they are needed, and puts results back in order."""

    def __init__(self, tasks: Iterable[Any], jobs: int, chunk_size: int):
        self._chunks, self._most_ahead = _chunks(tasks, chunk_size), 3 * jobs * chunk_size
        self._again = deque[Chunk]()
        self._sizes: dict[int, int] = {}  # of the tasks without a result, or with one that waits for its turn
        self._done: dict[int, Any] = {}
        self._next = 0
        self._is_drawn = False

    @property
    def is_done(self) -> bool:
        return self._is_drawn and not self._sizes

    def next_chunk(self) -> Chunk | None:
        if self._again:
            return self._again.popleft()
        if not self._may_draw():
            return None
        chunk = next(self._chunks, None)
        self._is_drawn = chunk is None
        self._sizes.update((task.number, len(task.pickled)) for task in chunk or ())
        return chunk

    def _may_draw(self) -> bool:
        """A slow task must not let large ones pile up behind it."""
        is_room = len(self._sizes) <= self._most_ahead and sum(self._sizes.values()) <= _BYTES_AHEAD
        return is_room and not self._is_drawn

    def take(self, finished: dict[int, Any], again: list[Chunk]) -> None:
        self._done |= finished
        self._again.extend(again)

    def results(self) -> Iterator[Any]:
        """The results whose turn has come."""
        while self._next in self._done:
            del self._sizes[self._next]
            self._next += 1
            yield self._done.pop(self._next - 1)


def _chunks(tasks: Iterable[Any], size: int) -> Iterator[Chunk]:
    chunk: list[Numbered] = []
    for number, task in enumerate(tasks):
        chunk.append(Numbered(number, pickle.dumps(task)))
        if len(chunk) == size or sum(len(task.pickled) for task in chunk) >= _CHUNK_BYTES:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


def _recorded(tasks: Iterable[Task], drawn: deque[Task]) -> Iterator[Task]:
    for task in tasks:
        drawn.append(task)
        yield task
