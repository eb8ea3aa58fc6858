#!/usr/bin/env python3
"""Compare `web` on sets that it has not learned from with other cleaners, and write the page of results.

    train_web.py DATA --leave-set-out FOLDER
    left_out.py DATA --ours FOLDER --keep KEPT [--before TABLE] [--curve SHARE=FOLDER …] [--oracle FOLDER]
                [--output docs/unseen.md] [--card models/web]

KEPT/SET/TOOL/ID.txt has the texts of the peers, as quality.py keeps them. --before has the word F1 of an earlier
version (left_out_0.1.tsv: a set and its mean in each line), --curve the texts of networks that learned from a share of
the pages (train_web.py --share; without, the page keeps what it says of them), and --oracle those that labels can give
(oracle.py --keep). The scores of the left-out sets go into the card. It prints the calibration of the confidence by all
sets, for configs/web.yaml; on the page, each family has that of the others.
"""

import argparse
import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isnan
from pathlib import Path
from statistics import fmean

import pandas as pd
from calibrating import calibrated_apart, fitted
from measures import PEERS
from quality import Row, markdown, percent, texts
from train_web import CONFIDENCES, NAMELESS
from training_sets import SETS, Set, entries, families

from victorpy.evaluation import plots
from victorpy.evaluation.scoring import table_of_texts
from victorpy.foundation.files import write_text
from victorpy.models.model_folder import load, write_scores

VERSIONS = ("right", "auto")
# A score in the card for each version.
IN_CARD = {"right": "left out, right scope", "auto": "left out, scope auto"}

PAGE = """\
# Pages that nobody has seen

Users clean pages of sites, years, languages and kinds that no model has learned from, and each has a guideline of their
own. So `web` is judged by sets that were left out whole: for each family of sets in turn, a network learns from all
other sets and from our own pages, and cleans the left-out pages (`benchmarks/train_web.py --leave-set-out`). All
choices of features, scopes, pages and options were made by the mean over left-out sets. The two sets of CLEANEVAL are
one family.

## Against other cleaners

Word F1, mean over the pages of a set, in percent. `web` is asked for the scope of the set's gold texts, or for nothing
(`auto`). `before` is version 0.1's config and sets, the set left out as well, as it was measured when it was the
newest. The best of each row is bold.

{words}
Behind the best other cleaner of the set, in the right scope: {behind}; in `auto`: {behind_in_auto}.
Where a set is the only one of its scope (`wcxb-dev`: `page`), only our own pages show that scope.

Precision and recall:

{shares}
## By kind, language and year

{kinds}
## Without names

The same networks on the same pages, all class, id, itemprop, rel, aria-label and data attributes removed:

{nameless}
{limits}## Is the confidence right?

`confidence` is the F1 that the model expects of its text: its probabilities promise too much of unseen pages, so the
promise is calibrated by the pages of left-out sets, here of each family by those of the others. Below, pages of
left-out sets (right scope) by their confidence, a tenth of them in each row, and the word F1 that they have.

{reliability}
![Expected and real F1 of pages of left-out sets](unseen-confidence.svg)

Without the doubtful tenth of each set, the mean over the sets is {kept_tenths}; the confidence promised {promised}.
Under `auto`, where the probabilities are softened instead, it is {kept_in_auto}, and {promised_in_auto} were promised.

## How to run it again

    pip install '.[network,plots]'
    python benchmarks/train_web.py DATA --leave-set-out texts/
    python benchmarks/train_web.py DATA --leave-set-out texts-0.1/ --share 0.1 {some}
    python benchmarks/train_web.py DATA --leave-set-out texts-0.3/ --share 0.3 {some}
    python benchmarks/oracle.py DATA --keep labels/
    python benchmarks/left_out.py DATA --ours texts/ --keep kept/ --oracle labels/ --card models/web \\
        --curve 0.1=texts-0.1/ 0.3=texts-0.3/
"""


LIMITS_TITLE = "## What limits it\n\n"
LIMITS = """\
`Labels` is what is left of a page if every block has the label that the gold text gives it: blocks that hold content
and noise, and gold texts that differ from the page, cost the rest. The other columns are networks that learned from
a share of the pages, tested on the same left-out sets; means by scope over those sets that all of them have cleaned.

{table}
"""


