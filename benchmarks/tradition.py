#!/usr/bin/env python3
"""Scores every labeler that needs no training on every set of pages, and writes docs/tradition.md.

    tradition.py DATA [--pages N] [--rounds N] [--output docs/tradition.md]

Each SET of DATA holds html/ID.html and gold/ID.txt. With --pages only N pages of each set, spread over all, are taken.
"""

import argparse
import logging
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from statistics import fmean

import pandas as pd
from lxml import html

from victorpy import config, report
from victorpy.cleaner import Cleaner, load, untrained
from victorpy.digests import digest
from victorpy.evaluation import Texts, table_of_texts
from victorpy.formats.cleaneval import cleaneval
from victorpy.labelers.tradition import LABELERS
from victorpy.sources import find_pages, read_page

log = logging.getLogger("tradition")

# Beside the labelers as they are: settings that their sections in docs/labelers.md speak of, and what training gives.
SETTINGS = {"bte, tag-weight=2": ("bte", "tag-weight=2"), "density, share=0.4": ("density", "share=0.4")}
MODELS = ("web", "cleaneval")
# Gold texts that say of each passage what kind it is.
HAS_KINDS = "cleaneval"
TIMED_PAGES = 60

PAGE = """\
# The tradition, measured

Made by `python benchmarks/tradition.py DATA`; not to be edited by hand. Every [labeler](labelers.md) with its usual
options, on every set of pages that is at hand: {pages}. `everything` keeps all text: what is below it does harm.

## Words

Word F1, mean over pages, in percent ([how](evaluation.md)).

{words}
`web` and `cleaneval` are the trained models that are shipped. On pages that they have learned from they show what they
remember, and no labeler can be measured by that: [model cards](models.md) name these pages.

## Kinds

Tag F1 against CLEANEVAL's texts, in percent: is each passage where it should be, and is it a header, a list item or a
paragraph?

{tags}
## Time

Processor time from bytes to printed text, as a multiple of what `lxml.html.document_fromstring` takes for the same
bytes; best of {rounds} run(s), up to {timed} pages of each set. The row `lxml` is in milliseconds a page.

{times}
Cutting a page into blocks takes most of it: `everything` does nothing else. On small pages, such as CLEANEVAL's of
2006, fixed costs weigh more.

## Beside the originals

| method | published | here | what differs |
| --- | --- | --- | --- |
{published}

None of the published figures is of the same pages, gold texts and measure as ours: only a rough order can be read from
them. Ours are of words as multisets, in lower case and without markers, the mean of the pages' F1.

{facts}
"""

# Method, what was published of it, and what differs. Of those that the table of labelers does not have nothing is told.
PUBLISHED = (
    (
        "bte",
        "83.4 F on Gold standard",
        "other pages. Here scripts and styles are gone before tags are counted, a stretch ends where a block does, and"
        " in scripts without spaces a letter is a word",
    ),
    (
        "density",
        "81.2 F on Gold standard (WC Cleaner)",
        "other pages. Which elements are structural is our choice, and an element counts itself among them",
    ),
    ("rules", "76.2 similarity on CLEANEVAL (jusText)", "a similarity of texts, not F1 of words"),
    (
        "perplexity",
        "79.8 similarity on CLEANEVAL (PyPlexity)",
        "the same measure as that of jusText; other language models",
    ),
)


class PageSet:
    """Pages and what should be printed of them."""

    def __init__(self, folder: Path, most: int | None):
        self.name = folder.name
        pages = spread(find_pages([str(folder / "html")]), most)
        self.html = {page.id: read_page(page).data or b"" for page in pages}
        self.gold = {id: folder.joinpath("gold", f"{id}.txt").read_text("utf-8", "replace") for id in self.html}

    def scores(self, cleaner: Cleaner, figures: Sequence[str]) -> pd.DataFrame:
        texts = (Texts(id, printed(cleaner, data), self.gold[id]) for id, data in self.html.items())
        return table_of_texts(texts, figures=figures)


