"""Run commands on disks with faults: full, without inodes, read-only, slow, or failing at one call.

python benchmarks/torture_disk.py           (on Linux, with `cc`)

`faulty_disk.c` stands before the calls of the C library. A command with a fault must end in time with a message and a
documented status, and leave no draft. Status 0 is right only if all files are there as without the fault. The same
command without the fault must then end well, with the same files. Ends with status 1 if anything differs.
"""

import argparse
import contextlib
import ctypes
import errno
import os
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from tally import tally

ROOT = Path(__file__).parents[1]
SHIM = "TORTURE_DISK"
ALWAYS = 1 << 30
MOST_SECONDS = 60
WRITE, SYNC, CREATE, NAME, READ, REMOVE = (1 << bit for bit in range(6))
CHANGES = WRITE | SYNC | CREATE | NAME | REMOVE
STATUSES = {1, 2, 3}
# group-by-host says what to do about files that it did not remove.
REFUSED = "has the files of another run: remove them"
# What commands import, so that their children need not.
IMPORTED = ("victorpy.cli.main", "pyarrow.parquet", "sklearn_crfsuite", "rensa", "fastwarc", "victorpy.models.training")

CONFIG = """\
include: base
features: [container.p, container.a, sentence-end, position]
template: ./small.tpl
crf: {max-iterations: 10}
"""
TEMPLATE = """\
container.{p,a}[{-1,0}]
{sentence-end,position}[0]
B
"""


class Fault(NamedTuple):
    """Calls of these kinds, from the first to the last, fail with this error or only take longer."""

    name: str
    calls: int
    first: int
    last: int = ALWAYS
    error: int = 0
    microseconds: int = 0
    is_of_input: bool = False


class Command(NamedTuple):
    """Words of a command whose output is in the folder `out`."""

    words: str
    makes: Callable[[Path], object]


def faults() -> Iterator[Fault]:
    for first in (1, 2, 4, 8):
        yield Fault(f"full from write {first}", WRITE | SYNC, first, error=errno.ENOSPC)
        yield Fault(f"EIO at write {first}", WRITE, first, first, errno.EIO)
        yield Fault(f"EIO at sync {first}", SYNC, first, first, errno.EIO)
    for first in (1, 2, 3):
        yield Fault(f"full from sync {first}", SYNC, first, error=errno.ENOSPC)
        yield Fault(f"no inode from file {first}", CREATE, first, error=errno.ENOSPC)
        yield Fault(f"EIO at name {first}", NAME, first, first, errno.EIO)
    yield Fault("quota from write 1", WRITE, 1, error=errno.EDQUOT)
    yield Fault("read-only", CREATE | NAME | REMOVE, 1, error=errno.EROFS)
    yield Fault("read-only after 3 changes", CHANGES, 4, error=errno.EROFS)
    yield Fault("slow", CHANGES, 1, microseconds=20_000)
    yield Fault("EIO at read 1 of the input", READ, 1, error=errno.EIO, is_of_input=True)


def _made(*names: str) -> Callable[[Path], object]:
    return lambda work: [(work / name).mkdir(parents=True, exist_ok=True) for name in names]


COMMANDS: dict[str, Command] = {
    "clean to a folder": Command("clean in/pages --labeler density -f markdown -o out/texts", _made()),
    "clean to a file": Command("clean in/pages --labeler density -f jsonl -o out/texts.jsonl.gz", _made("out")),
    "run": Command("run in/crawl.warc.gz --labeler density --part-pages 3 -j 1 -o out/run", _made("out")),
    "run to parquet": Command(
        "run in/crawl.warc.gz --labeler density --part-pages 4 -f parquet -j 1 -o out/run", _made("out")
    ),
    "run, deduplicated": Command(
        "run in/crawl.warc.gz --labeler density --part-pages 3 -j 1 --deduplicate --deduplicate-exact -o out/run",
        _made("out"),
    ),
    "train": Command("train in/annotations -c in/small.yaml -m ./out/model --replace", _made("out")),
    "convert": Command("convert in/annotations -f text -o out/texts", _made("out")),
    "import": Command("import in/pages in/texts -o out/annotations", _made("out")),
    "group-by-host": Command("group-by-host in/crawl.warc.gz -o out/hosts", _made("out")),
    "dedup": Command("dedup in/pages.jsonl -o out/pages.jsonl", _made("out")),
    "learn site": Command("learn site in/pages --host quay.example -o out/site.npz", _made("out")),
    "lm train": Command("lm train in/text.txt -o ./out/lm", _made("out")),
}


# The files that commands read


def make_inputs(folder: Path) -> None:
    from runs import make_archive  # noqa: PLC0415

    pages = sorted((ROOT / "examples").glob("*.html"))
    for name in ("pages", "texts", "annotations"):
        (folder / name).mkdir(parents=True)
    for page in pages[:4]:
        shutil.copy(page, folder / "pages" / page.name)
    make_archive(folder / "crawl.warc.gz", [page.read_bytes() for page in pages], 10)
    for path in sorted((ROOT / "annotations").glob("*.anno"))[:3]:
        shutil.copy(path, folder / "annotations" / path.name)
    (folder / "small.yaml").write_text(CONFIG)
    (folder / "small.tpl").write_text(TEMPLATE)
    (folder / "text.txt").write_text("The ferry leaves at seven, and somebody counts the boats.\n" * 40)
    with contextlib.chdir(folder.parent):
        quietly("clean in/pages --labeler density -f jsonl -o in/pages.jsonl")
        quietly("clean in/pages --labeler density -f cleaneval -o in/texts")


