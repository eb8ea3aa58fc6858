"""Measure how `victor run --engine dask` scales: a real scheduler on this machine, with 1 and more workers.

The same archives by the local engine stand beside, and the files of every run must be the same, byte by byte.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from hashlib import sha256
from pathlib import Path

from runs import make_archive

from victorpy.sources import find_pages, read_page


@contextmanager
def cluster(folder: Path, workers: int) -> Iterator[str]:
    """The address of a scheduler with so many workers, each a process of one thread."""
    place = folder / f"scheduler-{workers}.json"
    with ExitStack() as processes:

        def start(program: str, *words: str) -> None:
            command = [sys.executable, "-m", f"distributed.cli.{program}", "--scheduler-file", str(place)]
            log = processes.enter_context(folder.joinpath(f"{program}-{workers}.log").open("wb"))
            local = ["--host", "127.0.0.1", "--no-dashboard"]
            process = subprocess.Popen([*command, *local, *words], cwd=folder, stdout=log, stderr=log)
            processes.callback(process.wait, 60)
            processes.callback(process.terminate)

        start("dask_scheduler", "--port", "0")
        start("dask_worker", "--nworkers", str(workers), "--nthreads", "1")
        while not (place.exists() and place.read_text()):
            time.sleep(0.1)
        address = json.loads(place.read_text())["address"]
        wait = f"import distributed; distributed.Client({address!r}).wait_for_workers({workers}, timeout=60)"
        subprocess.run([sys.executable, "-c", wait], check=True)
        yield address


def seconds(archives: list[Path], run: Path, *options: str) -> float:
    begun = time.perf_counter()
    names = [str(archive) for archive in archives]
    subprocess.run([sys.executable, "-m", "victorpy", "run", *names, "-o", str(run), "-q", *options], check=True)
    return time.perf_counter() - begun


def digest(run: Path) -> str:
    """Of all files but the manifest, which says when and how they were made."""
    found = sha256()
    for path in sorted(path for path in run.rglob("*") if path.is_file() and path.name != "run.json"):
        found.update(path.relative_to(run).as_posix().encode() + path.read_bytes())
    return found.hexdigest()


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", help="of pages")
    parser.add_argument("--archives", type=int, default=16)
    parser.add_argument("--pages", type=int, default=1_250, help="in each archive (1250)")
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    return parser.parse_args()


def main() -> None:
    options = arguments()
    pages = [page.data for page in map(read_page, find_pages([options.folder])[:1_000]) if page.data]
    total, digests = options.archives * options.pages, set()
    print(f"{total:,} pages in {options.archives} archives, {os.cpu_count()} processors")
    print("engine  workers  seconds  pages/s   times")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        archives = [folder / f"{number:03}.warc.gz" for number in range(options.archives)]
        for archive in archives:
            make_archive(archive, pages, options.pages)
        for engine in ("local", "dask"):
            first = 0.0
            for workers in options.workers:
                run = folder / f"{engine}-{workers}"
                if engine == "local":
                    took = seconds(archives, run, "-j", str(workers))
                else:
                    with cluster(folder, workers) as address:
                        took = seconds(archives, run, "--engine", "dask", "--scheduler", address)
                digests.add(digest(run))
                first = first or took
                print(f"{engine:6}  {workers:7}  {took:7.1f}  {total / took:7.1f}  {first / took:6.2f}", flush=True)
    print("all runs left the same files" if len(digests) == 1 else f"{len(digests)} different results")


if __name__ == "__main__":
    main()