@dataclass(frozen=True)
class Scores:
    """Of each set the scores of all its pages: ours by version, and those of each peer; and the means of `before`."""

    sets: Sequence[Set]
    tables: dict[str, dict[str, pd.DataFrame]]
    before: Mapping[str, float]

    def mean(self, part: str, system: str, figure: str = "word_f1") -> float:
        if system == "before":
            return self.before.get(part, float("nan"))
        table = self.tables[part].get(system)
        return float("nan") if table is None else float(table[figure].mean())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--ours", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--keep", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--before", type=Path, metavar="TABLE")
    parser.add_argument("--curve", type=share_and_folder, nargs="+", default=[], metavar="SHARE=FOLDER")
    parser.add_argument("--oracle", type=Path, metavar="FOLDER")
    parser.add_argument("--output", type=Path, default=Path("docs/unseen.md"))
    parser.add_argument("--card", type=Path, metavar="MODEL")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    logging.basicConfig(format="%(message)s", level=logging.WARNING)
    before = read_means(options.before) if options.before else {}
    tables = {part.name: tables_of(part, options) for part in SETS}
    promised = {name: of_set["right"] for name, of_set in tables.items()}
    calibration = fitted([*promised.values()])
    print(f"by all sets: confidence-scale: {calibration.scale}, confidence-shift: {calibration.shift}")
    names = [[part.name for part in family] for family in families()]
    apart = calibrated_apart(promised, names)
    scores = Scores(SETS, {name: of_set | {"right": apart[name]} for name, of_set in tables.items()}, before)
    write(scores, [f"{share:.0%}" for share, _ in options.curve], options.output)
    if options.card:
        kept = {name: score for name, score in load(str(options.card)).card.scores.items() if "left out" not in name}
        write_scores(options.card, kept | dict(card_scores(scores)))


def share_and_folder(text: str) -> tuple[float, Path]:
    share, _, folder = text.partition("=")
    return float(share), Path(folder)


def tables_of(part: Set, options: argparse.Namespace) -> dict[str, pd.DataFrame]:
    folders = {version: options.ours / version / part.name for version in (*VERSIONS, NAMELESS)}
    folders |= {peer: options.keep / part.name / peer for peer in PEERS}
    if options.oracle:
        folders["labels"] = options.oracle / part.name / "line"
    folders |= {f"{share:.0%}": folder / "right" / part.name for share, folder in options.curve}
    pages, gold = entries(options.data, part), options.data / part.name / "gold"
    tables = {
        name: table_of_texts(texts(pages, folder, gold), options.jobs)
        for name, folder in folders.items()
        if folder.is_dir()
    }
    for version in VERSIONS:
        expected = read_confidences(folders[version] / CONFIDENCES)
        tables[version] = tables[version].assign(expected=[expected[page.id] for page in pages])
    return tables


def read_confidences(path: Path) -> dict[str, float]:
    rows = (line.split("\t") for line in path.read_text("utf-8").splitlines())
    return {id: float(confidence) for id, confidence in rows}


def read_means(path: Path) -> dict[str, float]:
    rows = (line.split("\t") for line in path.read_text("utf-8").splitlines())
    return {name: float(mean) / 100 for name, mean in rows}


def write(scores: Scores, shares: Sequence[str], output: Path) -> None:
    deciles = by_confidence(scores)
    plots.save(plots.reliability(deciles), output.with_name(f"{output.stem}-confidence.svg"))
    (kept, promised), (kept_in_auto, promised_in_auto) = (without_doubtful(scores, version) for version in VERSIONS)
    page = PAGE.format(
        words=markdown(word_rows(scores), ("set", "scope", "pages", *SYSTEMS)),
        behind=behind(scores, "right"),
        behind_in_auto=behind(scores, "auto"),
        shares=markdown(share_rows(scores), ("set", "web", "auto", *PEERS)),
        kinds=markdown(kind_rows(scores), ("set", "kind", "pages", "web", "auto", "best peer", "its")),
        nameless=markdown(
            nameless_rows(scores), ("set", "before, with names", "web, with names", "web, without names")
        ),
        limits=LIMITS_TITLE + (limits(scores, shares) if shares else kept_limits(output)),
        reliability=markdown(decile_rows(deciles), ("expected F1", "real F1", "pages")),
        kept_tenths=kept,
        some="--test wcxb-dev cleaneval-dev google-news chaos-a forums-a",
        promised=promised,
        kept_in_auto=kept_in_auto,
        promised_in_auto=promised_in_auto,
    )
    write_text(output, page)


def limits(scores: Scores, shares: Sequence[str]) -> str:
    columns = ("scope", "sets", *shares, "all pages", "labels")
    return LIMITS.format(table=markdown(limit_rows(scores, shares), columns))


def kept_limits(page: Path) -> str:
    """What the page said of limits: learning from shares of the pages takes longer than all the rest."""
    return page.read_text("utf-8").partition(LIMITS_TITLE)[2].partition("## ")[0]


SYSTEMS = ("before", "web", "web, auto", *PEERS)
_NAMES = {"web": "right", "web, auto": "auto"}


