"""Child processes behind an event loop: what kills one is its own outcome, and nobody else's."""

import asyncio
import os
import time

import pytest
from starlette.exceptions import HTTPException

from victorpy.foundation.processes import Crash, Limits
from victorpy.serve.worker_pool import WorkerPool

pytestmark = pytest.mark.process


def work(task):
    kind, value = task or ("give", None)
    if kind == "sleep":
        time.sleep(value)
    elif kind == "die":
        os._exit(value)
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
