import ctypes
import faulthandler
import os
import resource
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest

from victorpy.errors import VictorError
from victorpy.foundation.processes import Crash, Limits, apart, mapped, serving
from victorpy.foundation.processes.child import _kernel_kills
from victorpy.foundation.processes.crew import Crew

pytestmark = pytest.mark.process

needs_linux = pytest.mark.skipif(sys.platform != "linux", reason="memory is capped on Linux only")


def square(deadly, number):
    if number in deadly:
        os.kill(os.getpid(), signal.SIGKILL)
    return number * number


def results(function, tasks, jobs, limits=Limits(), chunk_size=8):  # noqa: B008
    """From children, even where one would do without."""
    return (result for _, result in mapped(function, tasks, jobs, limits, chunk_size))


@pytest.mark.parametrize("count", [0, 1, 7, 8, 9, 500])
def test_results_come_in_order(count):
    assert list(results(partial(square, ()), range(count), jobs=2)) == [number * number for number in range(count)]


def test_a_task_that_kills_its_process_takes_no_other_with_it():
    found = list(results(partial(square, (3, 17, 99)), range(100), jobs=2))

    assert [number for number, result in enumerate(found) if isinstance(result, Crash)] == [3, 17, 99]
    assert found[3] == Crash("its process died (SIGKILL)")
    assert [result for result in found if not isinstance(result, Crash)] == [
        number * number for number in range(100) if number not in (3, 17, 99)
    ]


def test_tasks_are_drawn_only_as_they_are_needed():
    drawn = []
    numbers = results(partial(square, ()), (drawn.append(number) or number for number in range(100_000)), jobs=2)

    next(numbers)
    numbers.close()

    assert len(drawn) < 1_000


def process_of(task):
    return os.getpid()


def test_children_stay_for_the_tasks_that_come_later():
    crew = Crew(process_of)
    try:
        [(_, first)], second = crew.mapped([0]), list(crew.mapped([1, 2]))
    finally:
        crew.kill()

    assert second == [(1, first), (2, first)]
    assert first != os.getpid()


def test_a_crew_works_on_after_its_children_died_or_nobody_asked_for_their_results():
    crew = Crew(process_of, jobs=2)
    try:
        [(_, first)] = crew.mapped([0])
        os.kill(first, signal.SIGKILL)
        [(_, second)] = crew.mapped([0])
        abandoned = crew.mapped(range(100))
        next(abandoned)
        abandoned.close()
        [(_, third)] = crew.mapped([0])
    finally:
        crew.kill()

    assert len({first, second, third}) == 3


def after_a_while(task):
    if task.startswith(b"slow"):
        time.sleep(0.5)
    return len(task)


def test_large_tasks_do_not_pile_up_behind_a_slow_one(monkeypatch):
    monkeypatch.setattr("victorpy.foundation.processes.crew._BYTES_AHEAD", 1_000_000)
    drawn = []
    tasks = (drawn.append(number) or (b"slow" if number == 0 else b"fast") * 50_000 for number in range(60))
    sizes = results(after_a_while, tasks, jobs=2)

    assert next(sizes) == 200_000
    assert len(drawn) <= 16
    assert list(sizes) == [200_000] * 59


def test_giving_up_ends_at_once():
    begun = time.monotonic()
    waiting = results(time.sleep, [0.0, 60.0, 60.0], jobs=2, chunk_size=1)

    next(waiting)
    waiting.close()

    assert time.monotonic() - begun < 30


def started_thread(answer):
    threading.Thread(target=threading.Event().wait, daemon=True).start()
    return answer, os.getpid()


def test_work_apart_leaves_no_threads_behind():
    threads = threading.active_count()

    answer, process = apart(partial(started_thread, 42))

    assert (answer, threading.active_count()) == (42, threads)
    assert process != os.getpid()


def test_work_apart_that_fails_says_why():
    with pytest.raises(RuntimeError, match="KeyError: 'nothing'"):
        apart(partial(harmed, "fail"))


# What goes wrong in a task


def hold(megabytes):
    return len(bytearray(megabytes * 1_000_000))


def segfault():
    faulthandler.disable()  # pytest's, which would print where
    ctypes.string_at(0)


def spin():
    while True:
        pass


HARM = {
    "segfault": segfault,
    "spin": spin,
    "hang": lambda: time.sleep(60),
    "allocate": lambda: hold(1_000),
    "fail": lambda: {}["nothing"],
    "leave": lambda: os._exit(3),
}


