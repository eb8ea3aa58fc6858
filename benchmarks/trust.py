"""Try everything that may shake trust: damage, kills, faults of disks, hostile pages, terminals, fuzzing and long use.

python benchmarks/trust.py [PART…] [--fast] [--keep FOLDER] [--data DATA]

Runs the scripts of all parts one after another, and prints a table of what was tried and what failed: that of
docs/trust.md. Ends with status 1 if anything failed. `--fast` takes some minutes, and tries a little of each part.
With `--keep` what a script said is kept as FOLDER/PART.log, and a part that has ended well there is not run again. A
part that needs pages of the data sets is left out without `--data`.
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from tally import Row, rows

BENCHMARKS = Path(__file__).resolve().parent
DATA = "DATA"
ENDED_WELL = "status 0"
CRAWL = "torture.py --archived 0 --timeout 30"


class Part(NamedTuple):
    """The words of a script, and those with which it takes seconds or a few minutes."""

    whole: str
    fast: str


PARTS: dict[str, Part] = {
    "archives": Part("archive_kinds.py --damaged 100000", "archive_kinds.py --damaged 3000 --only gzip"),
    "tampering": Part("tampering.py", "tampering.py --only manifest"),
    "determinism": Part("determinism.py", "determinism.py --without-runs --models density"),
    "expressions": Part("expressions.py", "expressions.py --size 100000"),
    "kills": Part(
        f"{CRAWL} --records 8000 --hostile 60 --child-kills 140 --parent-kills 60 --part-pages 25 --pause 0.1",
        f"{CRAWL} --records 200 --hostile 9 --large 0 --child-kills 4 --parent-kills 4 --part-pages 12",
    ),
    "service": Part("service_kills.py", "service_kills.py --child-kills 3 --server-kills 1"),
    "terminals": Part("terminals.py", "terminals.py metadata"),
    "annotator": Part("annotator_kills.py --kills 100", "annotator_kills.py --kills 3"),
    "disk": Part("torture_disk.py", "torture_disk.py --only dedup"),
    "shapes": Part("hostile.py --size 1000000", "hostile.py --size 20000 links fonts attributes blanks"),
    "fuzzing": Part("fuzz.py all --seconds 300", "fuzz.py all --seconds 0.5"),
    "soak": Part("soak.py --minutes 60", "soak.py --minutes 0.5"),
    "standard": Part(f"conformance.py {DATA}", f"conformance.py {DATA}"),
}


def command(words: str, data: str) -> list[str]:
    script, *others = words.split()
    return [sys.executable, str(BENCHMARKS / script), *(data if word == DATA else word for word in others)]


def ran(part: str, words: str, data: str, log: Path) -> str:
    """What the script says, or said when it ended well before; behind its words, and before its exit status."""
    if (said := _said(log)).startswith(f"{words}\n") and said.endswith(f"{ENDED_WELL}\n"):
        return said
    print(f"{part}: {words}", file=sys.stderr, flush=True)
    paths = [str(BENCHMARKS.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(paths)}
    log.write_text(f"{words}\n", "utf-8")
    with log.open("ab") as file:
        # A stopped page is woken when the session of a shell ends.
        ended = subprocess.run(
            command(words, data), stdout=file, stderr=file, env=environment, check=False, start_new_session=True
        )
        file.write(f"\nstatus {ended.returncode}\n".encode())
    return _said(log)


def _said(log: Path) -> str:
    return log.read_text("utf-8", "replace") if log.exists() else ""


def rows_of(part: str, said: str) -> list[Row]:
    """What the script has counted. If it ended badly and counted no failure, that is one."""
    found, ended = rows(said), said.splitlines()[-1]
    if ended != ENDED_WELL and not any(row.failed for row in found):
        return [*found, Row(f"{part}, which ended with {ended}", 1, 1)]
    return found or [Row(f"{part}, which counted nothing", 1, 1)]


def table(found: Iterable[tuple[str, Row]]) -> Iterator[str]:
    yield "| what | script | tried | failed |"
    yield "| --- | --- | ---: | ---: |"
    for script, row in found:
        yield f"| {row.what} | `{script}` | {row.tried:,} | {row.failed:,} |"


def faults(part: str, said: str) -> str:
    """The end of what a part said that failed."""
    return "\n".join([f"\n{part}:", *said.splitlines()[-20:]])


def chosen(names: Sequence[str], data: str | None, *, is_fast: bool) -> dict[str, str]:
    parts = {name: PARTS[name].fast if is_fast else PARTS[name].whole for name in names or PARTS}
    for name in [name for name, words in parts.items() if DATA in words.split() and data is None]:
        print(f"{name}: left out, needs --data", file=sys.stderr)
        del parts[name]
    return parts


def tried(parts: dict[str, str], data: str, folder: Path) -> Iterator[tuple[str, Row]]:
    for part, words in parts.items():
        said = ran(part, words, data, folder / f"{part}.log")
        found = rows_of(part, said)
        if any(row.failed for row in found):
            print(faults(part, said), file=sys.stderr, flush=True)
        yield from ((words.split()[0], row) for row in found)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"{', '.join(PARTS)} (all)")
    parser.add_argument("--fast", action="store_true", help="a little of each part")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="for what the scripts say")
    parser.add_argument("--data", help="folder where `unpack` has laid out the data sets")
    options = parser.parse_args(arguments)
    if unknown := set(options.parts) - PARTS.keys():
        parser.error(f"no such part: {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    with TemporaryDirectory() as temporary:
        folder = options.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        found = [*tried(chosen(options.parts, options.data, is_fast=options.fast), options.data or "", folder)]
    print("\n".join(table(found)))
    return int(any(row.failed for _, row in found))


if __name__ == "__main__":
    sys.exit(main())
