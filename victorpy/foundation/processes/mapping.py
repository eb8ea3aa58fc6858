"""Apply a function to many tasks, in this process or in children."""

from collections.abc import Callable, Iterable, Iterator, Sized
from functools import partial

from victorpy.foundation.processes.limits import Crash, Limits, Result, Task, attempt


def mapped(
    function: Callable[[Task], Result],
    tasks: Iterable[Task],
    jobs: int = 1,
    limits: Limits | None = None,
    chunk_size: int = 8,
) -> Iterator[tuple[Task, Result | Crash]]:
    """Every task with its result, in order; a task that fails has a Crash as its result.

    One job without limits works in this process. Several jobs, or limits, work in child processes.
    """
    jobs = min(jobs, max(1, len(tasks))) if isinstance(tasks, Sized) else jobs
    if jobs == 1 and limits is None:
        for task in tasks:
            yield task, attempt(function, task)
        return
    from victorpy.foundation.processes.crew import Crew  # noqa: PLC0415

    crew = Crew(function, jobs, limits, chunk_size)
    try:
        yield from crew.mapped(tasks)
    finally:
        crew.kill()


def apart(work: Callable[[], Result]) -> Result:
    """Do work that leaves threads behind in a child, because threads prevent every later fork.

    A child of ours cannot have children, and does the work itself.
    """
    from multiprocessing import current_process  # noqa: PLC0415

    if current_process().daemon:
        return work()
    ((_, result),) = mapped(partial(_called, work), [None], limits=Limits())
    if isinstance(result, Crash):
        raise RuntimeError(result.reason)
    return result


def _called(work: Callable[[], Result], _: None) -> Result:
    return work()
