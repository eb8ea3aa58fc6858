#!/usr/bin/env python3
"""Scores every labeler that needs no training on every set of pages, and writes docs/tradition.md.

    train_web.py DATA --cross-validate FOLDER
    tradition.py DATA --keep KEPT [--ours FOLDER] [--pages SET=N] [--sampled-sites] [--timed SET] [--rounds N]
        [--output OUTPUT]

Each SET of DATA holds html/ID.html and gold/ID.txt, and may hold pages.tsv, with a page's site in the third column.
With --pages only N pages of a set, spread over all, are scored; what the pages of a site share is learned from all.
What was scored is kept in KEPT/SET/LABELER.csv, and not scored again. FOLDER/SET/ID.txt are what models trained without
a page's site print of it: `web` is measured by these.
"""

import argparse
import logging
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory

import pandas as pd
from lxml import html

from victorpy.annotation.alignment import project
from victorpy.annotation.gold_texts import GOLD_FORMATS
from victorpy.errors import VictorError
from victorpy.evaluation import report
from victorpy.evaluation.scoring import Texts, table_of_texts
from victorpy.foundation.digests import digest
from victorpy.labelers import Labeling, site_counts
from victorpy.labelers.filters.site_filter import SiteFilter
from victorpy.labelers.perplexity import Perplexity
from victorpy.labelers.registry import LABELERS
from victorpy.labelers.site import Site
from victorpy.labelers.site_counts import CountedSites, SiteCounter
from victorpy.models import config
from victorpy.output.formats.cleaneval import cleaneval
from victorpy.page.blocks import Page
from victorpy.page.markup import BLOCKS, Markup
from victorpy.pipeline.cleaner import Cleaner, load, untrained
from victorpy.sources import Inputs, RawPage, find_pages, read_page
from victorpy.sources.addresses import crawled

log = logging.getLogger("tradition")

# Beside the labelers as they are: settings that their sections in docs speak of, and those by the letter of a paper.
SETTINGS = {
    "bte, tag-weight=2": ("bte", "tag-weight=2"),
    "density, share=0.4": ("density", "share=0.4"),
    "fiasco, model=fiasco-letter": ("fiasco", "model=fiasco-letter"),
    "genieknows, setting=letter": ("genieknows", "setting=letter"),
    "hofmann, setting=letter": ("hofmann", "setting=letter"),
    "hofmann, by=titles": ("hofmann", "by=titles"),
    "hofmann, by=titles, setting=letter": ("hofmann", "by=titles", "setting=letter"),
    "hofmann, by=tree": ("hofmann", "by=tree"),
    "hofmann, by=tree, setting=letter": ("hofmann", "by=tree", "setting=letter"),
    "htmcleaner, setting=letter": ("htmcleaner", "setting=letter"),
    "kimatu, setting=letter": ("kimatu", "setting=letter"),
    "perplexity, by=sentence": ("perplexity", "by=sentence"),
    "stupidos, setting=letter": ("stupidos", "setting=letter"),
    "tree, by=density": ("tree", "by=density"),
}
# The document of a method, its row by the letter, and the row of what it is as is best.
PAIRS = (
    ("BTE (Finn and others 2001)", "bte", "bte, tag-weight=2"),
    ("WC Cleaner, one file (Baisa 2009)", "density", "density, share=0.4"),
    ("WC Cleaner, several files", "site, reference=median", "site, reference=alike"),
    ("BlogBuster (Petasis, Petasis 2010)", "blogbuster", "blog"),
    ("Htmcleaner (Girardi 2007)", "htmcleaner, setting=letter", "htmcleaner"),
    ("Kimatu (Saralegi, Leturia 2007)", "kimatu, setting=letter", "kimatu"),
    ("GenieKnows (Gao, Abou-Assaleh 2007)", "genieknows, setting=letter", "genieknows"),
    ("FIASCO (Bauer and others 2007)", "fiasco, model=fiasco-letter", "fiasco"),
    ("StupidOS (Evert 2007)", "stupidos, setting=letter", "stupidos"),
    ("Hofmann, Weerkamp 2007: lines", "hofmann, setting=letter", "hofmann"),
    ("Hofmann, Weerkamp 2007: tree", "hofmann, by=tree, setting=letter", "hofmann, by=tree"),
    ("Hofmann, Weerkamp 2007: titles", "hofmann, by=titles, setting=letter", "hofmann, by=titles"),
    ("Kohlschütter and others 2010: text density, words", "tree, by=density", "tree"),
    ("PyPlexity (Fernández-Pichel and others 2022)", "perplexity, by=sentence", "perplexity"),
    ("Victor (Marek and others 2007)", "cleaneval", "web"),
)
# Shown the other pages of a site in these ways; those with a filter behind them.
WAYS = ("alike", "median")
FILTERED = ("density", "rules")
WEB, OTHER_MODEL = "web", "cleaneval"
# Gold texts that say of each passage what kind it is.
HAS_KINDS = "cleaneval"
FIGURES = ("word_f1", "tag_f1")
TIMED_PAGES = 250