def harmed(task):
    return HARM[task]() if task in HARM else task


OUTCOMES = {
    "segfault": Crash("its process died (SIGSEGV)"),
    "spin": Crash("takes more than 1 s", "timeout"),
    "hang": Crash("takes more than 1 s", "timeout"),
    "allocate": Crash("takes more memory than 200 MB", "out-of-memory"),
    "fail": Crash("KeyError: 'nothing'"),
    "leave": Crash("its process died (exit status 3)"),
}


@needs_linux
@pytest.mark.parametrize("jobs", [1, 2])
def test_every_task_ends_as_itself_whatever_its_neighbours_do(jobs):
    tasks = [0, *HARM, *range(1, 20), "segfault", "allocate", "fail", "leave", "last"]

    found = list(results(harmed, tasks, jobs, limits=Limits(seconds=1.0, megabytes=200)))

    assert found == [OUTCOMES.get(task, task) for task in tasks]


def address_spaces(_):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(serving, "_STATM", Path("nowhere"))
        return serving._address_space(), serving._lowest_limit(), resource.getrlimit(resource.RLIMIT_AS)


@needs_linux
def test_the_address_space_is_found_without_proc():
    [[without, again, limits]] = results(address_spaces, [0], jobs=1)

    known = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    assert without == pytest.approx(known, rel=0.2)
    assert again == pytest.approx(without, abs=1 << 22)
    assert limits == resource.getrlimit(resource.RLIMIT_AS)


def test_a_system_without_proc_has_killed_nothing(monkeypatch):
    def missing(*_):
        raise FileNotFoundError

    monkeypatch.setattr(Path, "read_text", missing)

    assert _kernel_kills() == 0


@needs_linux
def test_memory_is_capped_without_proc(monkeypatch):
    monkeypatch.setattr(serving, "_STATM", Path("nowhere"))

    found = list(results(allocated, [10, 900], jobs=1, limits=Limits(megabytes=200)))

    assert found == [10, Crash("takes more memory than 200 MB", "out-of-memory")]


def allocated(megabytes):
    return len(bytearray(megabytes * 1_000_000)) // 1_000_000


@needs_linux
def test_the_memory_of_a_task_is_not_that_of_its_neighbours():
    limits = Limits(megabytes=200)

    assert list(results(hold, [150] * 10, 1, limits=limits)) == [150_000_000] * 10


def test_a_task_has_the_whole_time_whatever_came_before_it():
    waiting = results(time.sleep, [0.2] * 6, 1, limits=Limits(seconds=1.0))

    assert list(waiting) == [None] * 6


def test_time_is_kept_off_the_main_thread_and_while_nobody_asks_for_results():
    with ThreadPoolExecutor(1) as pool:
        found = results(harmed, [1, "hang", 2], 1, limits=Limits(seconds=1.0))

        assert pool.submit(next, found).result() == 1
        time.sleep(1.2)
        assert pool.submit(list, found).result() == [OUTCOMES["hang"], 2]


def once(path, task):
    """Kills its process at the first try."""
    if task == "kill" and not path.exists():
        path.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return task


def test_a_process_that_somebody_kills_costs_no_task(tmp_path):
    worker = partial(once, tmp_path / "killed")

    assert list(results(worker, [1, "kill", 2], 1)) == [1, "kill", 2]


def killed(path, times, task):
    """Is killed at its first tries, as if by somebody else."""
    if task == "kill" and not path.with_name(f"{times}").exists():
        next(name for name in map(path.with_name, map(str, range(1, times + 1))) if not name.exists()).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return task


@pytest.mark.parametrize(("times", "result"), [(3, "kill"), (4, Crash("its process died (SIGKILL)"))])
def test_a_process_that_somebody_kills_again_and_again_costs_no_task(tmp_path, times, result):
    worker = partial(killed, tmp_path / "killed", times)

    assert list(results(worker, [1, "kill", 2], 2)) == [1, result, 2]


def harmed_by_turns(folder, task):
    """Is killed, dies by itself once, and is killed again."""
    tries = len(list(folder.iterdir()))
    if task == "kill" and tries < 4:
        folder.joinpath(str(tries)).touch()
        os.kill(os.getpid(), signal.SIGABRT if tries == 1 else signal.SIGKILL)
    return task


