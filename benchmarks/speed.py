"""Measure the time of a page, by steps, beside the time that lxml needs to parse it.

python benchmarks/speed.py FOLDER [--model NAME] [--pages N]
"""

import argparse
import gc
import sys
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from statistics import fmean, median

from lxml import etree

from victorpy import _core
from victorpy.output.cleaned import Cleaned
from victorpy.output.formats import FORMATS
from victorpy.page.blocks import page_of
from victorpy.pipeline.cleaner import Cleaner, load
from victorpy.sources import find_pages, read_page

PRINTED = FORMATS["cleaneval"]
STEPS = ("decode", "parse and cut", "labels", "printing")


def seconds(work: Callable[[], object], rounds: int) -> float:
    """The fastest of several runs."""
    return min(timed(work) for _ in range(rounds))


def timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def bare_parse(source: bytes) -> None:
    """What no cleaner that uses lxml can do without."""
    etree.fromstring(source, etree.HTMLParser(huge_tree=True))


def cleaned(cleaner: Cleaner, source: bytes) -> None:
    PRINTED(cleaner.clean(source))


def step_times(cleaner: Cleaner, source: bytes) -> list[float]:
    """The seconds of each of STEPS; those of parsing still hold the decoding, which is also measured by itself."""
    ticks = [time.perf_counter()]

    def tick() -> None:
        ticks.append(time.perf_counter())

    _core.decoded(source)
    tick()
    page = page_of(_core.of_bytes(source, None, cleaner.markup.core), "", None, cleaner.markup)
    tick()
    labeling = cleaner.labeler.labeling(page)
    tick()
    PRINTED(Cleaned(page, labeling.labels))
    tick()
    return [after - before for before, after in pairwise(ticks)]


def best_steps(cleaner: Cleaner, source: bytes, rounds: int) -> dict[str, float]:
    rows = (step_times(cleaner, source) for _ in range(rounds))
    best = dict(zip(STEPS, map(min, zip(*rows, strict=True)), strict=True))
    return best | {"parse and cut": best["parse and cut"] - best["decode"]}


def sources(folder: str, count: int | None) -> list[bytes]:
    """The pages that lxml can parse at all: those without any element have nothing to compare."""
    pages = (read_page(page).data for page in find_pages([folder])[:count])
    return [data for data in pages if data and b"<" in data]


def print_row(name: str, values: list[float], base: list[float] | None = None) -> None:
    row = f"{name:10} median {1_000 * median(values):7.3f} ms  mean {1_000 * fmean(values):7.3f} ms"
    ratio = f"  {fmean(values) / fmean(base):5.2f} times the parse" if base else ""
    print(row + ratio)


def report(cleaner: Cleaner, pages: list[bytes], rounds: int) -> None:
    for source in pages[:20]:  # whatever is only made when it is first needed
        cleaned(cleaner, source)
    parses = [seconds(lambda source=source: bare_parse(source), rounds) for source in pages]  # type: ignore[misc]
    cleans = [seconds(lambda source=source: cleaned(cleaner, source), rounds) for source in pages]  # type: ignore[misc]
    size = fmean(len(source) for source in pages)
    print(f"{len(pages)} pages of {size / 1_000:.0f} kB on average, best of {rounds}")
    print_row("lxml", parses)
    print_row("victor", cleans, parses)
    print("of which")
    of_pages = [best_steps(cleaner, source, rounds) for source in pages]
    for name in STEPS:
        print_row(f"  {name}", [times[name] for times in of_pages])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="with pages")
    parser.add_argument("-m", "--model", default="web", help="name or folder of a model (web)")
    parser.add_argument("--pages", type=int, metavar="N", help="only the first N pages")
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="how often each is timed (3)")
    options = parser.parse_args()
    # So that no page pays for the rubbish of another.
    gc.collect()
    report(load(options.model), sources(str(options.folder), options.pages), options.rounds)
    return 0


if __name__ == "__main__":
    sys.exit(main())
