"""Measure hostile pages: time and memory of each shape at one size and at four times that size.

python benchmarks/hostile.py [--model NAME] [--size BYTES] [--plot FILE.svg] [SHAPE ...] > hostile.csv

Every page is cleaned in a process of its own. Ends with status 1 if four times the size takes more than five times as
long, or if a page takes too much memory: more than ten times its size, and more than 0.6 kB for each of its blocks and
60 bytes for each of its elements.
"""

import argparse
import csv
import difflib
import multiprocessing
import resource
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from hostile_shapes import SHAPES

from victorpy.pipeline.cleaner import load

MEGABYTE = 1_000_000
TIMES = 4
LARGEST_RATIO = 5.0
BYTES_PER_BYTE, BYTES_PER_BLOCK, BYTES_PER_ELEMENT = 10, 600, 60
# What is over before the clock has moved says nothing.
LEAST_SECONDS = 0.02
# What the allocator keeps, and threads, and the like.
FREE_BYTES = MEGABYTE
RUNS = 3
TINY = b"<p>The first page takes what is taken once."


class Cost(NamedTuple):
    seconds: float
    memory: int
    blocks: int
    elements: int
    status: str


class Row(NamedTuple):
    """Of the large page; `ratio` is how much longer it takes than the small one, `share` its part of the memory that it
    may take.
    """

    shape: str
    kilobytes: int
    blocks: int
    elements: int
    seconds: float
    ratio: float
    bytes_per_byte: float
    bytes_per_block: int
    share: float
    status: str

    @property
    def is_slow(self) -> bool:
        return self.ratio > LARGEST_RATIO

    @property
    def is_large(self) -> bool:
        return self.share > 1


def row(model: str, shape: str, size: int) -> Row:
    small, large = (cost(model, shape, some) for some in (size, TIMES * size))
    memory = max(large.memory - FREE_BYTES, 0)
    by_parts = BYTES_PER_BLOCK * large.blocks + BYTES_PER_ELEMENT * large.elements
    return Row(
        shape=shape,
        kilobytes=TIMES * size // 1000,
        blocks=large.blocks,
        elements=large.elements,
        seconds=round(large.seconds, 4),
        ratio=round(large.seconds / max(small.seconds, LEAST_SECONDS), 2),
        bytes_per_byte=round(memory / (TIMES * size), 2),
        bytes_per_block=round(memory / large.blocks) if large.blocks else 0,
        share=round(memory / max(BYTES_PER_BYTE * TIMES * size, by_parts), 2),
        status=large.status,
    )


def cost(model: str, shape: str, size: int) -> Cost:
    """In a fresh process, the fastest of some runs."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(_cost, (model, shape, size))


def _cost(model: str, shape: str, size: int) -> Cost:
    cleaner = load(model)
    cleaner.clean(TINY)
    before = _peak()
    page = SHAPES[shape](size)
    _forget_peak()
    start = time.process_time()
    cleaned = cleaner.clean(page)
    seconds, memory, status = time.process_time() - start, _peak() - before, cleaned.status
    blocks, elements = len(cleaned.page), len(cleaned.page.core.column("roles"))
    del cleaned
    for _ in range(RUNS - 1):
        start = time.process_time()
        cleaner.clean(page)
        seconds = min(seconds, time.process_time() - start)
    return Cost(seconds, memory, blocks, elements, status)


def _peak() -> int:
    """The most memory that this process has held, the page that is cleaned included."""
    try:
        status = Path("/proc/self/status").read_text("ascii")
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return next(int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("VmHWM:"))


def _forget_peak() -> None:
    """Where the system can: to make a page takes more memory than to hold it."""
    try:
        Path("/proc/self/clear_refs").write_text("5", "ascii")
    except OSError:
        return


def plot(rows: Sequence[Row], path: Path) -> None:
    """A bar for each shape: how much longer four times the size takes, and its memory."""
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
    right.barh(names, [row.share for row in rows], color="tab:green")
    right.axvline(1.0, color="tab:red", linewidth=0.8)
    right.set_xlabel("memory, as a share of what the page may take")
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
    for shape in options.shapes:
        if shape not in SHAPES:
            close = difflib.get_close_matches(shape, SHAPES, 1) or list(SHAPES)
            parser.error(f"{shape}: no such shape; did you mean {', '.join(map(repr, close))}?")
    writer = csv.writer(sys.stdout)
    writer.writerow(Row._fields)
    rows = []
    for shape in options.shapes or SHAPES:
        rows.append(row(options.model, shape, options.size))
        writer.writerow(rows[-1])
        sys.stdout.flush()
    if options.plot:
        plot(rows, options.plot)
    return summary(rows)


def summary(rows: Sequence[Row]) -> int:
    for one in rows:
        if one.is_slow:
            print(f"{one.shape}: {TIMES} times the size takes {one.ratio} times as long", file=sys.stderr)
        if one.is_large:
            counts = f"{one.blocks} blocks and {one.elements} elements"
            print(f"{one.shape}: {one.bytes_per_byte} times its size of memory for {counts}", file=sys.stderr)
    bad = sum(one.is_slow or one.is_large for one in rows)
    print(f"{len(rows)} shapes, {bad} over the bounds", file=sys.stderr)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
