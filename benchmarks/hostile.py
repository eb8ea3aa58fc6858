"""What hostile pages cost by their size: time and memory of each shape at a size and at four times that.

python benchmarks/hostile.py [--model NAME] [--size BYTES] [--plot FILE.svg] [SHAPE ...] > hostile.csv

Every page is cleaned in a process of its own. Ends with status 1 if four times the size takes more than five times as
long, or a page more than ten times its size of memory.
"""

import argparse
import csv
import multiprocessing
import resource
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from hostile_shapes import SHAPES, Shape

from victorpy.cleaner import load

MEGABYTE = 1_000_000
TIMES = 4
LARGEST_RATIO, LARGEST_MEMORY = 5.0, 10.0
# What is over before the clock has moved says nothing.
LEAST_SECONDS = 0.02
# Python, the model, and what the allocator keeps for small things.
FREE_BYTES = 4 * MEGABYTE
RUNS = 3


class Cost(NamedTuple):
    seconds: float
    memory: int
    status: str


class Row(NamedTuple):
    shape: str
    kilobytes: int
    seconds: float
    ratio: float
    memory: float
    status: str

    @property
    def is_good(self) -> bool:
        return self.ratio <= LARGEST_RATIO and self.memory <= LARGEST_MEMORY


def cost(model: str, shape: Shape, size: int) -> Cost:
    """In a fresh process, the fastest of some runs."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(_cost, (model, _name_of(shape), size))


def _name_of(shape: Shape) -> str:
    return next(name for name, known in SHAPES.items() if known is shape)


def _cost(model: str, name: str, size: int) -> Cost:
    cleaner, page = load(model), SHAPES[name](size)
    cleaner.clean(b"<p>The first page takes what is taken once.")
    before, seconds, status = _peak(), [], ""
    for _ in range(RUNS):
        start = time.process_time()
        status = cleaner.clean(page).status
        seconds.append(time.process_time() - start)
    return Cost(min(seconds), _peak() - before, status)


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def row(model: str, name: str, size: int) -> Row:
    small, large = (cost(model, SHAPES[name], some) for some in (size, TIMES * size))
    ratio = large.seconds / max(small.seconds, LEAST_SECONDS)
    memory = max(large.memory - FREE_BYTES, 0) / (TIMES * size)
    return Row(name, TIMES * size // 1000, round(large.seconds, 4), round(ratio, 2), round(memory, 2), large.status)


def plot(rows: Sequence[Row], path: Path) -> None:
    """A point for each shape: how much longer four times the size takes, and its memory."""
    import matplotlib  # noqa: PLC0415

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "victorpy"
    import matplotlib.pyplot as plots  # noqa: PLC0415

    figure, (left, right) = plots.subplots(1, 2, figsize=(10, 0.16 * len(rows) + 1.2), sharey=True)
    names = [row.shape for row in rows]
    left.barh(names, [row.ratio for row in rows], color="tab:blue")
    left.axvline(TIMES, color="grey", linewidth=0.8)
    left.axvline(LARGEST_RATIO, color="tab:red", linewidth=0.8)
    left.set_xlabel("times longer for four times the size")
    right.barh(names, [row.memory for row in rows], color="tab:green")
    right.axvline(LARGEST_MEMORY, color="tab:red", linewidth=0.8)
    right.set_xlabel("memory, times the size of the page")
    left.tick_params(axis="y", labelsize=6)
    left.invert_yaxis()
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shapes", nargs="*", metavar="SHAPE")
    parser.add_argument("--model", default="web")
    parser.add_argument("--size", type=int, default=MEGABYTE)
    parser.add_argument("--plot", type=Path)
    options = parser.parse_args()
    writer = csv.writer(sys.stdout)
    writer.writerow(Row._fields)
    rows = []
    for name in options.shapes or SHAPES:
        rows.append(row(options.model, name, options.size))
        writer.writerow(rows[-1])
        sys.stdout.flush()
    if options.plot:
        plot(rows, options.plot)
    bad = [row.shape for row in rows if not row.is_good]
    print(f"{len(rows)} shapes, {len(bad)} over the bounds: {', '.join(bad) or 'none'}", file=sys.stderr)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
