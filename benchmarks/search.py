#!/usr/bin/env python3
"""What dropping improbable sentences does to search, on pages of our own (Fernández-Pichel et al. 2022, section 5.1).

    pip install bm25s
    search.py [--language-model NAME --limits N,N,…] [--labelers NAME,NAME,…] [--pages FOLDER]

The pages are the English ones of annotations/written. search_queries.tsv holds queries of our own and the pages that
answer them: 2 the page that was looked for, 1 a page that helps. The texts of each system are searched with BM25.
Prints a Markdown table; `p` is that of Wilcoxon's test of the average precisions against all text.
"""

import argparse
import csv
import time
from collections.abc import Iterable, Mapping, Sequence
from math import log2
from pathlib import Path
from statistics import fmean

import bm25s
from scipy.stats import wilcoxon

import victorpy

HOME = Path(__file__).parent
PAGES = HOME.parent / "annotations" / "written"
QUERIES = HOME / "search_queries.tsv"
LIMITS = (1_000.0, 2_000.0, 4_000.0, 6_000.0, 8_000.0, 10_000.0, 12_000.0, 14_000.0)
HEAD = ("text", "P@1", "P@5", "AP", "NDCG@10", "p", "kB of text", "saved", "words in the index", "s")

# The grade of each page that answers a query.
Grades = Mapping[str, int]


def main() -> None:
    options = arguments()
    pages = {path.stem.removesuffix("-en"): path.read_bytes() for path in sorted(options.pages.glob("*-en.html"))}
    queries = queries_of(QUERIES)
    check(queries, pages)
    systems = {"all": victorpy.labeler("everything")}
    systems |= {
        f"{options.language_model} ≤ {limit:g}": victorpy.labeler(
            "perplexity", language_model=options.language_model, max_perplexity=limit, by="sentence"
        )
        for limit in options.limits
    }
    systems |= {name: victorpy.load(name) for name in options.labelers}
    print(f"| {' | '.join(HEAD)} |\n| --- |{' ---: |' * (len(HEAD) - 1)}")
    first: tuple[list[float], int] | None = None
    for name, cleaner in systems.items():
        begin = time.process_time()
        texts = {id: cleaner.clean(html).text for id, html in pages.items()}
        seconds = time.process_time() - begin
        rankings, words = ranked(texts, list(queries))
        precisions = [average_precision(ranking, queries[query]) for query, ranking in rankings.items()]
        size = sum(len(text.encode()) for text in texts.values())
        first = first or (precisions, size)
        found = figures(rankings, queries)
        shown = (*(f"{figure:.3f}" for figure in found), probability(precisions, first[0]))
        saved = f"{1 - size / first[1]:.0%}"
        print(f"| {name} | {' | '.join(shown)} | {size / 1000:.0f} | {saved} | {words:,} | {seconds:.1f} |", flush=True)


def queries_of(path: Path) -> dict[str, Grades]:
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t")
        pairs = {row["query"]: [pair.split("=") for pair in row["pages"].split()] for row in rows}
    return {query: {page: int(grade) for page, grade in grades} for query, grades in pairs.items()}


def check(queries: Mapping[str, Grades], pages: Mapping[str, bytes]) -> None:
    missing = {page for grades in queries.values() for page in grades} - pages.keys()
    if missing:
        raise SystemExit(f"{QUERIES}: no such page: {', '.join(sorted(missing))}")


def ranked(texts: Mapping[str, str], queries: Sequence[str]) -> tuple[dict[str, list[str]], int]:
    """All pages for each query, the best first; and how many pairs of a word and a page the index holds."""
    names = list(texts)
    tokens = bm25s.tokenize(list(texts.values()), stopwords="en", show_progress=False)
    index = bm25s.BM25()
    index.index(tokens, show_progress=False)
    wanted = bm25s.tokenize(list(queries), stopwords="en", show_progress=False)
    places, _ = index.retrieve(wanted, k=len(names), show_progress=False)
    rankings = {query: [names[place] for place in row] for query, row in zip(queries, places.tolist(), strict=True)}
    return rankings, len(index.scores["data"])


def figures(rankings: Mapping[str, Sequence[str]], queries: Mapping[str, Grades]) -> tuple[float, ...]:
    pairs = [(ranking, queries[query]) for query, ranking in rankings.items()]
    return (
        fmean(precision_at(ranking, grades, 1) for ranking, grades in pairs),
        fmean(precision_at(ranking, grades, 5) for ranking, grades in pairs),
        fmean(average_precision(ranking, grades) for ranking, grades in pairs),
        fmean(gain_at(ranking, grades, 10) for ranking, grades in pairs),
    )


def precision_at(ranking: Sequence[str], grades: Grades, n: int) -> float:
    """Equation 3."""
    return sum(page in grades for page in ranking[:n]) / n


def average_precision(ranking: Sequence[str], grades: Grades) -> float:
    """Equation 4, over the whole ranking."""
    places = [place for place, page in enumerate(ranking, 1) if page in grades]
    return sum(precision_at(ranking, grades, place) for place in places) / len(grades)


def gain_at(ranking: Sequence[str], grades: Grades, n: int) -> float:
    """Equations 5 and 6: the discounted gain as a share of the best one."""
    found = discounted(grades.get(page, 0) for page in ranking[:n])
    return found / discounted(sorted(grades.values(), reverse=True)[:n])


def discounted(grades: Iterable[int]) -> float:
    return sum((2**grade - 1) / log2(place + 1) for place, grade in enumerate(grades, 1))


def probability(ours: Sequence[float], theirs: Sequence[float]) -> str:
    """Wilcoxon's, with two digits; empty where nothing differs."""
    return "" if list(ours) == list(theirs) else f"{wilcoxon(ours, theirs).pvalue:.2f}"


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--language-model", default="udhr", metavar="NAME")
    parser.add_argument("--limits", type=_numbers, default=LIMITS, metavar="N,N")
    parser.add_argument("--labelers", type=_names, default=("bte", "rules", "cleaneval"), metavar="NAME,NAME")
    parser.add_argument("--pages", type=Path, default=PAGES, metavar="FOLDER")
    return parser.parse_args()


def _numbers(words: str) -> tuple[float, ...]:
    return tuple(map(float, words.split(",")))


def _names(words: str) -> tuple[str, ...]:
    return tuple(words.split(","))


if __name__ == "__main__":
    main()
