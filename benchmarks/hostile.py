"""Measure hostile pages: time and memory of each shape at one size and at four times that size.

python benchmarks/hostile.py [--model NAME] [--size BYTES] [--plot FILE.svg] [SHAPE ...] > hostile.csv

NAME is a model, a labeler, or `filter:` and the name of a filter, which then works on all blocks; `filter:sentences`
is that of perplexity, sentence by sentence. Every page is cleaned in a process of its own, and then written in all
formats with every block as a paragraph. Ends with status 1 if four times the size takes more than five times as long,
or if cleaning takes too much memory: more than ten times the page, 0.6 kB for each of its blocks, and 60 bytes for
each of its elements and stretches of text. A `<p>a` of four bytes is all of these, so that no bound by the size alone
could hold. What is over a bound of time is measured again, because other programs slow a page down and never speed it
up.
"""

import argparse
import csv
import difflib
import multiprocessing
import resource
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from hostile_shapes import SHAPES
from tally import tally

from victorpy.labelers.registry import FILTERS
from victorpy.output.formats import FORMATS
from victorpy.page.blocks import Label, Page
from victorpy.pipeline.cleaner import Cleaner, load

MEGABYTE = 1_000_000
TIMES = 4
LARGEST_RATIO = 5.0
BYTES_PER_BYTE, BYTES_PER_BLOCK, BYTES_PER_PART = 10, 600, 60
# What is over before the clock has moved says nothing.
LEAST_SECONDS = 0.02
# What the allocator keeps, and threads, and the like.
FREE_BYTES = MEGABYTE
# Filters judge long texts in pieces of one size.
FILTER_BYTES = 32 * MEGABYTE
RUNS = 3
ATTEMPTS = 6
FORMATS_WRITTEN = ("cleaneval", "markdown", "html", "main-html", "json", "tei", "xml")
FILTER = "filter:"
# Not in English, which filters know without all that they load for other languages.
TINY = b"<p>" + b"La page prend ce que l'on ne prend qu'une fois, comme la memoire des filtres. " * 20


class Cost(NamedTuple):
    seconds: float
    writing_seconds: float
    memory: int
    blocks: int
    parts: int
    status: str


class Row(NamedTuple):
    """Of the large page; the ratios are how much longer it takes than the small one, `parts` its elements and stretches
    of text, `share` its part of the memory that it may take.
    """

    shape: str
    kilobytes: int
    blocks: int
    parts: int
    seconds: float
    ratio: float
    writing_seconds: float
    writing_ratio: float
    bytes_per_byte: float
    bytes_per_block: int
    share: float
    status: str

    @property
    def is_slow(self) -> bool:
        return max(self.ratio, self.writing_ratio) > LARGEST_RATIO

    @property
    def is_large(self) -> bool:
        return self.share > 1


def row(model: str, shape: str, size: int) -> Row:
    found = measured(model, shape, size)
    for _ in range(ATTEMPTS - 1):
        if found.is_slow:
            again = measured(model, shape, size)
            ratio, writing_ratio = (
                min(getattr(found, name), getattr(again, name)) for name in ("ratio", "writing_ratio")
            )
            found = again._replace(ratio=ratio, writing_ratio=writing_ratio)
    return found


def measured(model: str, shape: str, size: int) -> Row:
    small, large = (cost(model, shape, some) for some in (size, TIMES * size))
    free = FREE_BYTES + FILTER_BYTES * model.startswith(FILTER)
    memory = max(large.memory - free, 0)
    bound = BYTES_PER_BYTE * TIMES * size + BYTES_PER_BLOCK * large.blocks + BYTES_PER_PART * large.parts
    return Row(
        shape=shape,
        kilobytes=TIMES * size // 1000,
        blocks=large.blocks,
        parts=large.parts,
        seconds=round(large.seconds, 4),
        ratio=ratio(large.seconds, small.seconds),
        writing_seconds=round(large.writing_seconds, 4),
        writing_ratio=ratio(large.writing_seconds, small.writing_seconds),
        bytes_per_byte=round(memory / (TIMES * size), 2),
        bytes_per_block=round(memory / large.blocks) if large.blocks else 0,
        share=round(memory / bound, 2),
        status=large.status,
    )


def ratio(large: float, small: float) -> float:
    return round(large / max(small, LEAST_SECONDS), 2)


def cost(model: str, shape: str, size: int) -> Cost:
    """In a fresh process, the fastest of some runs."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(_cost, (model, shape, size))


def cleaner_of(name: str) -> Cleaner:
    if not name.startswith(FILTER):
        return load(name)
    filter = name.removeprefix(FILTER)
    options: dict[str, Any] = {"languages": {"languages": ("en",)}, "sentences": {"by": "sentence"}}.get(filter, {})
    return load("everything").filtered(FILTERS["perplexity" if options.get("by") else filter](**options))


def _cost(model: str, shape: str, size: int) -> Cost:
    cleaner = cleaner_of(model)
    cleaner.clean(TINY)
    before = _peak()
    page = SHAPES[shape](size)
    _forget_peak()
    start = time.process_time()
    cleaned = cleaner.clean(page)
    seconds, memory, status = time.process_time() - start, _peak() - before, cleaned.status
    blocks, parts = len(cleaned.page), part_count(cleaned.page, page)
    del cleaned
    for _ in range(RUNS - 1):
        start = time.process_time()
        cleaner.clean(page)
        seconds = min(seconds, time.process_time() - start)
    return Cost(seconds, writing_seconds(model, page), memory, blocks, parts, status)


def part_count(page: Page, source: bytes) -> int:
    """Elements, of which those that were deleted are known by their tags only, and stretches of text."""
    elements = max(len(page.core.column("roles")), source.count(b"<"))
    return elements + len(page.core.column("run.element")) // 4


def writing_seconds(model: str, page: bytes) -> float:
    """For metadata and all formats, with every block of the page as a paragraph."""
    found = cleaner_of(model).clean(page)
    cleaned = replace(found, labels=[Label.PARAGRAPH] * len(found.page), status="ok")
    start = time.process_time()
    cleaned.metadata  # noqa: B018
    for name in FORMATS_WRITTEN:
        FORMATS[name](cleaned)
    return time.process_time() - start


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
            ratios = f"{one.ratio} times as long, and {one.writing_ratio} to write"
            print(f"{one.shape}: {TIMES} times the size takes {ratios}", file=sys.stderr)
        if one.is_large:
            counts = f"{one.blocks} blocks and {one.parts} parts"
            print(f"{one.shape}: {one.bytes_per_byte} times its size of memory for {counts}", file=sys.stderr)
    bad = sum(one.is_slow or one.is_large for one in rows)
    sizes = f"{rows[0].kilobytes / TIMES / 1000:g} and {rows[0].kilobytes / 1000:g} MB" if rows else "no size"
    tally(f"shapes of hostile pages, at {sizes}", len(rows), bad, sys.stderr)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
