"""Measure the upper bound of labels: import pages with their clean texts, print the labels found, and score that.

python benchmarks/oracle.py DATA_DIR [--sets SET …] [--keep FOLDER]

DATA_DIR has a folder for each data set: its pages in SET/html, and their clean texts, ID.txt, in SET/gold. The score is
the macro average of word F1 over all clean texts: lower-cased words as multisets, without markers and address lines.
"""

import argparse
import os
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import get_args

from victorpy.annotation.alignment import project
from victorpy.annotation.gold_texts import GOLD_FORMATS, likely_format
from victorpy.foundation.processes import Crash, Limits, mapped
from victorpy.output.cleaned import Cleaned
from victorpy.output.formats import FORMATS
from victorpy.page.encoding import decode
from victorpy.page.markup import STANDARD, Markup, Mode
from victorpy.page.segment import segment
from victorpy.sources import Location, find_pages, read_page

# How labels are printed: like the clean text, with markers or without.
PRINTED_AS = {"cleaneval": "cleaneval", "text": "text"}

ADDRESS = re.compile(r"^\s*URL.*$", re.MULTILINE)
MARKER = re.compile(r"<[phl]>", re.IGNORECASE)
WORD = re.compile(r"\w+")


def printed(markup: Markup, folder: Path, location: Location) -> str:
    gold = read(folder / f"{location.id}.txt")
    kind = likely_format(gold)
    page = segment(decode(read_page(location).data or b"").text, location.id, markup=markup)
    labels = project(page, GOLD_FORMATS[kind](gold)).labels
    return FORMATS[PRINTED_AS[kind]](Cleaned(page, labels))


def print_all(data: Path, mode: Mode, target: Path, jobs: int) -> None:
    """A text for each page of the set that has a clean one."""
    gold = data / "gold"
    pages = [page for page in find_pages([str(data / "html")]) if (gold / f"{page.id}.txt").exists()]
    target.mkdir(parents=True, exist_ok=True)
    for page, text in mapped(partial(printed, replace(STANDARD, mode=mode), gold), pages, jobs, Limits()):
        if isinstance(text, Crash):
            print(f"{page.path}: {text.reason}", file=sys.stderr)
        else:
            (target / f"{page.id}.txt").write_text(text, "utf-8", "replace")


def score(target: Path, gold: Path) -> float:
    """The mean over all clean texts; a page that was not printed is empty."""
    return fmean(word_f1(read(target / path.name), read(path)) for path in sorted(gold.glob("*.txt")))


def read(path: Path) -> str:
    return path.read_text("utf-8", "replace") if path.exists() else ""


def word_f1(text: str, gold: str) -> float:
    found, wanted = words(text), words(gold)
    both = found.total() + wanted.total()
    return 2 * (found & wanted).total() / both if both else 1.0


def words(text: str) -> Counter[str]:
    return Counter(WORD.findall(MARKER.sub(" ", ADDRESS.sub("", text)).lower()))


def report(data: Path, names: Iterable[str], target: Path, jobs: int) -> None:
    modes: tuple[Mode, ...] = get_args(Mode)
    print(f"{'set':20}{''.join(f'{mode:>9}' for mode in modes)}")
    for name in names:
        scores = []
        for mode in modes:
            print_all(data / name, mode, target / name / mode, jobs)
            scores.append(score(target / name / mode, data / name / "gold"))
        print(f"{name:20}{''.join(f'{100 * one:9.2f}' for one in scores)}", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, metavar="DATA_DIR", help="with the data sets, unpacked")
    parser.add_argument("--sets", nargs="+", metavar="SET", help="only these (all that have html and gold)")
    parser.add_argument("--keep", metavar="FOLDER", help="keep the printed texts, as FOLDER/SET/MODE/ID.txt")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count() or 1, help="processes (all cores)")
    options = parser.parse_args()
    names = options.sets or sorted(path.parent.name for path in options.data.glob("*/gold"))
    with nullcontext(options.keep) if options.keep else tempfile.TemporaryDirectory() as target:
        report(options.data, names, Path(target), options.jobs)
    return 0


if __name__ == "__main__":
    sys.exit(main())