# Running


def quietly(words: str) -> int:
    from victorpy.cli.main import main  # noqa: PLC0415

    return main([*words.split(), "-q"])


class Ended(NamedTuple):
    """How a command ended: its status, what it said, and how many calls failed."""

    status: int
    said: str
    failures: int


def ended(work: Path, command: Command, fault: Fault | None) -> Ended:
    """In a child, which has imported everything before."""
    said = work.parent / "said"
    child = os.fork()
    if not child:
        _run(work, command, fault, said)
    deadline = time.monotonic() + MOST_SECONDS
    while (found := os.waitpid(child, os.WNOHANG))[0] == 0:
        if time.monotonic() > deadline:
            os.kill(child, signal.SIGKILL)
        time.sleep(0.005)
    text, _, failures = said.read_text("utf-8", "replace").rpartition("\nfailures: ")
    return Ended(
        os.waitstatus_to_exitcode(found[1]),
        text if failures else said.read_text("utf-8", "replace"),
        int(failures or 0),
    )


def _run(work: Path, command: Command, fault: Fault | None, said: Path) -> None:
    status = 99
    try:
        os.chdir(work)
        log = os.open(said, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(log, 1)
        os.dup2(log, 2)
        disk = ctypes.CDLL(os.environ[SHIM])
        if fault:
            below = work / ("in" if fault.is_of_input else "out")
            disk.arm(os.fsencode(below), fault.calls, fault.first, fault.last, fault.error, fault.microseconds)
        status = quietly(command.words)
    except SystemExit as end:
        status = int(end.code or 0)
    except BaseException:
        import traceback  # noqa: PLC0415

        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os.write(2, f"\nfailures: {disk.failed()}".encode())
        os._exit(status)


def files(folder: Path) -> dict[str, bytes]:
    paths = (path for path in sorted(folder.rglob("*")) if path.is_file() and path.name != "run.json")
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def wrong(work: Path, command: Command, fault: Fault, whole: dict[str, bytes]) -> Iterator[str]:
    """What is wrong with a command on this disk, and with the command after it."""
    shutil.rmtree(work / "out", ignore_errors=True)
    command.makes(work)
    first = ended(work, command, fault)
    found, text = files(work / "out"), first.said.strip()
    if "Traceback" in text or first.status not in {0, *STATUSES}:
        yield f"ends with {first.status}: {text[-600:]}"
    if first.status == 0 and found != whole and not fault.is_of_input:
        yield "ends with status 0, and its files differ"
    if first.status and not any(line.startswith("victor: ") for line in text.splitlines()):
        yield f"ends with {first.status} and says {text[-200:]!r}"
    drafts = [name for name in found if name.endswith(".part") or ("/." in f"/{name}" and not _is_in_card(name, found))]
    if drafts and not fault.calls & REMOVE:
        yield f"leaves {drafts}"
    again = ended(work, command, None)
    if REFUSED in again.said:
        shutil.rmtree(work / "out")
        command.makes(work)
        again = ended(work, command, None)
    if again.status or files(work / "out") != whole:
        yield f"the same command ends then with {again.status} or other files: {again.said[-300:]}"


def _is_in_card(name: str, found: dict[str, bytes]) -> bool:
    """Data that wait under their digest belong to the model if its card has this digest."""
    digest = name.rpartition("-")[2].encode()
    return len(digest) == 64 and any(digest in content for path, content in found.items() if path.endswith(".yaml"))


def tried(work: Path, only: str) -> Iterator[tuple[str, str, list[str]]]:
    for name, command in COMMANDS.items():
        if only not in name:
            continue
        shutil.rmtree(work / "out", ignore_errors=True)
        command.makes(work)
        begun = ended(work, command, None)
        whole = files(work / "out")
        if begun.status or not whole:
            yield name, "no fault", [f"ends with {begun.status}: {begun.said}"]
            continue
        for fault in faults():
            yield name, fault.name, [*wrong(work, command, fault, whole)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="only commands whose name holds this")
    options = parser.parse_args()
    with TemporaryDirectory() as folder:
        if SHIM not in os.environ:
            return _with_shim(Path(folder))
        for name in IMPORTED:
            import_module(name)
        work = Path(folder, "work")
        make_inputs(work / "in")
        failed, counts = 0, Counter[str]()
        for command, fault, found in tried(work, options.only):
            counts[command] += 1
            for one in found:
                print(f"{command}, {fault}: {one}", flush=True)
            failed += bool(found)
        tally("commands on a disk that is full, read-only, slow, without inodes, or fails once", counts.total(), failed)
    return int(failed > 0)


def _with_shim(folder: Path) -> int:
    """This program again, with the faulty disk before the C library."""
    library = folder / "faulty_disk.so"
    source = Path(__file__).with_name("faulty_disk.c")
    subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
    environment = os.environ | {SHIM: str(library), "LD_PRELOAD": str(library)}
    return subprocess.run([sys.executable, *sys.argv], env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