def spread(items: Sequence, most: int | None) -> list:
    """Not more than `most` of the items, from everywhere among them."""
    count = min(most or len(items), len(items))
    return [items[place * len(items) // count] for place in range(count)]


def printed(cleaner: Cleaner, data: bytes) -> str:
    return cleaneval(cleaner.clean(data))


def systems() -> dict[str, Cleaner]:
    untrained_ones = {name: untrained(config.labeler(name)) for name in LABELERS}
    settings = {said: untrained(config.labeler(name, words)) for said, (name, *words) in SETTINGS.items()}
    return dict(sorted((untrained_ones | settings).items())) | {name: load(name) for name in MODELS}


def figures_table(sets: Iterable[PageSet], cleaners: Mapping[str, Cleaner], figure: str) -> pd.DataFrame:
    columns = {}
    for pages in sets:
        log.info("%s: %s", pages.name, figure)
        columns[pages.name] = {
            name: 100 * pages.scores(cleaner, [figure])[figure].mean() for name, cleaner in cleaners.items()
        }
    return pd.DataFrame(columns).rename_axis("labeler")


def times_table(sets: Iterable[PageSet], cleaners: Mapping[str, Cleaner], rounds: int) -> pd.DataFrame:
    works: dict[str, Callable[[bytes], object]] = {"lxml": parsed}
    works |= {name: partial(printed, cleaner) for name, cleaner in cleaners.items()}
    columns = {}
    for pages in sets:
        log.info("%s: time", pages.name)
        taken = times(works, spread([data for data in pages.html.values() if b"<" in data], TIMED_PAGES), rounds)
        parse = taken.pop("lxml")
        columns[pages.name] = {"lxml": 1_000 * parse} | {name: seconds / parse for name, seconds in taken.items()}
    return pd.DataFrame(columns).rename_axis("labeler")


def parsed(data: bytes) -> object:
    return html.document_fromstring(data)


def times(works: Mapping[str, Callable[[bytes], object]], pages: Sequence[bytes], rounds: int) -> dict[str, float]:
    """Mean seconds a page, each at its best."""
    best = {name: [float("inf")] * len(pages) for name in works}
    for _ in range(rounds):
        for place, data in enumerate(pages):
            for name, work in works.items():
                best[name][place] = min(best[name][place], seconds(work, data))
    return {name: fmean(values) for name, values in best.items()}


def seconds(work: Callable[[bytes], object], data: bytes) -> float:
    begun = time.process_time()
    work(data)
    return time.process_time() - begun


def published(words: pd.DataFrame) -> str:
    rows = (
        f"| {name} | {theirs} | {', '.join(f'{value:.1f} {of}' for of, value in words.loc[name].items())} | {differs} |"
        for name, theirs, differs in PUBLISHED
        if name in words.index
    )
    return "\n".join(rows)


def document(sets: Sequence[PageSet], rounds: int) -> str:
    cleaners = systems()
    words = figures_table(sets, cleaners, "word_f1")
    tags = figures_table([pages for pages in sets if pages.name.startswith(HAS_KINDS)], cleaners, "tag_f1")
    data = digest(part for pages in sets for id, html in pages.html.items() for part in (id, html, pages.gold[id]))
    facts = report.facts(data=data)
    sizes = ", ".join(f"{pages.name} ({len(pages.html)})" for pages in sets)
    versions = ", ".join(f"{name} {number}" for name, number in facts["versions"].items())
    return PAGE.format(
        pages=sizes,
        words=report.render(words, "markdown"),
        tags=report.render(tags, "markdown"),
        times=report.render(times_table(sets, cleaners, rounds), "markdown"),
        rounds=rounds,
        timed=TIMED_PAGES,
        published=published(words),
        facts=f"Data {facts['data']}; {versions}.",
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--pages", type=int, metavar="N", help="of each set (all)")
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="how often each page is timed (3)")
    parser.add_argument("--output", type=Path, default=Path("docs/tradition.md"))
    options = parser.parse_args()
    logging.basicConfig(format="%(message)s", level=logging.INFO)
    folders = sorted(path for path in options.data.iterdir() if path.joinpath("gold").is_dir())
    sets = [PageSet(folder, options.pages) for folder in folders]
    options.output.write_text(document(sets, options.rounds), "utf-8")


if __name__ == "__main__":
    main()
