#!/usr/bin/env python3
"""Compare `web`, cross-validated by site, with other cleaners on all data sets, and write the page of results.

    train_web.py DATA --cross-validate FOLDER
    quality.py DATA --peers PEERS.py --keep KEPT --speed
    quality.py DATA --peers PEERS.py --keep KEPT --ours FOLDER/right [--output docs/benchmarks.md] [--card models/web]

The second measures speed and memory, which wants a quiet machine, and keeps them in KEPT/speed.json. The third cleans
with the peers what is not in KEPT/SET/TOOL/ID.txt yet, writes the page and its plots, and puts our scores into the
model's card. PEERS.py is described in measures.py.
"""

import argparse
import json
import logging
import platform
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import measures
import pandas as pd
from measures import FLOOR, OURS, PEERS
from training_sets import FOLDS, SETS, Entry, entries

from victorpy.errors import UsageError
from victorpy.evaluation import plots
from victorpy.evaluation.comparison import WinCounts, compare
from victorpy.evaluation.scoring import Texts, summary, table_of_texts
from victorpy.foundation.digests import versions
from victorpy.foundation.files import read_text, write_text
from victorpy.models.model_folder import load, write_scores

log = logging.getLogger("victorpy")

TOOLS = (OURS, *PEERS)
PACKAGES = ("trafilatura", "jusText", "readability-lxml", "resiliparse", "boilerpy3")
# In the order of the page. The gold texts of the first of MARKED have markers of segments, which people set.
SHOWN = tuple(part.name for part in SETS)
MARKED = "cleaneval-final-a"
OF_MARKED = ("seq_f1", "tag_f1", "text_f1")
KINDS = {
    "wcxb-dev": "kind of page",
    "daniel-a": "language",
    "forums-a": "language",
    "chaos-a": "year",
    "nine-sites-a": "year",
}
SPEED_SET, SPEED_FILE = "wcxb-dev", "speed.json"
NONE = "–"
CROSS_VALIDATED = "cross-validated by site"

# The figures of all pages of a set, a table for each tool.
Tables = Mapping[str, pd.DataFrame]
Row = tuple[str, ...]

PAGE = """\
# Benchmarks

`web` beside the cleaners that people use now, on {pages} pages of {sets} sets, as `benchmarks/quality.py` writes it.

## Words

Word F1, mean over the pages of a set, in percent, and between which figures it is with a confidence of 95 percent:

{words}
![Word F1 of every tool on every set, with intervals](benchmarks-quality.svg)

Against the peer that is best on the set, page by page:

{differences}
Precision and recall of the same words:

{shares}
## Order and markers

`cleaneval-final-a` has gold texts in which people set the markers `<p>`, `<h>` and `<l>`. seqF aligns words and
markers in order, textF words alone, tagF markers alone; the peers print none, which costs them some of seqF as well.

{marked}
## By kind of page, language and year

The best peer is the best for the kind, so that it is not always the same one.

{kinds}
## Pages without content

Where the gold text is empty, a page counts 100 if nothing is printed, and 0 if anything is. Of such pages there are
left empty:

{empty}
## Speed and memory

{speed}
## What is compared

- **The measure.** Words are `\\w+`, lower case, as multisets, their order ignored; F1 of a page, and then the mean
  over the pages of a set ([`word_f1`](evaluation.md)). Markers and the line `URL:` do not count. All pages of every
  set count, none is left out: a page that a tool fails on has printed nothing. Of Chinese a `\\w+` is what stands
  between two marks of punctuation, so that there the figure is of clauses that come out whole.
- **Ours.** The sets that measure are those that `web` has learned from. Therefore what is scored here is not the
  shipped model: for each of {folds} folds a network learned from the sites of the others alone, and cleaned its pages
  (`benchmarks/train_web.py --cross-validate`). A site is in one fold, whatever sets its pages are in. The shipped
  model has learned from all of them by the same config, and should be no worse on pages that are new to all. It is
  not so on yours if they are unlike all of these: see [sets that were left out](unseen.md). The peers have not
  learned from these sets, or not that we know. Each set is cleaned in the [scope](keep-more-or-less.md#scope) of its
  gold texts.
- **Guidelines.** The sets do not agree on what is content (comments, dates, captions, teasers), and ours has seen, of
  other sites, what each of them wants; the peers have not. This is a part of the distance.
- **The peers** have their usual settings: trafilatura without comments; jusText with its English stop words in all
  languages, because pages do not say theirs, so that its figures on `daniel-a` are of no worth; readability the text
  of its summary; resiliparse `main_content`; boilerpy3 its default extractor. Readability and boilerpy3 are given
  text, decoded as UTF-8, and the others bytes; {legacy}.
- **Gold texts.** `wcxb-dev`: WCXB's development split. `cleaneval-dev`, `cleaneval-final-a`: CLEANEVAL 2007,
  development set and half of the final set. `canola`: KrdWrd's Canola. `google-news`: L3S-GN1. `dragnet-a`: Dragnet's
  training data. `chaos-a`, `nine-sites-a`: ir-research-data. `fundus-a`: Fundus. `zh-news-a`: news of seven Chinese
  sites. `daniel-a`: the DAnIEL corpus, annotated anew. `portals-a`: CleanPortalEval, two sites. `forums-a`: Harvest.
- **Intervals** are of {samples} bootstrap samples of pages. Pages of one site are alike, and are drawn as if they
  were not: where a set has few sites, above all `portals-a`, the intervals are too narrow. p is that of the paired
  bootstrap, two-sided, and of Wilcoxon's signed-rank test ([comparing](comparing.md)); neither is adjusted for the
  number of sets.

## Known weak spots

- Pages of products, collections, listings and forums: see the table by kind. What of them is content is less clear
  than of an article, and there are fewer to learn from.
- Pages without content, which often come out with a few lines of something.
- Short articles with long comments: too much is kept. `--scope article`, `--bias precision` or a
  `--threshold` keeps less.

## How to run it again

The data sets are not part of the project. With them in DATA, and the peers beside victorpy:

    pip install trafilatura justext readability-lxml resiliparse boilerpy3 '.[network,plots]'
    python benchmarks/train_web.py DATA --cross-validate texts/
    python benchmarks/quality.py DATA --peers PEERS.py --keep kept/ --speed
    python benchmarks/quality.py DATA --peers PEERS.py --keep kept/ --ours texts/right --card models/web

`PEERS.py` is a script that runs the peers; `benchmarks/measures.py` says what it has to do. Versions: {versions}.
"""

