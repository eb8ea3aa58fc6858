"""Check the core against the HTML standard: the tests of html5lib, and html5ever on every page of all sets.

python benchmarks/conformance.py DATA

DATA is the folder where `unpack` has laid out the sets. Compiles the core's tests in release mode, runs them on the
data, and prints a table of what they count, and every exception. Ends with status 1 if anything failed, with 2 if the
data or cargo are missing.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from tally import tally

CORE = Path(__file__).resolve().parents[1] / "core"
TESTS = ("conformance", "sniff_conformance", "differential")
HTML5LIB = "html5lib-tests"
# By the word that the tests print; sets of pages they print as folders.
TITLES = {
    "trees": "html5lib: tree construction",
    "visible": "html5lib: visible text of tree construction",
    "tokens": "html5lib: tokenizer",
    "encodings": "html5lib: encoding",
    "soups": "html5ever: made-up pages",
}
# Not from the beginning of a line, where the harness may have printed the name of the test.
COUNTS = re.compile(r"conformance: (.+) \| (\d+) passed \| (\d+) exceptions \| (\d+) failed$", re.MULTILINE)
EXCEPTIONS = re.compile(r"exception: (.+) \| (.+) \| (.+)$", re.MULTILINE)


class Row(NamedTuple):
    what: str
    run: int
    passed: int
    exceptions: int
    failed: int


class Exempted(NamedTuple):
    """What does not pass, and need not."""

    what: str
    name: str
    reason: str


def page_folders(data: Path) -> list[Path]:
    return sorted(path for path in data.glob("*/html") if path.is_dir())


def problem(data: Path) -> str | None:
    """What is missing, if anything is."""
    if not (data / HTML5LIB).is_dir():
        return f"{data / HTML5LIB}: no such folder; lay out the sets with `unpack {data}`"
    if not page_folders(data):
        return f"{data}: expected sets of pages in SET/html; lay them out with `unpack {data}`"
    if shutil.which("cargo") is None:
        return "cargo: no such program; the tests of the core need Rust"
    return None


def run(data: Path) -> tuple[str, int]:
    """What the tests print, and the status of cargo; messages of the compiler and of failures are shown at once."""
    command = ["cargo", "test", "--quiet", "--release", "--locked", "--no-fail-fast"]
    command += [word for test in TESTS for word in ("--test", test)]
    inputs = {
        "VICTOR_HTML5LIB": str(data / HTML5LIB),
        "VICTOR_PAGES": os.pathsep.join(str(folder) for folder in page_folders(data)),
    }
    finished = subprocess.run(
        [*command, "--", "--nocapture"],
        cwd=CORE,
        env=os.environ | inputs,
        stdout=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    return finished.stdout, finished.returncode


def title(what: str) -> str:
    return TITLES.get(what) or f"html5ever: {Path(what).parent.name}"


def rows(output: str) -> list[Row]:
    found = [(title(what), *map(int, counts)) for what, *counts in COUNTS.findall(output)]
    return sorted(Row(what, sum(counts), *counts) for what, *counts in found)


def exempted(output: str) -> list[Exempted]:
    return sorted(Exempted(title(what), name, reason) for what, name, reason in EXCEPTIONS.findall(output))


def table(rows: Sequence[Row]) -> Iterable[str]:
    yield "| what | run | passed | exceptions | failed |"
    yield "| --- | ---: | ---: | ---: | ---: |"
    for what, *counts in [*rows, total(rows)]:
        yield f"| {what} | " + " | ".join(f"{count:,}" for count in counts) + " |"


def total(rows: Sequence[Row]) -> Row:
    run, passed, exceptions, failed = (sum(counts) for counts in list(zip(*rows, strict=True))[1:])
    return Row("all", run, passed, exceptions, failed)


def count(rows: Sequence[Row]) -> None:
    """Each kind of tests of html5lib, and all pages that html5ever has parsed as well."""
    others = [row for row in rows if not row.what.startswith("html5lib")]
    for row in rows:
        if row not in others:
            tally(row.what, row.run, row.failed)
    tally("trees of pages, against html5ever", sum(row.run for row in others), sum(row.failed for row in others))


def report(data: Path) -> int:
    output, status = run(data)
    found = rows(output)
    expected = {*map(title, TITLES), *(title(str(folder)) for folder in page_folders(data))}
    uncounted = sorted(expected - {row.what for row in found if row.run})
    if found:
        print("\n".join(table(found)))
        count(found)
    for what, name, reason in exempted(output):
        print(f"\n{what}: {name}\n    {reason}")
    for what in uncounted:
        print(f"{what}: the tests have counted nothing", file=sys.stderr)
    return 1 if status or uncounted or any(row.failed for row in found) else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, metavar="DATA")
    data = parser.parse_args().data.resolve()
    if message := problem(data):
        print(message, file=sys.stderr)
        return 2
    return report(data)


if __name__ == "__main__":
    sys.exit(main())
