"""A run over an archive of many pages: speed on one core and on all, overhead over bare cleaning, peak memory.

Machines get faster and slower by the minute. So the run is stopped every minute, bare cleaning is timed, and the run
goes on; the overhead is that over the mean of these times. With --peers, trafilatura and resiliparse go over the first
pages of the same archive, in the usual loop of users. With --deduplicate each run is made once more with this as its
last step.
"""

import argparse
import gzip
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from io import BytesIO
from itertools import islice, product
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from victorpy.foundation.optional import fastwarc
from victorpy.output.formats import FORMATS
from victorpy.pipeline.cleaner import load
from victorpy.sources import archive_pages, find_pages, read_page

_DIFFERENT = 1_000
_SECONDS_BETWEEN = 60.0


class Ran(NamedTuple):
    """Seconds by the clock and of the processor; those of bare cleaning, a page; the peak of the parent, and of the
    largest child, in MB."""

    clock: float
    processor: float
    bare: float
    parent: float
    child: float


def make_archive(path: Path, pages: list[bytes], count: int) -> None:
    """The pages again and again, each time a little different."""
    with path.open("wb") as file:
        for number in range(count):
            altered = f"<p>This is copy {number} of a page, and no other copy says so.</p>".encode()
            file.write(gzip.compress(record(number, pages[number % len(pages)] + altered), 6))


def record(number: int, html: bytes, *headers: str) -> bytes:
    """A page as a crawler keeps it."""
    lines = "\r\n".join(["HTTP/1.1 200 OK", "Content-Type: text/html", *headers, "", ""])
    made = fastwarc().warc.WarcRecord()
    made.init_headers(fastwarc().warc.WarcRecordType.response)
    made.headers["WARC-Record-ID"] = f"<urn:uuid:00000000-0000-4000-8000-{number:012d}>"
    made.headers["WARC-Target-URI"] = f"https://example.org/{number}"
    made.is_http = True
    made.set_bytes_content(lines.encode() + html)
    stream = BytesIO()
    made.write(stream)
    return stream.getvalue()


class Bare:
    """Nothing but cleaning, of so many of the first pages of an archive."""

    def __init__(self, archive: Path, options: argparse.Namespace, count: int):
        self.pages = list(islice(archive_pages.read(str(archive)), count))
        self.cleaner, self.format = load(options.model), FORMATS[options.format]

    def seconds(self) -> float:
        """Of the processor, a page."""
        begun = time.process_time()
        for page in self.pages:
            self.format(self.cleaner.clean(page.data, page.url, page.id, page.charset))
        return (time.process_time() - begun) / len(self.pages)


def trafilatura(html: bytes) -> object:
    import trafilatura  # noqa: PLC0415

    return trafilatura.extract(html)


def resiliparse(html: bytes) -> object:
    from resiliparse.extract.html2text import extract_plain_text  # noqa: PLC0415
    from resiliparse.parse.encoding import bytes_to_str, detect_encoding  # noqa: PLC0415

    return extract_plain_text(bytes_to_str(html, detect_encoding(html)), main_content=True)


PEERS: dict[str, Callable[[bytes], object]] = {"trafilatura": trafilatura, "resiliparse": resiliparse}


def pages_per_second(archive: Path, extract: Callable[[bytes], object], count: int) -> float:
    with archive.open("rb") as file:
        begun, seen = time.perf_counter(), 0
        for record in fastwarc().warc.ArchiveIterator(file, parse_http=True):
            extract(record.reader.read())
            seen += 1
            if seen == count:
                break
        return seen / (time.perf_counter() - begun)


def ran(archive: Path, options: argparse.Namespace, bare: Bare, cores: set[int], *more: str) -> Ran:
    with tempfile.TemporaryDirectory() as folder:
        words = ["run", str(archive), "-o", f"{folder}/run", "-m", options.model, "-f", options.format]
        command = [sys.executable, "-m", "victorpy", *words, "-j", str(len(cores)), *more, "-q"]
        bares, before = [bare.seconds()], _processor_of_children()
        process = subprocess.Popen(
            command,
            preexec_fn=partial(os.sched_setaffinity, 0, cores),  # noqa: PLW1509  # there are no threads here
            start_new_session=True,
        )
        clock, begun, parent, child = 0.0, time.perf_counter(), 0.0, 0.0
        while process.poll() is None:
            parent, child = max(parent, _peak(process.pid)), max([child, *map(_peak, _children(process.pid))])
            time.sleep(0.1)
            if time.perf_counter() - begun > _SECONDS_BETWEEN:
                clock += time.perf_counter() - begun
                with stopped(process.pid):
                    bares.append(bare.seconds())
                begun = time.perf_counter()
        clock += time.perf_counter() - begun
        processor = _processor_of_children() - before
        return Ran(clock, processor, fmean([*bares, bare.seconds()]), parent, child)


@contextmanager
def stopped(group: int) -> Iterator[None]:
    """Processes that do nothing meanwhile."""
    os.killpg(group, signal.SIGSTOP)
    try:
        yield
    finally:
        os.killpg(group, signal.SIGCONT)


def _processor_of_children() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _children(process: int) -> Iterator[int]:
    try:
        yield from map(int, Path(f"/proc/{process}/task/{process}/children").read_text().split())
    except OSError:
        return


def _peak(process: int) -> float:
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1_000 for line in lines if line.startswith("VmHWM")), 0.0)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", help="of pages")
    parser.add_argument("--model", default="web")
    parser.add_argument("--format", default="text")
    parser.add_argument("--pages", type=int, nargs="+", default=[1_000, 10_000, 100_000])
    parser.add_argument("--peers", type=int, default=0, metavar="N", help="so many pages for each of them (0)")
    parser.add_argument("--deduplicate", action="store_true", help="run also with this")
    return parser.parse_args()


def main() -> None:
    options = arguments()
    pages = [page.data for page in map(read_page, find_pages([options.folder])[:_DIFFERENT]) if page.data]
    cores = os.sched_getaffinity(0)
    print("pages  cores  pages/s  bare ms  overhead  parent MB  child MB")
    for count in options.pages:
        with tempfile.TemporaryDirectory() as folder:
            archive = Path(folder, "crawl.warc.gz")
            make_archive(archive, pages, count)
            bare = Bare(archive, options, len(pages))
            ways: list[tuple[str, ...]] = [(), ("--deduplicate",)] if options.deduplicate else [()]
            for used, more in product(({min(cores)}, cores), ways):
                one = ran(archive, options, bare, used, *more)
                overhead = 100 * (one.processor / (count * one.bare) - 1)
                print(
                    f"{count:6,}  {len(used):5}  {count / one.clock:7.1f}  {1_000 * one.bare:7.2f}  {overhead:+7.1f} %"
                    f"  {one.parent:9.0f}  {one.child:8.0f}  {' '.join(more)}",
                    flush=True,
                )
            if options.peers and count == options.pages[-1]:
                for name, extract in PEERS.items():
                    print(
                        f"{name}: {pages_per_second(archive, extract, options.peers):.1f} pages/s, one core", flush=True
                    )


if __name__ == "__main__":
    main()
