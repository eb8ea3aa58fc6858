"""Child processes behind an event loop: what kills one is its own outcome, and nobody else's."""

import asyncio
import os
import signal
import time

import pytest
from starlette.exceptions import HTTPException

from victorpy.foundation.processes import Crash, Limits
from victorpy.serve import worker_pool
from victorpy.serve.worker_pool import WorkerPool

pytestmark = pytest.mark.process


def work(task):
    kind, value = task or ("give", None)
    if kind == "sleep":
        time.sleep(value)
    elif kind == "die":
        os._exit(value)
    elif kind == "be killed":
        path, times = value
        with path.open("ab") as file:
            file.write(b"x")
        if path.stat().st_size <= times:
            os.kill(os.getpid(), signal.SIGKILL)
    elif kind == "eat":
        return len(bytearray(value))
    elif kind == "fail":
        raise ValueError(value)
    return value


LIMITS = Limits(5.0, 500)


def results(*tasks, jobs=2, limits=LIMITS, **options):
    """The results of tasks that are all asked for at once."""

    async def asked():
        pool = WorkerPool(work, jobs, limits, **options)
        try:
            return await asyncio.gather(*map(pool.result, tasks), return_exceptions=True)
        finally:
            pool.close()

    return asyncio.run(asked())


def test_each_task_has_its_own_result():
    assert results(*[("give", number) for number in range(30)]) == list(range(30))


def test_a_task_that_hangs_is_ended_and_others_go_on():
    found = results(("sleep", 60), ("give", 1), ("give", 2), limits=Limits(1.0, 500))

    assert found == [Crash("takes more than 1 s", "timeout"), 1, 2]


def test_a_task_that_kills_its_process_twice_is_the_culprit():
    assert results(("die", 3), ("give", 1)) == [Crash("its process died (exit status 3)"), 1]


def test_a_task_whose_process_others_kill_three_times_is_done(tmp_path):
    task = ("be killed", (tmp_path / "starts", 3))

    assert results(task, limits=Limits(60.0, 500)) == [task[1]]


def test_a_task_that_takes_too_much_memory_is_ended():
    found = results(("eat", 2_000_000_000), ("eat", 1_000_000))

    assert (found[0].status, found[1]) == ("out-of-memory", 1_000_000)


def test_a_bug_ends_one_task():
    assert results(("fail", "oh"), ("give", 1)) == [Crash("ValueError: oh"), 1]


def test_too_many_tasks_are_refused_at_once():
    found = results(*[("give", number) for number in range(20)], jobs=1, most_waiting=10)

    assert found[:10] == list(range(10))
    assert {one.status_code for one in found[10:] if isinstance(one, HTTPException)} == {503}


def test_too_many_bytes_are_refused_at_once():
    found = results(("give", bytes(600)), ("give", bytes(600)), jobs=1, most_bytes=1_000)

    assert found[0] == bytes(600)
    assert found[1].status_code == 503


def test_a_task_is_not_to_blame_for_children_that_do_not_start():
    (error,) = results(("give", 1), jobs=1, spares=4, warm_up=("die", 3))

    assert (error.status_code, error.detail) == (503, "child processes fail to start: try again in a second")


def test_children_that_failed_to_start_are_started_later(monkeypatch):
    monkeypatch.setattr(worker_pool, "_SECONDS_TO_NEXT_START", 0.1)

    async def counts():
        pool = WorkerPool(work, 2, LIMITS)
        try:
            await pool.result(("give", 1))
            pool.warm_up, before = ("die", 3), len(pool.workers)
            await pool.result(("die", 3))
            while pool.later_start is None:
                await asyncio.sleep(0.01)
            pool.warm_up, between = None, len(pool.workers)
            while pool.later_start:
                await asyncio.sleep(0.01)
            return before, between, len(pool.workers), await pool.result(("give", 2))
        finally:
            pool.close()

    before, between, after, result = asyncio.run(counts())
    assert (before, after, result) == (3, 3, 2)
    assert between < before