def test_deaths_and_kills_are_counted_apart(tmp_path):
    assert list(results(partial(harmed_by_turns, tmp_path), [1, "kill", 2], 1)) == [1, "kill", 2]


def count(path, task):
    with path.open("a") as file:
        file.write(f"{task}\n")
    return harmed(task)


def test_what_was_finished_before_a_crash_is_not_done_again(tmp_path):
    log = tmp_path / "log"

    list(results(partial(count, log), [1, 2, "segfault", 3, 4], 1))

    assert sorted(log.read_text().split()) == ["1", "2", "3", "4", "segfault", "segfault"]


ORPHANS = """
import os, re, sys
from victorpy.foundation.processes import Limits, mapped
import threading

def hold(pattern):
    os.write(1, b"%d\\n" % os.getpid())
    re.match(pattern, "a" * 60 + "b")  # which lets no thread of the process get a word in

if __name__ == "__main__":
    if sys.argv[1] == "spawn":
        threading.Thread(target=threading.Event().wait, daemon=True).start()
    list(mapped(hold, ["(a+)+$"] * 3, 3, Limits(seconds=60), 1))
"""


@needs_linux
@pytest.mark.parametrize("way", ["fork", "spawn"])
def test_no_process_outlives_its_parent_whatever_it_is_at(tmp_path, way):
    tmp_path.joinpath("orphans.py").write_text(ORPHANS)
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(
        [sys.executable, tmp_path / "orphans.py", way], stdout=subprocess.PIPE, env=environment
    ) as parent:
        children = [int(parent.stdout.readline()) for _ in range(3)]
        parent.kill()

    assert outliving(children) == []


HELD = """
import os, time
from victorpy.foundation.processes import Limits, mapped

def tell(seconds):
    print(os.getpid(), flush=True)
    time.sleep(seconds)

def tasks():
    yield 0
    holder = os.fork()
    if not holder:
        time.sleep(60)
        os._exit(0)
    print(holder, flush=True)
    yield 60

list(mapped(tell, tasks(), 1, Limits(), 1))
"""


@needs_linux
def test_no_process_outlives_its_parent_when_another_has_all_that_the_parent_had_open():
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen([sys.executable, "-P", "-c", HELD], stdout=subprocess.PIPE, env=environment) as parent:
        child, holder, again = (int(parent.stdout.readline()) for _ in range(3))
        parent.kill()

    alive = outliving([child])
    os.kill(holder, signal.SIGKILL)
    assert child == again
    assert alive == []


def outliving(children):
    """Those that are still alive seconds later, on a busy machine; not for long."""
    begun = time.monotonic()
    while (alive := list(filter(is_alive, children))) and time.monotonic() - begun < 20:
        time.sleep(0.01)
    for child in alive:
        os.kill(child, signal.SIGKILL)
    return alive


SLEEPERS = """
import time
from victorpy.foundation.processes import Limits, mapped

print("begins", flush=True)
print([result for _, result in mapped(time.sleep, [0.5] * 2, 2, Limits(seconds=1.5), 1)])
"""


def test_the_time_for_which_all_processes_are_stopped_does_not_count(tmp_path):
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-P", "-c", SLEEPERS]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, start_new_session=True) as parent:
        parent.stdout.readline()
        time.sleep(0.2)
        os.killpg(parent.pid, signal.SIGSTOP)
        time.sleep(1.6)
        os.killpg(parent.pid, signal.SIGCONT)

        assert parent.stdout.read() == b"[None, None]\n"


def is_alive(process):
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state not in "ZX"


class Deadly:
    """Ends the process that unpickles it."""

    def __reduce__(self):
        return os._exit, (5,)

    def __call__(self, task):
        return task


def test_processes_that_fail_to_start_end_the_work(monkeypatch):
    monkeypatch.setattr("victorpy.foundation.processes.child._can_fork", lambda: False)

    with pytest.raises(VictorError, match=r"child processes fail to start: its process died \(exit status 5\)"):
        list(results(Deadly(), range(100), 2))


@pytest.mark.parametrize("limits", [None, Limits()])
def test_a_fault_of_ours_ends_the_same_in_every_process(limits):
    assert list(mapped(harmed, ["a", "fail", "b"], limits=limits)) == [
        ("a", "a"),
        ("fail", OUTCOMES["fail"]),
        ("b", "b"),
    ]
