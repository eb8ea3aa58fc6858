"""Clean the same pages on many kinds of machines, in many ways. All must give the same bytes.

python benchmarks/determinism.py PAGES…

The kinds are played by the environment of a process: kernels of the core, of numpy and of its BLAS, the functions of
libm, threads, seeds of hashes, languages, time zones. Each model says everything of each page there: labels, every
digit of every probability, and all formats. Runs are made with several jobs, begun on one kind and finished on another,
verified and retried there, and by Dask, once with a worker killed. Ends with status 1 if anything differs.
"""

import argparse
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from dask_scaling import cluster
from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__
from runs import make_archive
from tally import tally

from victorpy import _core

ROOT = Path(__file__).parents[1]
MODELS = ("web", "cleaneval", "density", "merge")
_OPTIONAL = [name for name in __cpu_dispatch__ if __cpu_features__.get(name)]
_OF_BLAS = ("Prescott", "Nehalem", "Sandybridge", "Haswell", "Zen", "SkylakeX", "Cooperlake", "SapphireRapids")
_PLAIN = {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-AVX2_Usable,-FMA,-FMA_Usable,-AVX512F"}
OLD = _PLAIN | {
    "VICTOR_KERNEL": _core.KERNELS[-1],
    "NPY_DISABLE_CPU_FEATURES": " ".join(_OPTIONAL),
    "OPENBLAS_CORETYPE": "Prescott",
}
KINDS: dict[str, dict[str, str]] = {
    "this machine": {},
    **{f"kernel {name}": {"VICTOR_KERNEL": name} for name in _core.KERNELS},
    **{f"BLAS for {name}": {"OPENBLAS_CORETYPE": name} for name in _OF_BLAS},
    **{f"numpy without {name}": {"NPY_DISABLE_CPU_FEATURES": name} for name in _OPTIONAL},
    "plain libm": _PLAIN,
    "an old machine": OLD,
    **{f"{count} threads": {"OPENBLAS_NUM_THREADS": count, "OMP_NUM_THREADS": count} for count in ("1", "2", "8")},
    **{f"hash seed {seed}": {"PYTHONHASHSEED": seed} for seed in ("0", "1", "4294967295")},
    **{f"locale {name}": {"LC_ALL": name} for name in ("C", "C.UTF-8", "tr_TR.UTF-8", "de_DE.ISO-8859-1")},
    **{f"time zone {name}": {"TZ": name} for name in ("Asia/Kathmandu", "America/St_Johns")},
}

_EVERYTHING = """\
import sys, victorpy
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

cleaner = victorpy.load(sys.argv[1])

def said(path):
    cleaned = cleaner.clean(Path(path).read_bytes(), url="https://harbour.example/")
    printed = [victorpy.FORMATS[name](cleaned) for name in sorted(victorpy.FORMATS)]
    return repr((cleaned.labels, list(cleaned.probabilities or ()), cleaned.confidence, printed))

with ThreadPoolExecutor(int(sys.argv[2])) as pool:
    for text in pool.map(said, sys.argv[3:]):
        sys.stdout.buffer.write(text.encode("utf-8", "surrogatepass"))
"""


class Check(NamedTuple):
    """What was tried, and whether it gave the expected bytes."""

    name: str
    is_same: bool


def environment(kind: str) -> Mapping[str, str]:
    return os.environ | {"PYTHONPATH": str(ROOT)} | KINDS[kind]


def said(model: str, kind: str, threads: int, pages: Sequence[str]) -> bytes:
    """The digest of everything that is said of the pages, or what went wrong."""
    command = [sys.executable, "-c", _EVERYTHING, model, str(threads), *pages]
    ran = subprocess.run(command, env=environment(kind), capture_output=True, check=False)
    return sha256(ran.stdout).digest() if ran.returncode == 0 else ran.stderr


def of_pages(pages: Sequence[str], models: Sequence[str]) -> Iterator[Check]:
    for model in models:
        expected = said(model, "this machine", 1, pages)
        for kind in KINDS:
            yield Check(f"{model}: {kind}", said(model, kind, 1, pages) == expected)
        for threads in (2, 8):
            yield Check(f"{model}: {threads} pages at once", said(model, "this machine", threads, pages) == expected)


class Runs:
    """Runs over one archive in one folder, whose files must all be the same."""

    def __init__(self, work: Path, model: str, archives: Sequence[Path]):
        self.work, self.model, self.archives = work, model, archives
        self.words = [*map(str, archives), "-m", model, "--part-pages", "20", "-q"]

    def victor(self, kind: str, command: str, *words: str) -> subprocess.CompletedProcess[bytes]:
        program = [sys.executable, "-m", "victorpy", command, *words]
        return subprocess.run(program, cwd=self.work, env=environment(kind), capture_output=True, check=False)

    def run(self, name: str, kind: str, *words: str) -> dict[str, bytes]:
        ran = self.victor(kind, "run", *self.words, "-o", name, *words)
        return self.files(name) if ran.returncode == 0 else {"said": ran.stderr}

    def files(self, name: str) -> dict[str, bytes]:
        paths = (path for path in (self.work / name).rglob("*") if path.is_file() and path.name != "run.json")
        return {path.relative_to(self.work / name).as_posix(): path.read_bytes() for path in paths}

    def killed(self, name: str, kind: str) -> None:
        """Begins a run and kills it when its first parts are done."""
        program = [sys.executable, "-m", "victorpy", "run", *self.words, "-o", name]
        process = subprocess.Popen(program, cwd=self.work, env=environment(kind), stderr=subprocess.DEVNULL)
        self._wait_for_parts(name, process)
        process.kill()
        process.wait()

    def by_dask(self, name: str, *, kills: bool) -> dict[str, bytes]:
        with cluster(self.work, 2) as scheduler:
            words = ("--engine", "dask", "--scheduler", scheduler)
            program = [sys.executable, "-m", "victorpy", "run", *self.words, "-o", name, *words]
            workers = _of_client(scheduler, "*client.run(os.getpid).values()").split()
            with subprocess.Popen(program, cwd=self.work, stderr=subprocess.PIPE) as process:
                self._wait_for_parts(name, process)
                if kills:
                    os.kill(int(workers[0]), signal.SIGKILL)
                _, errors = process.communicate()
        return self.files(name) if process.returncode == 0 else {"said": errors}

    def _wait_for_parts(self, name: str, process: subprocess.Popen[bytes]) -> None:
        journals = self.work / name / "shards"
        while process.poll() is None and not any(b'{"part"' in path.read_bytes() for path in journals.glob("*.jsonl")):
            time.sleep(0.01)


def _of_client(scheduler: str, question: str) -> bytes:
    code = f"import os, distributed\nclient = distributed.Client({scheduler!r})\nprint({question})"
    return subprocess.run([sys.executable, "-c", code], check=True, capture_output=True).stdout


def of_runs(work: Path, pages: Sequence[Path], copies: int) -> Iterator[Check]:
    archives = [work / f"{number}.warc.gz" for number in range(2)]
    for archive in archives:
        make_archive(archive, [page.read_bytes() for page in pages], copies)
    for model in ("web", "cleaneval"):
        runs = Runs(work, model, archives)
        expected = runs.run(f"{model}-quiet", "this machine")
        yield Check(f"{model}: a run ends well", "manifest.json" in expected)
        for jobs in ("1", "3"):
            yield Check(f"{model}: {jobs} jobs", runs.run(f"{model}-{jobs}", "hash seed 1", "-j", jobs) == expected)
        for first, second in (("this machine", "an old machine"), ("an old machine", "this machine")):
            name = f"{model}-begun-on-{first}".replace(" ", "-")
            runs.killed(name, first)
            yield Check(f"{model}: begun on {first}, finished on {second}", runs.run(name, second) == expected)
            verified = runs.victor(first, "verify", name, "--sample", "50")
            yield Check(f"{model}: then verified on {first}", verified.returncode == 0)
            retried = runs.victor(second, "retry", name, "-m", model)
            yield Check(f"{model}: then retried on {second}", retried.returncode == 0)
        yield Check(f"{model}: Dask", runs.by_dask(f"{model}-dask", kills=False) == expected)
        yield Check(f"{model}: Dask with a worker killed", runs.by_dask(f"{model}-killed", kills=True) == expected)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", nargs="*", type=Path, help="folders of pages (examples/)")
    parser.add_argument("--copies", type=int, default=60, help="pages of each of two archives (60)")
    parser.add_argument("--models", nargs="+", default=MODELS, help=f"{', '.join(MODELS)} (all)")
    parser.add_argument("--without-runs", action="store_true")
    options = parser.parse_args()
    folders = options.pages or [ROOT / "examples"]
    pages = sorted(page.absolute() for folder in folders for page in folder.glob("*.html"))
    with TemporaryDirectory() as work:
        parts = [of_pages([*map(str, pages)], options.models)]
        parts += [] if options.without_runs else [of_runs(Path(work), pages, options.copies)]
        checks = [*map(_told, chain(*parts))]
    failed = sum(not check.is_same for check in checks)
    print(f"{len(pages)} pages")
    tally("kernels, threads, jobs, seeds, locales, engines", len(checks), failed)
    return int(failed > 0)


def _told(check: Check) -> Check:
    print("same     " if check.is_same else "DIFFERENT", check.name, flush=True)
    return check


if __name__ == "__main__":
    sys.exit(main())
