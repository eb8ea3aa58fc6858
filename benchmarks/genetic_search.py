#!/usr/bin/env python3
"""Evolves regular expressions that find the content of pages: an experiment of Hofmann and Weerkamp (2007).

    genetic_search.py SET [--pages N] [--population N] [--generations N] [--seed N]

SET holds html/ID.html and gold/ID.txt. A candidate is a tree: nodes of parts to keep and parts to remove, alternatives,
and simple expressions in the leaves. It gets 2 points for each word of the gold text that it keeps, and loses 1 for
each other word. One half of the pages evolves the candidates, and the other half measures them.
"""

import argparse
import random
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from statistics import fmean

from victorpy.page.plain_text import MARKERS

# Possessive, so that no expression takes more than linear time for each place where it begins.
TAGS = "p div td tr li ul a h1 h2 h3 b font script style select form"
LEAVES = (
    *(rf"<{tag}\b[^>]*+>(?:(?!</?{tag}\b).)*+</{tag}>" for tag in TAGS.split()),
    *(r"<!--(?:(?!-->).)*+-->", r"[^<>|]{40,}+", r"[^<>|]{100,}+", r"[^<>]*+[.!?]\s*+<", r"<[^>]*+>", r"[^<>]++"),
)
TAG, WORD = re.compile(r"<[^>]*+>?"), re.compile(r"\w+")
LONGEST_PAGE, MOST_ALTERNATIVES = 60_000, 5


@dataclass(frozen=True)
class Candidate:
    """The alternatives of what is kept, and of what is removed before."""

    kept: tuple[str, ...]
    removed: tuple[str, ...]

    def words(self, html: str) -> Counter[str]:
        html = _expression(self.removed).sub(" ", html) if self.removed else html
        parts = (match[0] for match in _expression(self.kept).finditer(html))
        return Counter(WORD.findall(TAG.sub(" ", " ".join(parts)).lower()))


@cache
def _expression(alternatives: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(alternatives), re.DOTALL | re.IGNORECASE)


Page = tuple[str, Counter[str]]


def points(candidate: Candidate, pages: Sequence[Page]) -> float:
    """The mean of the points of the pages, where all that a page can give is 1."""
    scores = []
    for html, gold in pages:
        found = candidate.words(html)
        right = (found & gold).total()
        scores.append((2 * right - (found.total() - right)) / max(2 * gold.total(), 1))
    return fmean(scores)


def word_f1(candidate: Candidate, pages: Sequence[Page]) -> float:
    scores = []
    for html, gold in pages:
        found = candidate.words(html)
        scores.append(2 * (found & gold).total() / max(found.total() + gold.total(), 1))
    return 100 * fmean(scores)


def made(chance: random.Random) -> Candidate:
    return Candidate(
        tuple(chance.sample(LEAVES, chance.randint(1, 3))), tuple(chance.sample(LEAVES, chance.randint(0, 3)))
    )


def crossed(one: Candidate, other: Candidate, chance: random.Random) -> Candidate:
    """Some alternatives of both parents."""
    pairs = ((one.kept, other.kept), (one.removed, other.removed))
    kept, removed = (
        tuple(dict.fromkeys(leaf for leaf in (*left, *right) if chance.random() < 0.6))[:MOST_ALTERNATIVES]
        for left, right in pairs
    )
    return Candidate(kept or one.kept, removed)


def mutated(candidate: Candidate, chance: random.Random) -> Candidate:
    """One alternative more, or one less."""
    name = chance.choice(["kept", "removed"])
    leaves = [*getattr(candidate, name)]
    if leaves and chance.random() < 0.5:
        leaves.remove(chance.choice(leaves))
    elif len(leaves) < MOST_ALTERNATIVES:
        leaves.append(chance.choice(LEAVES))
    changed = replace(candidate, **{name: tuple(dict.fromkeys(leaves))})
    return changed if changed.kept else candidate


def evolved(pages: Sequence[Page], population: int, generations: int, chance: random.Random) -> Candidate:
    candidates = [made(chance) for _ in range(population)]
    known: dict[Candidate, float] = {}
    for generation in range(generations + 1):
        known |= {candidate: points(candidate, pages) for candidate in candidates if candidate not in known}
        best = sorted({*candidates}, key=lambda candidate: (-known[candidate], repr(candidate)))[: population // 3]
        print(f"generation {generation}: {known[best[0]]:.3f}", flush=True)
        children = (crossed(*chance.choices(best, k=2), chance) for _ in range(population - len(best)))
        candidates = [*best, *(mutated(child, chance) if chance.random() < 0.5 else child for child in children)]
    return best[0]


def pages_of(folder: Path, most: int) -> list[Page]:
    found = []
    for path in sorted(folder.joinpath("gold").glob("*.txt"))[:most]:
        gold = MARKERS.sub(" ", re.sub(r"^\s*URL.*$", "", path.read_text("utf-8", "replace"), flags=re.MULTILINE))
        html = folder.joinpath("html", f"{path.stem}.html").read_text("utf-8", "replace")
        found.append((html[:LONGEST_PAGE], Counter(WORD.findall(gold.lower()))))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("set", type=Path)
    parser.add_argument("--pages", type=int, default=40, metavar="N")
    parser.add_argument("--population", type=int, default=24, metavar="N")
    parser.add_argument("--generations", type=int, default=12, metavar="N")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    options = parser.parse_args()
    pages = pages_of(options.set, options.pages)
    best = evolved(pages[::2], options.population, options.generations, random.Random(options.seed))
    for title, leaves in (("kept", best.kept), ("removed", best.removed)):
        print(f"{title}: {'  |  '.join(leaves)}")
    print(f"word F1: {word_f1(best, pages[::2]):.1f} on its own pages, {word_f1(best, pages[1::2]):.1f} on the others")
    everything = Candidate((r"[^<>]++",), ())
    print(f"all text: {word_f1(everything, pages[::2]):.1f}, {word_f1(everything, pages[1::2]):.1f}")


if __name__ == "__main__":
    main()