SPEED = """\
Milliseconds a page, all in one process over the first {timed} pages of `{set}` (fastest of {runs} runs); the most
memory that a process of its own held over {held} of them, with Python and the tool itself. {machine}.

{table}
![Mean word F1 over the sets, against milliseconds a page](benchmarks-speed.svg)
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--peers", type=Path, required=True, metavar="PEERS.py")
    parser.add_argument("--keep", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--ours", type=Path, metavar="FOLDER", help="with SET/ID.txt")
    parser.add_argument("--output", type=Path, default=Path("docs/benchmarks.md"))
    parser.add_argument("--card", type=Path, metavar="MODEL", help="the folder of the model whose card gets the scores")
    parser.add_argument("--speed", action="store_true", help="only measure speed and memory")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    logging.basicConfig(format="%(message)s", level=logging.WARNING)
    log.setLevel(logging.INFO)
    if options.speed:
        found = measures.costs(options.peers, options.data / SPEED_SET / "html")
        write_text(
            options.keep / SPEED_FILE,
            json.dumps({"machine": f"{machine()}; `web` with weights {weights()}", "tools": found}, indent=1) + "\n",
        )
    elif options.ours is None:
        parser.error("--ours or --speed is wanted")
    else:
        for name in SHOWN:
            measures.clean(options.peers, options.data / name / "html", options.keep / name)
        results = Results.of(options.data, options.ours, options.keep, options.jobs)
        write(results, options.output)
        if options.card:
            others = load(str(options.card)).card.scores.items()
            kept = {name: score for name, score in others if CROSS_VALIDATED not in name}
            write_scores(options.card, dict(card_scores(results)) | kept)


def machine() -> str:
    found = [line for line in read_text(Path("/proc/cpuinfo")).splitlines() if line.startswith("model name")]
    return f"{found[0].partition(':')[2].strip() if found else platform.machine()}, Python {platform.python_version()}"


def weights() -> str:
    """Which model was measured, whatever its card says of it by now."""
    return load(OURS).card.weights[:12]


@dataclass(frozen=True)
class Results:
    """All figures of all pages, by set and tool; speed and memory, if measured; how many pages are no UTF-8."""

    tables: Mapping[str, Tables]
    costs: Mapping[str, Mapping[str, float]]
    machine: str
    legacy: Mapping[str, int]

    @classmethod
    def of(cls, data: Path, ours: Path, kept: Path, jobs: int) -> "Results":
        tables = {name: set_tables(data, name, ours, kept, jobs) for name in SHOWN}
        speed = kept / SPEED_FILE
        measured = json.loads(read_text(speed)) if speed.exists() else {"tools": {}, "machine": ""}
        legacy = {name: sum(map(is_legacy, (data / name / "html").glob("*.html"))) for name in SHOWN}
        return cls(tables, measured["tools"], measured["machine"], legacy)


def is_legacy(path: Path) -> bool:
    try:
        path.read_bytes().decode()
    except UnicodeDecodeError:
        return True
    return False


def set_tables(data: Path, name: str, ours: Path, kept: Path, jobs: int) -> dict[str, pd.DataFrame]:
    (part,) = (part for part in SETS if part.name == name)
    pages = entries(data, part)
    figures = OF_MARKED if name == MARKED else ()
    folders = {OURS: ours / name, **{tool: kept / name / tool for tool in PEERS}}
    log.info("%s: %d pages", name, len(pages))
    return {
        tool: table_of_texts(texts(pages, folder, data / name / "gold"), jobs, figures)
        for tool, folder in folders.items()
    }


def texts(pages: Sequence[Entry], printed: Path, gold: Path) -> list[Texts]:
    missing = [page.id for page in pages if not (printed / f"{page.id}.txt").exists()]
    if len(missing) == len(pages):
        raise UsageError("none of the texts of this set is there", printed)
    if missing:
        log.warning("%s: %d texts are not there, taken for empty: %s …", printed, len(missing), missing[0])
    return [Texts(page.id, text_of(printed, page.id), text_of(gold, page.id), page.kind, page.site) for page in pages]


def text_of(folder: Path, id: str) -> str:
    path = folder / f"{id}.txt"
    return path.read_text("utf-8", errors="replace") if path.exists() else ""


# The page


def write(results: Results, output: Path) -> None:
    name = output.with_suffix("").name
    plots.save(plots.systems(system_means(results), "word F1"), output.with_name(f"{name}-quality.svg"))
    if results.costs:
        plots.save(plots.tradeoff(tradeoff(results), "word F1"), output.with_name(f"{name}-speed.svg"))
    write_text(output, page(results).replace("](benchmarks-", f"]({name}-"))


def page(results: Results) -> str:
    return PAGE.format(
        pages=f"{sum(len(tables[OURS]) for tables in results.tables.values()):,}",
        sets=len(results.tables),
        words=markdown(word_rows(results), ("set", "pages", *TOOLS)),
        differences=markdown(difference_rows(results), ("set", *DIFFERENCE_COLUMNS)),
        shares=markdown(share_rows(results), ("set", *TOOLS)),
        marked=markdown(marked_rows(results.tables[MARKED]), ("tool", "seqF", "tagF", "textF")),
        kinds="\n".join(
            markdown(kind_rows(results.tables[name]), (f"{name}: {kind}", "pages", *DIFFERENCE_COLUMNS[:-2]))
            for name, kind in KINDS.items()
        ),
        empty=markdown(empty_rows(results), ("set", "pages", *TOOLS)),
        speed=speed(results),
        folds=FOLDS,
        legacy=legacy(results.legacy),
        samples="1,000 (means) and 10,000 (differences)",
        versions=", ".join(f"{name} {number}" for name, number in all_versions().items()),
    )


def all_versions() -> dict[str, str]:
    return versions() | {name: version(name) for name in PACKAGES}


def legacy(counts: Mapping[str, int]) -> str:
    named = [f"{count} of `{name}`" for name, count in counts.items() if count]
    return f"pages that are no UTF-8: {', '.join(named)}" if named else "all pages are UTF-8"


def interval(table: pd.DataFrame, figure: str = "word_f1") -> str:
    found = summary(table).loc[figure]
    return f"{percent(found['mean'])} ({percent(found['low'])} to {percent(found['high'])})"


def percent(share: float) -> str:
    return NONE if pd.isna(share) else f"{100 * share:.1f}"


def mean(table: pd.DataFrame, figure: str = "word_f1") -> float:
    return float(table[figure].mean())


def word_rows(results: Results) -> Iterator[Row]:
    for name, tables in results.tables.items():
        best = max(tables, key=lambda tool: mean(tables[tool]))
        cells = {tool: interval(table) for tool, table in tables.items()}
        cells[best] = f"**{cells[best]}**"
        yield (name, str(len(tables[OURS])), *(cells[tool] for tool in TOOLS))


def best_peer(tables: Tables) -> str:
    return max(PEERS, key=lambda tool: mean(tables[tool]))


DIFFERENCE_COLUMNS = ("web", "best peer", "its", "difference", "p", "p (Wilcoxon)", "better, worse, same")


def difference_rows(results: Results) -> Iterator[Row]:
    for name, tables in results.tables.items():
        yield (name, *difference(tables))


def difference(tables: Tables) -> Row:
    """Ours against the best peer, page by page."""
    peer = best_peer(tables)
    found = compare({peer: tables[peer], OURS: tables[OURS]}, "word_f1").loc[OURS]
    low, high = (f"{100 * found[side]:+.1f}" for side in ("low", "high"))
    return (
        percent(mean(tables[OURS])),
        peer,
        percent(mean(tables[peer])),
        f"{100 * found['difference']:+.1f} ({low} to {high})",
        chance(found["bootstrap_p"]),
        chance(found["wilcoxon_p"]),
        ", ".join(f"{found[name]:.0f}" for name in WinCounts._fields),
    )


def chance(p: float) -> str:
    return NONE if pd.isna(p) else "<0.001" if p < 0.001 else f"{p:.3f}"


def share_rows(results: Results) -> Iterator[Row]:
    for name, tables in results.tables.items():
        shares = (
            f"{percent(mean(tables[tool], 'word_precision'))}, {percent(mean(tables[tool], 'word_recall'))}"
            for tool in TOOLS
        )
        yield (name, *shares)


def marked_rows(tables: Tables) -> Iterator[Row]:
    for tool in TOOLS:
        seq, tag, text = (interval(tables[tool], figure) for figure in OF_MARKED)
        yield (tool, seq, tag if tool == OURS else NONE, text)


def kind_rows(tables: Tables) -> Iterator[Row]:
    for kind, part in parts(tables).items():
        yield (kind, str(len(part[OURS])), *difference(part)[:-2])


def parts(tables: Tables) -> dict[str, Tables]:
    """The same tables of each kind of page."""
    kinds = sorted(tables[OURS]["kind"].unique())
    return {kind: {tool: table[table["kind"] == kind] for tool, table in tables.items()} for kind in kinds}


def empty_rows(results: Results) -> Iterator[Row]:
    for name, tables in results.tables.items():
        of_empty = {tool: table[table["gold_words"] == 0] for tool, table in tables.items()}
        if len(of_empty[OURS]):
            left = (str((of_empty[tool]["printed_words"] == 0).sum()) for tool in TOOLS)
            yield (name, str(len(of_empty[OURS])), *left)


def speed(results: Results) -> str:
    if not results.costs:
        return "Not measured: run `benchmarks/quality.py --speed`.\n"
    return SPEED.format(
        timed=measures.TIMED_PAGES,
        held=measures.HELD_PAGES,
        runs=measures.RUNS,
        set=SPEED_SET,
        machine=results.machine,
        table=markdown(cost_rows(results.costs), ("tool", "mean", "median", f"times {FLOOR} (mean)", "peak MB")),
    )


def cost_rows(costs: Mapping[str, Mapping[str, float]]) -> Iterator[Row]:
    floor = costs[FLOOR]["mean_ms"]
    for tool, cost in sorted(costs.items(), key=lambda item: item[1]["mean_ms"]):
        figures = (f"{cost['mean_ms']:.2f}", f"{cost['median_ms']:.2f}", f"{cost['mean_ms'] / floor:.1f}")
        yield (tool, *figures, f"{cost['peak_mb']:.0f}")


def system_means(results: Results) -> pd.DataFrame:
    """Mean and interval of each set and tool."""
    rows = {
        (name, tool): summary(tables[tool]).loc["word_f1", ["mean", "low", "high"]]
        for name, tables in results.tables.items()
        for tool in TOOLS
    }
    return pd.DataFrame(rows).T.astype(float)


def tradeoff(results: Results) -> pd.DataFrame:
    """Of each tool the mean over the sets, which all count alike, and its milliseconds a page."""
    means = system_means(results)["mean"].unstack(0).mean(axis=1)
    milliseconds = pd.Series({tool: results.costs[tool]["mean_ms"] for tool in TOOLS})
    return pd.DataFrame({"mean": means, "ms": milliseconds}).loc[list(TOOLS)]


def markdown(rows: Iterator[Row], columns: Sequence[str]) -> str:
    lines = [tuple(columns), ("---", *["---:"] * (len(columns) - 1)), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


# The card


def card_scores(results: Results) -> Iterator[tuple[str, float]]:
    """Of every set, its untouched pages, its kinds or languages: all of them cross-validated."""
    for name, tables in results.tables.items():
        ours = tables[OURS]
        yield score(name, "word F1", ours, "word_f1")
        if name == MARKED:
            yield score(name, "seq F1", ours, "seq_f1")
            yield score(name, "tag F1", ours, "tag_f1")
        for kind, part in parts(tables).items() if name in KINDS else ():
            yield score(f"{name}, {kind}", "word F1", part[OURS], "word_f1")


def score(pages: str, named: str, table: pd.DataFrame, figure: str) -> tuple[str, float]:
    return f"{pages}, {named} ({CROSS_VALIDATED})", round(100 * mean(table, figure), 2)


if __name__ == "__main__":
    main()