def word_rows(scores: Scores) -> Iterator[Row]:
    for part in scores.sets:
        means = [scores.mean(part.name, _NAMES.get(system, system)) for system in SYSTEMS]
        yield (part.name, f"`{part.scope}`", str(len(scores.tables[part.name]["right"])), *bold_best(means))
    columns = [[scores.mean(part.name, _NAMES.get(system, system)) for part in scores.sets] for system in SYSTEMS]
    yield ("mean", "", "", *(percent(sum(column) / len(column)) for column in columns))


def bold_best(means: Sequence[float]) -> list[str]:
    best = max(mean for mean in means if not isnan(mean))
    return [f"**{percent(mean)}**" if mean == best else percent(mean) for mean in means]


def behind(scores: Scores, version: str) -> str:
    """The sets where a peer is better, and by how much."""
    leads = {
        part.name: max(scores.mean(part.name, peer) for peer in PEERS) - scores.mean(part.name, version)
        for part in scores.sets
    }
    return ", ".join(f"{name} by {percent(lead)}" for name, lead in leads.items() if lead > 0) or "none"


def share_rows(scores: Scores) -> Iterator[Row]:
    for part in scores.sets:
        of_systems = (
            [scores.mean(part.name, system, figure) for figure in ("word_precision", "word_recall")]
            for system in (*VERSIONS, *PEERS)
        )
        yield (part.name, *(", ".join(map(percent, shares)) for shares in of_systems))


def kind_rows(scores: Scores) -> Iterator[Row]:
    for part in scores.sets:
        tables = scores.tables[part.name]
        kinds = tables["right"]["kind"].value_counts()
        for kind, pages in kinds.items() if 1 < len(kinds) <= len(tables["right"]) / 3 else ():
            means = {name: float(table[table["kind"] == kind]["word_f1"].mean()) for name, table in tables.items()}
            peer = max((name for name in PEERS if name in means), key=means.__getitem__)
            row = (*(percent(means[version]) for version in VERSIONS), peer, percent(means[peer]))
            yield (part.name, str(kind), str(pages), *row)


def nameless_rows(scores: Scores) -> Iterator[Row]:
    systems = ("before", "right", NAMELESS)
    for part in scores.sets:
        yield (part.name, *(percent(scores.mean(part.name, system)) for system in systems))
    columns = [[scores.mean(part.name, system) for part in scores.sets] for system in systems]
    yield ("mean", *(percent(sum(column) / len(column)) for column in columns))


def limit_rows(scores: Scores, shares: Sequence[str]) -> Iterator[Row]:
    """By scope, and over all sets that networks of all shares have cleaned."""
    for scope in (*dict.fromkeys(part.scope for part in scores.sets), ""):
        names = [
            part.name for part in scores.sets if scope in {part.scope, ""} and {*shares} <= {*scores.tables[part.name]}
        ]
        columns = ([scores.mean(name, system) for name in names] for system in (*shares, "right", "labels"))
        yield (f"`{scope}`" if scope else "all", str(len(names)), *(percent(fmean(column)) for column in columns))


def by_confidence(scores: Scores) -> pd.DataFrame:
    """Expected and real F1 of each tenth of all pages, by their confidence."""
    pages = pd.concat([tables["right"] for tables in scores.tables.values()])
    tenths = pd.qcut(pages["expected"].rank(method="first"), 10, labels=False)
    found = pages.groupby(tenths)[["expected", "word_f1"]].mean()
    return found.assign(pages=pages.groupby(tenths).size())


def decile_rows(deciles: pd.DataFrame) -> Iterator[Row]:
    for _, row in deciles.iterrows():
        yield (percent(row["expected"]), percent(row["word_f1"]), str(int(row["pages"])))


def without_doubtful(scores: Scores, version: str) -> tuple[str, str]:
    """What the mean over the sets gains without the doubtful tenth of each, and what the confidence says of it."""
    before, after, expected_before, expected_after = [], [], [], []
    for tables in scores.tables.values():
        pages = tables[version].sort_values("expected", kind="stable")
        kept = pages.iloc[len(pages) // 10 :]
        before.append(pages["word_f1"].mean())
        after.append(kept["word_f1"].mean())
        expected_before.append(pages["expected"].mean())
        expected_after.append(kept["expected"].mean())
    count = len(before)
    gain, promise = (sum(after) - sum(before)) / count, (sum(expected_after) - sum(expected_before)) / count
    return (
        f"{percent(sum(after) / count)} instead of {percent(sum(before) / count)} ({100 * gain:+.1f})",
        f"{100 * promise:+.1f}",
    )


def card_scores(scores: Scores) -> Iterator[tuple[str, float]]:
    for version, name in IN_CARD.items():
        means = [scores.mean(part.name, version) for part in scores.sets]
        yield f"mean of {len(means)} sets, word F1 ({name})", round(100 * sum(means) / len(means), 2)
        for part, mean in zip(scores.sets, means, strict=True):
            yield f"{part.name}, word F1 ({name})", round(100 * mean, 2)


if __name__ == "__main__":
    main()
