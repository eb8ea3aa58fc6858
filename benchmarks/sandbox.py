"""Measure the cost of isolation: clean the pages of a folder in this process and in one child, by turns."""

import argparse
import resource
import statistics
import time
from collections.abc import Sequence

from victorpy.foundation.processes import Limits
from victorpy.pipeline.batch import SAFE, Job, outcomes
from victorpy.sources import Location, find_pages


def seconds(pages: Sequence[Location], job: Job, limits: Limits | None) -> tuple[float, float]:
    """By the clock, and of the processor, that of a child included."""
    begun, used = time.perf_counter(), processor_seconds()
    for _ in outcomes(pages, job, limits=limits):
        pass
    return time.perf_counter() - begun, processor_seconds() - used


def processor_seconds() -> float:
    both = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in both)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("--model", default="web")
    parser.add_argument("--pages", type=int, default=1_000)
    parser.add_argument("--runs", type=int, default=5)
    return parser.parse_args()


def main() -> None:
    options = arguments()
    pages, job = find_pages([options.folder])[: options.pages], Job(options.model, "cleaneval")
    seconds(pages[:100], job, None)  # so that no run pays for what is read for the first time
    runs = [(seconds(pages, job, None), seconds(pages, job, SAFE)) for _ in range(options.runs)]
    for number, name in enumerate(("clock", "processor")):
        bare = statistics.median(run[0][number] for run in runs)
        held = statistics.median(run[1][number] for run in runs)
        print(f"{name}: bare {bare:.2f} s, sandboxed {held:.2f} s, {100 * (held / bare - 1):+.1f} %")


if __name__ == "__main__":
    main()