PAGE = """\
# The tradition, measured

Made by `benchmarks/tradition.py`; not to be edited by hand. Every [labeler](labelers.md) with its usual
options, on pages of every set that is at hand, spread over the set: {pages}. `everything` keeps all text: what is below
it does harm.

## Words

Word F1, mean over pages, in percent ([how](evaluation.md)).

{words}
{web} `cleaneval` is the shipped model, which has learned from cleaneval-dev alone. `fiasco`, `stupidos` and the tree of
`hofmann` have learned from cleaneval-dev, canola and a third of wcxb-dev.

`--site` and `site` know {known} of the set, each but itself;
where no site has several pages there is nothing to know. `--max-perplexity` is the usual one of the shipped language
model. Settings of `rules`, `site` and `--site` were chosen while looking at some of these pages
([rules](rules.md), [site](site.md#what-it-is-worth)).

## By the letter and as is best

Each method of the documents that victorpy is made from, by the letter of its document and in the setting that we
recommend. The figures are the means of the table above over all sets. For what differs, see the page of each method;
where a document gives no numbers, the row by the letter has ours. The rows name the settings to cite.

{pairs}
## Kinds

Tag F1 against CLEANEVAL's texts, in percent: is each passage where it should be, and is it a header, a list item or a
paragraph?

{tags}
## Time

Processor time from bytes to printed text, as a multiple of what `lxml.html.document_fromstring` takes for the same
bytes; best of {rounds} runs over up to {timed} of these pages, one labeler after another. The row `lxml` is in
milliseconds a page. `site` has found its references before, and `web` is the shipped one.

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
    (
        "rules",
        "76.2 similarity on CLEANEVAL (jusText)",
        "a similarity of texts, not F1 of words; other thresholds and stop words, and the language is found on each"
        " page. jusText's own package on these sets: [benchmarks](benchmarks.md)",
    ),
    (
        "perplexity",
        "79.8 similarity on CLEANEVAL (PyPlexity)",
        "the same measure as that of jusText; theirs is a model of words from a large corpus with the limit 8,000, ours"
        " the shipped one of characters, from eleven thousand characters of each language",
    ),
    (
        "site, reference=median",
        "66.1 F on Silver standard, 68.6 with -r (WC Cleaner)",
        "other pages, which are not public. The figures are of the sites of each set, and many have one page only",
    ),
    (
        "blogbuster",
        "posts 69.0 F on 416 blogs, 92.3 on Blogger, 98.2 on WordPress",
        "theirs count posts found; ours count words, also on pages that are no blogs, which `density` cleans",
    ),
    (
        "cleaneval",
        "84.1 text-only, 65.3 text and markup on CLEANEVAL's final set (Victor)",
        "half of the same pages; their measure is an edit distance of texts. See [reproduction](reproduction.md)",
    ),
    *(
        (name, "no figure in the documents that we have", "made again after a survey: [survey](survey.md)")
        for name in ("fiasco", "genieknows", "hofmann", "htmcleaner", "kimatu", "stupidos")
    ),
)


CROSS_VALIDATED = """\
`web` is cross-validated: each page was cleaned by a model that had not seen its site; filters behind it start from the
labels that its texts tell."""
SHIPPED = """\
**`web` is the shipped model, which has learned from these very sets**: its rows are of pages that it knows.
[unseen.md](unseen.md) has its figures on sets that it has not seen."""


@dataclass(frozen=True)
class Printed:
    """Gives pages the labels by which texts were printed of them."""

    folder: Path

    def labeling(self, page: Page) -> Labeling:
        text = self.folder.joinpath(f"{page.id}.txt").read_text("utf-8")
        return Labeling(project(page, GOLD_FORMATS["cleaneval"](text)).labels)


class PageSet:
    """Pages and what should be printed of them."""

    def __init__(self, folder: Path, most: int | None, *, knows_all: bool = True):
        self.name, self.folder = folder.name, folder
        self.locations = find_pages([str(folder / "html")])
        self.urls = addresses(folder / "pages.tsv")
        pages = spread(self.locations, most)
        self.known = self.locations if knows_all else pages
        self.html = {page.id: read_page(page).data or b"" for page in pages}
        self.gold = {id: folder.joinpath("gold", f"{id}.txt").read_text("utf-8", "replace") for id in self.html}

    def scores(self, cleaner: Cleaner) -> pd.DataFrame:
        figures = FIGURES if self.name.startswith(HAS_KINDS) else FIGURES[:1]
        texts = (Texts(id, self.printed(cleaner, id), self.gold[id]) for id in self.html)
        return table_of_texts(texts, figures=figures)[[*figures]]

    def printed(self, cleaner: Cleaner, id: str) -> str:
        return cleaneval(cleaner.clean(self.html[id], self.urls.get(id), id))

    def parsed(self, id: str) -> object:
        return html.document_fromstring(self.html[id])

    def cleaners(self, ours: Path | None) -> dict[str, Cleaner]:
        """All that are compared, those that know the pages of a site among them, if a site has several."""
        found = systems()
        if ours:
            found[WEB] = Cleaner(Printed(ours / self.name), found[WEB].markup)
        found["web --max-perplexity"] = found[WEB].filtered(Perplexity())
        del found["site"]
        return found | self._on_sites(found)

    def _on_sites(self, cleaners: Mapping[str, Cleaner]) -> dict[str, Cleaner]:
        found = {}
        with TemporaryDirectory() as folder:
            path = Path(folder, "site.npz")
            for markup, names in ((BLOCKS, FILTERED), (cleaners[WEB].markup, (WEB,))):
                try:
                    site_counts.save(self._counted(markup), path)
                except VictorError:
                    return {}  # no site of several pages
                found |= {f"{name} --site": cleaners[name].filtered(SiteFilter()).on_sites(path) for name in names}
        return found | {f"site, reference={way}": self._against(way) for way in WAYS}

    def _counted(self, markup: Markup) -> CountedSites:
        """What the pages of each site share, cut in this way."""
        found = crawled(Inputs(self.known), self.urls)
        return site_counts.learned((page for page in found if isinstance(page, RawPage)), SiteCounter(markup))

    def _against(self, way: str) -> Cleaner:
        options = Site(reference=way)
        return untrained(options.prepared(Inputs(self.known), self.urls))


def addresses(path: Path) -> dict[str, str]:
    """Of pages that only the site is known of."""
    if not path.exists():
        return {}
    rows = (line.split("\t") for line in path.read_text("utf-8").splitlines())
    return {id: f"http://{site}/{id}" for id, _, site, *_ in rows if site}


def spread(items: Sequence, most: int | None) -> list:
    """Not more than `most` of the items, from everywhere among them."""
    count = min(most or len(items), len(items))
    return [items[place * len(items) // count] for place in range(count)]


def systems() -> dict[str, Cleaner]:
    untrained_ones = {name: untrained(config.labeler(name)) for name in LABELERS}
    settings = {said: untrained(config.labeler(name, words)) for said, (name, *words) in SETTINGS.items()}
    return dict(sorted((untrained_ones | settings).items())) | {name: load(name) for name in (WEB, OTHER_MODEL)}


def scores(sets: Iterable[PageSet], ours: Path | None, kept: Path) -> dict[str, pd.DataFrame]:
    """A table for each figure: labeler × set, means in percent."""
    columns: dict[str, dict[str, pd.Series]] = {figure: {} for figure in FIGURES}
    for pages in sets:
        means = pd.DataFrame(
            {name: kept_scores(pages, name, cleaner, kept).mean() for name, cleaner in pages.cleaners(ours).items()}
        )
        for figure, row in means.iterrows():
            columns[str(figure)][pages.name] = 100 * row
    return {figure: pd.DataFrame(of).rename_axis("labeler").sort_index() for figure, of in columns.items()}


def kept_scores(pages: PageSet, name: str, cleaner: Cleaner, kept: Path) -> pd.DataFrame:
    path = kept / pages.name / f"{name}.csv"
    if path.exists():
        found = pd.read_csv(path, dtype={"id": str}).set_index("id")
        if list(found.index) == list(pages.html):
            return found
    log.info("%s: %s", pages.name, name)
    found = pages.scores(cleaner)
    path.parent.mkdir(parents=True, exist_ok=True)
    found.to_csv(path)
    return found


def times_table(sets: Iterable[PageSet], rounds: int) -> pd.DataFrame:
    columns = {}
    for pages in sets:
        log.info("%s: time", pages.name)
        works: dict[str, Callable[[str], object]] = {"lxml": pages.parsed}
        works |= {name: partial(pages.printed, cleaner) for name, cleaner in pages.cleaners(None).items()}
        taken = times(works, [id for id, data in pages.html.items() if b"<" in data][:TIMED_PAGES], rounds)
        parse = taken.pop("lxml")
        columns[pages.name] = {"lxml": 1_000 * parse} | {name: seconds / parse for name, seconds in taken.items()}
    return pd.DataFrame(columns).rename_axis("labeler").sort_index()


def times(works: Mapping[str, Callable[[str], object]], pages: Sequence[str], rounds: int) -> dict[str, float]:
    """Mean seconds a page, each at its best; one after another, so that each finds its own in the cache."""
    best = {name: [float("inf")] * len(pages) for name in works}
    for _ in range(rounds):
        for name, work in works.items():
            for place, id in enumerate(pages):
                best[name][place] = min(best[name][place], seconds(work, id))
    return {name: fmean(values) for name, values in best.items()}


def seconds(work: Callable[[str], object], id: str) -> float:
    begun = time.process_time()
    work(id)
    return time.process_time() - begun


def pairs(words: pd.DataFrame) -> str:
    """A row for each method, by the letter and as is best: means over the sets that both rows have."""
    lines = ["| method | by the letter | F1 | as is best | F1 |", "| --- | --- | ---: | --- | ---: |"]
    for method, letter, best in PAIRS:
        if letter in words.index and best in words.index:
            both = words.loc[[letter, best]].dropna(axis="columns").mean(axis="columns")
            lines.append(f"| {method} | {letter} | {both[letter]:.1f} | {best} | {both[best]:.1f} |")
    return "\n".join(lines)


def published(words: pd.DataFrame) -> str:
    rows = (
        f"| {name} | {theirs} | {', '.join(f'{value:.1f} {of}' for of, value in words.loc[name].items())} | {differs} |"
        for name, theirs, differs in PUBLISHED
        if name in words.index
    )
    return "\n".join(rows)


def document(sets: Sequence[PageSet], options: argparse.Namespace) -> str:
    figures = scores(sets, options.ours, options.keep)
    data = digest(part for pages in sets for id, html in pages.html.items() for part in (id, html, pages.gold[id]))
    facts = report.facts(data=data)
    versions = ", ".join(f"{name} {number}" for name, number in facts["versions"].items())
    timed = [pages for pages in sets if pages.name in (options.timed or pages.name)]
    return PAGE.format(
        pages=", ".join(f"{pages.name} ({len(pages.html)} of {len(pages.locations)})" for pages in sets),
        words=report.render(figures["word_f1"], "markdown"),
        known="the pages above" if options.sampled_sites else "all pages",
        web=CROSS_VALIDATED if options.ours else SHIPPED,
        pairs=pairs(figures["word_f1"]),
        tags=report.render(figures["tag_f1"].dropna(how="all"), "markdown"),
        times=report.render(times_table(timed, options.rounds), "markdown"),
        rounds=options.rounds,
        timed=TIMED_PAGES,
        published=published(figures["word_f1"]),
        facts=f"Data {facts['data']}; {versions}.",
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--keep", type=Path, required=True, metavar="KEPT", help="where scores are kept")
    parser.add_argument("--ours", type=Path, metavar="FOLDER", help="texts of web, cross-validated (the shipped web)")
    parser.add_argument("--pages", action="append", default=[], metavar="SET=N", help="how many pages of a set (all)")
    parser.add_argument(
        "--sampled-sites", action="store_true", help="learn what sites share from the scored pages alone"
    )
    parser.add_argument("--timed", action="append", metavar="SET", help="sets to measure time on (all)")
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="how often each page is timed (3)")
    parser.add_argument("--output", type=Path, default=Path("docs/tradition.md"))
    options = parser.parse_args()
    logging.basicConfig(format="%(message)s", level=logging.INFO)
    # What a labeler has to say of single pages would drown the progress.
    logging.getLogger("victorpy").setLevel(logging.ERROR)
    folders = sorted(path for path in options.data.iterdir() if path.joinpath("gold").is_dir())
    most = {name: int(number) for name, _, number in (word.partition("=") for word in options.pages)}
    knows_all = not options.sampled_sites
    sets = [PageSet(folder, most.get(folder.name), knows_all=knows_all) for folder in folders]
    options.output.write_text(document(sets, options), "utf-8")


if __name__ == "__main__":
    main()
