import os
import signal
import time
from functools import partial

import pytest

from victorpy.sandbox import Crash, results


def square(deadly, number):
    if number in deadly:
        os.kill(os.getpid(), signal.SIGKILL)
    return number * number


def worker(deadly=()):
    return partial(square, deadly)


@pytest.mark.parametrize("count", [0, 1, 7, 8, 9, 500])
def test_results_come_in_order(count):
    assert list(results(worker, range(count), jobs=2)) == [number * number for number in range(count)]


def test_a_task_that_kills_its_process_takes_no_other_with_it():
    found = list(results(partial(worker, deadly=(3, 17, 99)), range(100), jobs=2))

    assert [number for number, result in enumerate(found) if isinstance(result, Crash)] == [3, 17, 99]
    assert found[3] == Crash("its process died (SIGKILL)")
    assert [result for result in found if not isinstance(result, Crash)] == [
        number * number for number in range(100) if number not in (3, 17, 99)
    ]


def test_tasks_are_drawn_only_as_they_are_needed():
    drawn = []
    numbers = results(worker, (drawn.append(number) or number for number in range(100_000)), jobs=2)

    next(numbers)
    numbers.close()

    assert len(drawn) < 1_000


def slow_worker():
    return time.sleep


def test_giving_up_ends_at_once():
    begun = time.monotonic()
    waiting = results(slow_worker, [0.0, 60.0, 60.0], jobs=2, chunk_size=1)

    next(waiting)
    waiting.close()

    assert time.monotonic() - begun < 5
