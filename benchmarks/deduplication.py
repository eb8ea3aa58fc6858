"""Deduplication: pages a second, memory, and how many near duplicates are found, by how much of a page was altered.

python benchmarks/deduplication.py [--pages N]

Pages are made of the passages of `annotations/`, in any order, half of their words taken for others.
"""

import argparse
import json
import multiprocessing
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

from victorpy.annotation.anno_files import read
from victorpy.pipeline.deduplication.known_texts import KnownTexts
from victorpy.pipeline.deduplication.record_files import deduplicate
from victorpy.pipeline.deduplication.records import Deduplication, Deduplicator
from victorpy.pipeline.deduplication.signatures import shingles

ROOT = Path(__file__).parents[1]

WORDS_OF_A_PAGE = (50, 1_000)
DUPLICATES = {"again": 0.1, "altered": 0.1}
ALTERATIONS = (0.002, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.3)
PAIRS = 1_000
THRESHOLD = 0.8

SETTINGS: Mapping[str, Deduplication] = {
    "exact": Deduplication(None),
    "near": Deduplication(THRESHOLD),
    "near, passages": Deduplication(THRESHOLD, passages=True),
    "near, near passages": Deduplication(THRESHOLD, passages=True, near_passages=True),
}


class Source(NamedTuple):
    passages: Sequence[Sequence[str]]
    words: Sequence[str]

    def page(self, number: int) -> list[str]:
        """The passages of a page, always the same ones for a number."""
        rng = random.Random(number)
        wanted, passages = rng.randint(*WORDS_OF_A_PAGE), list[str]()
        while wanted > 0:
            passage = rng.choice(self.passages)
            passages.append(altered(passage, 0.5, self.words, rng))
            wanted -= len(passage)
        return passages


def altered(words: Iterable[str], share: float, others: Sequence[str], rng: random.Random) -> str:
    """The words, any of them taken for another with this chance."""
    return " ".join(rng.choice(others) if rng.random() < share else word for word in words)


def source() -> Source:
    annotations = [read(path) for path in sorted((ROOT / "annotations").glob("*.anno"))]
    texts = [
        text
        for annotation in annotations
        for text, label in zip(annotation.texts, annotation.labels, strict=True)
        if label and label.is_content
    ]
    passages = [text.split() for text in texts if len(text.split()) > 3]
    return Source(passages, sorted({word for passage in passages for word in passage}))


# Speed and memory


def records(made: Source, count: int) -> Iterator[dict[str, Any]]:
    """Most pages are new; some were there before, and some were there before and are altered a little."""
    for number in range(count):
        rng = random.Random(-number - 1)
        kind = rng.random()
        older = rng.randrange(number) if number else 0
        passages = made.page(older if kind < sum(DUPLICATES.values()) else number)
        if DUPLICATES["again"] <= kind < sum(DUPLICATES.values()):
            passages = [altered(passage.split(), 0.01, made.words, rng) for passage in passages]
        yield record(f"https://www.example/{number:09}", passages)


def record(id: str, passages: Sequence[str]) -> dict[str, Any]:
    blocks = [
        {"id": number, "label": "p", "text": text, "probability": 0.987654} for number, text in enumerate(passages)
    ]
    found = [{"label": "p", "text": text, "blocks": [number]} for number, text in enumerate(passages)]
    text = "".join(f"{passage}\n" for passage in passages)
    return {"id": id, "status": "ok", "reason": "", "text": text, "blocks": blocks, "passages": found}


class Cost(NamedTuple):
    pages: int
    seconds: float
    megabytes: float
    counts: Mapping[str, int]


def cost(made: Source, settings: Deduplication, count: int) -> Cost:
    """Of the deduplication alone: pages are made, and garbage is collected, outside of the time."""
    deduplicator, seconds = Deduplicator(settings), 0.0
    Deduplicator(settings).deduplicated(record("x", made.page(0)))  # whatever is only made when it is first needed
    before = resident()
    for given in records(made, count):
        start = time.process_time()
        deduplicator.deduplicated(given)
        seconds += time.process_time() - start
    return Cost(count, seconds, (resident() - before) / 1e6, deduplicator.counts)


