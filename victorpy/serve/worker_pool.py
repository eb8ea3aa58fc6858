"""The child processes that do the work of requests, while one event loop waits for all of them."""

import asyncio
import pickle
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from starlette.exceptions import HTTPException

from victorpy.foundation.processes import Crash, Limits
from victorpy.foundation.processes.child import Child, Numbered
from victorpy.foundation.processes.limits import attempt

_MOST_FAILED_STARTS = 5
_SECONDS_TO_NEXT_START = 10.0
_BUSY = "the server is busy: try again in a second"
_NO_CHILD = "child processes fail to start: try again in a second"


@dataclass(eq=False)
class _Waiting:
    """A task and its requester."""

    numbered: Numbered
    answer: "asyncio.Future[Any]"


@dataclass(eq=False)
class _Worker:
    """A child and what it does now. It is warm when it has done its first task, which nobody waits for."""

    child: Child
    task: _Waiting | None = None
    is_warm: bool = False
    clock: asyncio.TimerHandle | None = None


@dataclass(eq=False)
class WorkerPool:
    """At most `jobs` children work at once. `spares` more wait, warm, for the place of a child that dies.

    Without jobs, tasks are done in threads of this process, without limits.
    """

    function: Callable[[Any], Any]
    jobs: int
    limits: Limits
    warm_up: Any = None
    spares: int = 1
    most_waiting: int = 1_000
    most_bytes: int = 256_000_000
    workers: set[_Worker] = field(default_factory=set)
    waiting: deque[_Waiting] = field(default_factory=deque)
    deaths: int = 0
    bytes_waiting: int = 0
    failed_starts: int = 0
    is_open: bool = False
    later_start: asyncio.TimerHandle | None = None

    def open(self) -> None:
        if self.is_open or self.jobs == 0:
            return
        self.is_open = True
        self._fill()

    def close(self) -> None:
        self.is_open = False
        self._forget_later_start()
        for worker in list(self.workers):
            self._remove(worker)
        for task in self.waiting:
            task.answer.cancel()
        self.waiting.clear()

    @property
    def busy(self) -> int:
        return sum(worker.task is not None for worker in self.workers)

    async def result(self, task: Any) -> Any:
        """What the function makes of the task, or the Crash of its process; 503 if too many wait or no child starts."""
        if self.jobs == 0:
            return await asyncio.to_thread(attempt, self.function, task)
        pickled = pickle.dumps(task)
        if len(self.waiting) >= self.most_waiting or self.bytes_waiting + len(pickled) > self.most_bytes:
            raise HTTPException(503, _BUSY, {"retry-after": "1"})
        self.open()
        waiting = _Waiting(Numbered(0, pickled), asyncio.get_running_loop().create_future())
        self.waiting.append(waiting)
        self.bytes_waiting += len(pickled)
        self._feed()
        try:
            return await waiting.answer
        finally:
            self.bytes_waiting -= len(pickled)

    def _start(self) -> None:
        # Never forked: the child would hold the connections of all clients open.
        worker = _Worker(Child(self.function, self.limits, may_fork=False))
        self.workers.add(worker)
        worker.child.give([Numbered(0, pickle.dumps(self.warm_up))])
        asyncio.get_running_loop().add_reader(worker.child.connection.fileno(), self._receive, worker)

    def _feed(self) -> None:
        """Give waiting tasks to idle children."""
        while self.waiting and self.busy < self.jobs:
            worker = next((one for one in self.workers if one.is_warm and one.task is None), None)
            if worker is None:
                return
            task = self.waiting.popleft()
            if not task.answer.done():
                self._give(worker, task)

    def _give(self, worker: _Worker, task: _Waiting) -> None:
        worker.task = task
        worker.child.give([task.numbered])
        if self.limits.seconds is not None:
            later = asyncio.get_running_loop().call_later
            worker.clock = later(self.limits.seconds, self._stop_if_overdue, worker)

    def _receive(self, worker: _Worker) -> None:
        received = worker.child.receive()
        if received is None:
            self._replace(worker)
        elif received and not worker.is_warm:
            worker.is_warm, self.failed_starts = True, 0
        elif received:
            self._finish(worker, received[0])
        self._feed()

    def _finish(self, worker: _Worker, result: Any) -> None:
        task, worker.task = worker.task, None
        if worker.clock:
            worker.clock.cancel()
        if task and not task.answer.done():
            task.answer.set_result(result)

    def _stop_if_overdue(self, worker: _Worker) -> None:
        if worker.child.connection.poll():  # the answer has just come
            return
        self._finish(worker, Crash(f"takes more than {self.limits.seconds:g} s", "timeout"))
        self._renew(worker)
        self._feed()

    def _replace(self, worker: _Worker) -> None:
        """Handle a dead child: its task is tried once more, by another one."""
        cause, task = worker.child.cause_of_death(), worker.task
        if not worker.is_warm:
            self.failed_starts += 1
        if task:
            task.numbered = task.numbered.after(cause)
        if task and not task.numbered.is_culprit:
            self.waiting.appendleft(task)
            worker.task = None
        self._finish(worker, cause)
        self._renew(worker)

    def _renew(self, worker: _Worker) -> None:
        self.deaths += 1
        self._remove(worker)
        if self.failed_starts < _MOST_FAILED_STARTS:
            self._start()
        elif not self.workers:
            self._give_up()
        elif self.later_start is None:
            self.later_start = asyncio.get_running_loop().call_later(_SECONDS_TO_NEXT_START, self._start_again)

    def _start_again(self) -> None:
        """Take the places of children that did not start, as nothing may stand in the way any more."""
        self.later_start, self.failed_starts = None, 0
        self._fill()

    def _fill(self) -> None:
        for _ in range(self.jobs + self.spares - len(self.workers)):
            self._start()

    def _forget_later_start(self) -> None:
        if self.later_start:
            self.later_start.cancel()
        self.later_start = None

    def _give_up(self) -> None:
        """No child starts: whoever waits gets an answer now, and the next request tries again."""
        self.is_open, self.failed_starts = False, 0
        self._forget_later_start()
        for task in self.waiting:
            if not task.answer.done():
                task.answer.set_exception(HTTPException(503, _NO_CHILD, {"retry-after": "1"}))
        self.waiting.clear()

    def _remove(self, worker: _Worker) -> None:
        if worker.clock:
            worker.clock.cancel()
        asyncio.get_running_loop().remove_reader(worker.child.connection.fileno())
        self.workers.discard(worker)
        worker.child.kill()
