"""Measure the memory of cleaning: a small page from a cold start, pages of many blocks, many pages in one process.

python benchmarks/memory.py [FOLDER] [--model NAME] [--pages N]

Of pages of many blocks the child process is measured that cleans them. Ends with status 1 if a block of theirs takes
more than 600 bytes beyond a small page and the texts: what is printed, and what the page holds three times (its bytes,
its source, its blocks).
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from victorpy.output.formats import FORMATS
from victorpy.pipeline.cleaner import load
from victorpy.sources import find_pages, read_page

MEGABYTE = 1_000_000
SMALL_PAGE = "<title>A page</title><h1>A small page</h1><p>It has one sentence. And then it has another one.</p>"
STARTS = 5

# What `victor` runs; at its end it tells itself what it held, because its parent would be told of the parent's memory.
CLEAN_AND_TELL = """
import sys
from victorpy.cli.main import main
status = main()
sys.stderr.write(open("/proc/self/status").read())
sys.exit(status)
"""


CLEAN_AND_TELL_OF_CHILD = """
import resource, sys
from victorpy.cli.main import main
status = main()
sys.stderr.write(f"peak {resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss}")
sys.exit(status)
"""
MOST_BYTES = 600
# A page, and how many blocks it has.
LARGE = {
    "1 MB of lines in <pre>": ("<pre>" + "a\n" * 500_000, 500_000),
    "400,000 paragraphs": ("<p>a" * 400_000, 400_000),
    "400,000 sentences": ("<p>A sentence of forty-nine characters is this line." * 400_000, 400_000),
}


class Start(NamedTuple):
    """What one run of `victor clean` took, the start of Python included."""

    seconds: float
    peak_mb: float


def resident_mb() -> float:
    """What the process holds now, as Linux counts it."""
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / MEGABYTE


def sizes(folder: str, model: str, count: int | None) -> Iterator[tuple[int, float]]:
    """How much is held after each tenth of the pages."""
    cleaner, pages = load(model), find_pages([folder])[:count]
    yield 0, resident_mb()
    for number, page in enumerate(pages, start=1):
        FORMATS["cleaneval"](cleaner.clean(read_page(page).data or b""))
        if number * 10 // len(pages) > (number - 1) * 10 // len(pages):
            yield number, resident_mb()


def cold_start(model: str) -> Start:
    """The fastest of several starts."""
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder, "page.html")
        page.write_text(SMALL_PAGE, "utf-8")
        command = [sys.executable, "-c", CLEAN_AND_TELL, "clean", "-m", model, str(page)]
        return min(started(command) for _ in range(STARTS))


def started(command: list[str]) -> Start:
    start = time.perf_counter()
    told = subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True).stderr
    seconds = time.perf_counter() - start
    return Start(seconds, int(told.partition("VmHWM:")[2].split()[0]) * 1024 / MEGABYTE)


class Peak(NamedTuple):
    bytes: int
    printed: int


def of_child(html: str, words: list[str]) -> Peak:
    """The most that the child process takes which cleans the page, and the size of what it prints."""
    with tempfile.TemporaryDirectory() as folder:
        page, output = Path(folder, "page.html"), Path(folder, "output")
        page.write_text(html, "utf-8")
        command = [sys.executable, "-c", CLEAN_AND_TELL_OF_CHILD, "clean", "--timeout", "900", *words, str(page)]
        with output.open("wb") as file:
            told = subprocess.run(command, check=True, stdout=file, stderr=subprocess.PIPE, text=True).stderr
        return Peak(int(told.rpartition("peak ")[2]) * 1024, output.stat().st_size)


def blocks_of_large_pages(model: str) -> Iterator[tuple[str, float, float]]:
    """Bytes for each block, and those of them that are texts."""
    ways = {"labeled": ["-m", model], "kept and printed as JSON": ["--labeler", "everything", "-f", "json"]}
    for way, words in ways.items():
        small = of_child(SMALL_PAGE, words)
        for name, (html, blocks) in LARGE.items():
            peak = of_child(html, words)
            texts = 3 * len(html) + peak.printed
            yield f"{name}, {way}", (peak.bytes - small.bytes) / blocks, texts / blocks


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", help="with pages")
    parser.add_argument("-m", "--model", default="web", help="name or folder of a model (web)")
    parser.add_argument("--pages", type=int, metavar="N", help="only the first N pages")
    options = parser.parse_args()
    start = cold_start(options.model)
    print(f"cold start, one small page: {start.seconds:.2f} s, {start.peak_mb:.0f} MB (best of {STARTS})")
    is_too_much = False
    for name, size, texts in blocks_of_large_pages(options.model):
        is_too_much |= size - texts > MOST_BYTES
        print(f"{name}: {size:.0f} bytes a block, {texts:.0f} of them texts", flush=True)
    if options.folder:
        for number, megabytes in sizes(options.folder, options.model, options.pages):
            print(f"after {number:5} pages {megabytes:6.0f} MB")
    return int(is_too_much)


if __name__ == "__main__":
    sys.exit(main())