def cost_of_files(made: Source, settings: Deduplication, count: int) -> Cost:
    """Of a file of JSON lines, read and written."""
    with tempfile.TemporaryDirectory() as folder:
        given = Path(folder, "given.jsonl")
        with given.open("w", encoding="utf-8") as file:
            file.writelines(json.dumps(record, ensure_ascii=False) + "\n" for record in records(made, count))
        before, start = resident(), time.process_time()
        ended = deduplicate([str(given)], str(Path(folder, "left.jsonl")), settings)
        return Cost(count, time.process_time() - start, (resident() - before) / 1e6, ended.counts)


def resident() -> int:
    return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")


def apart(measure: Callable[..., Cost], *given: Any) -> Cost:
    """In a process of its own, so that no other measure's memory is at hand."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(measure, given)


def print_costs(made: Source, count: int) -> None:
    print(f"{'':24} pages/s    µs/page  bytes/kept  ended as")
    for name, settings in SETTINGS.items():
        fewer = 10 if settings.near_passages else 1
        print_cost(name, apart(cost, made, settings, count // fewer))
    for name in ("exact", "near"):
        print_cost(f"{name}, files", apart(cost_of_files, made, SETTINGS[name], count // 10))


def print_cost(name: str, found: Cost) -> None:
    each = found.seconds / found.pages
    held = 1e6 * found.megabytes / found.counts["kept"]
    ends = ", ".join(f"{number:,} {end}" for end, number in found.counts.items())
    print(f"{name:24} {1 / each:7,.0f} {1e6 * each:10.0f} {held:11.0f}  {ends}", flush=True)


# How many are found


class Pair(NamedTuple):
    """A page and what it was altered to: how similar they are, and how similar they were found to be."""

    similarity: float
    found: float | None


def pairs(made: Source, alteration: float) -> list[Pair]:
    known = KnownTexts(THRESHOLD)
    pages = [" ".join(made.page(number)) for number in range(PAIRS)]
    for page in pages:
        known.match(page)
    return [pair(known, page, altered(page.split(), alteration, made.words, random.Random(page))) for page in pages]


def pair(known: KnownTexts, page: str, near: str) -> Pair:
    match = known.match(near)
    similarity = None if match is None else 1.0 if match.similarity is None else match.similarity
    return Pair(share_of_shingles(page, near), similarity)


def share_of_shingles(first: str, second: str) -> float:
    ours, theirs = (set(shingles(text.lower().split())) for text in (first, second))
    return len(ours & theirs) / len(ours | theirs)


def print_found(made: Source) -> None:
    print(f"\nof {PAIRS:,} altered pages each, threshold {THRESHOLD}")
    print("words altered  similarity  found   similar enough  of them found  found and less similar  error")
    of_all = list[Pair]()
    for alteration in ALTERATIONS:
        of_rate = pairs(made, alteration)
        of_all += of_rate
        print_pairs(f"{alteration:.1%}", of_rate)
    print_pairs("all", of_all)


def print_pairs(name: str, of_rate: Sequence[Pair]) -> None:
    found = [pair for pair in of_rate if pair.found is not None]
    meant = [pair for pair in of_rate if pair.similarity >= THRESHOLD]
    right = sum(pair.similarity >= THRESHOLD for pair in found)
    recall = f"{right / len(meant):.1%}" if meant else "-"
    error = f"{fmean(abs(pair.similarity - (pair.found or 0)) for pair in found):.3f}" if found else "-"
    similarity = fmean(pair.similarity for pair in of_rate)
    print(
        f"{name:>13} {similarity:11.2f} {len(found) / len(of_rate):6.1%} {len(meant):16,} {recall:>14}"
        f" {len(found) - right:23,} {error:>6}",
        flush=True,
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=100_000, metavar="N", help="for speed and memory (100000)")
    options = parser.parse_args()
    made = source()
    print(f"{options.pages:,} pages of {WORDS_OF_A_PAGE[0]} to {WORDS_OF_A_PAGE[1]:,} words, one core")
    print_costs(made, options.pages)
    print_found(made)
    return 0


if __name__ == "__main__":
    sys.exit(main())
