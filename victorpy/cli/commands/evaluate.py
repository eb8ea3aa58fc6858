"""victor evaluate"""

import argparse
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from textwrap import shorten
from typing import Any, NamedTuple

import pandas as pd

from victorpy.annotation.anno_files import labeled_page, read
from victorpy.cli.output_options import print_text
from victorpy.cli.shared_options import (
    add_decoding,
    add_jobs,
    add_labeler,
    chosen_labeler,
    decoding_changes,
    whole_number,
)
from victorpy.errors import UsageError, VictorError
from victorpy.evaluation import report
from victorpy.evaluation.scoring import (
    FIGURES,
    Labeled,
    Mistakes,
    Texts,
    Weight,
    confusion,
    folder_texts,
    label_scores,
    read_kinds,
    scores_table,
    summary,
    table_of_texts,
    texts_in,
    worst,
    worst_texts,
)
from victorpy.foundation.digests import digest
from victorpy.foundation.exit_codes import FINE
from victorpy.foundation.files import read_text
from victorpy.foundation.progress import shown
from victorpy.labelers.registry import described
from victorpy.models.model_folder import load
from victorpy.output.formats.cleaneval import cleaneval
from victorpy.pipeline.cleaner import Cleaner, cleaner, untrained
from victorpy.sources import ANNOTATION_SUFFIXES, find_pages, read_page

log = logging.getLogger("victorpy")

_TABLES = ("summary", "pages", "labels", "confusion", "worst")
_USUAL_WORST = 10
_LONGEST_PIECE = 100


class Evaluation(NamedTuple):
    """The tables that were asked for, and what the figures depend on."""

    tables: dict[str, pd.DataFrame]
    facts: dict[str, object]


class Wanted(NamedTuple):
    """What to tell of the pages."""

    tables: Sequence[str] = ()
    by: str | None = None
    weight: Weight = "blocks"
    figure: str = "word_f1"
    worst: int = _USUAL_WORST
    samples: int = 1000
    seed: int = 0
    jobs: int = 1


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "inputs",
        nargs="+",
        metavar="INPUT",
        help="with --model or --labeler annotated pages (.anno); else PRINTED_DIR GOLD_DIR",
    )
    parser.add_argument("-m", "--model", help="name or folder of the model that labels the pages")
    add_labeler(parser)
    parser.add_argument("--gold", metavar="DIR", help="with either: inputs are HTML, and their gold texts are here")
    parser.add_argument("--kinds", metavar="TSV", help="lines of id, tab, kind of the page")
    parser.add_argument("--by", choices=("kind",), help="a summary for each kind as well")
    parser.add_argument("-t", "--tables", nargs="+", choices=_TABLES, default=(), help="what to print (all but pages)")
    parser.add_argument(
        "-w", "--worst", type=whole_number(), metavar="N", help="the N worst pages, with what is wrong in them"
    )
    parser.add_argument("--figure", choices=FIGURES, default="word_f1", metavar="NAME", help="that is worst (word_f1)")
    parser.add_argument("--weight", choices=("blocks", "words"), default="blocks", help="what labels count (blocks)")
    parser.add_argument("--samples", type=whole_number(), default=1000, help="of the bootstrap (1000)")
    parser.add_argument("--seed", type=int, default=0, help="of the bootstrap (0)")
    parser.add_argument("-f", "--format", choices=report.FORMATS, default="text", help="how to print (text)")
    parser.add_argument("-o", "--output", default="-", metavar="FILE", help="a file, or - for standard output")
    add_jobs(parser)
    add_decoding(parser)


def run(options: argparse.Namespace) -> int:
    wanted = Wanted(
        _tables(options),
        options.by,
        options.weight,
        options.figure,
        options.worst or _USUAL_WORST,
        options.samples,
        options.seed,
        options.jobs,
    )
    kinds = read_kinds(Path(options.kinds)) if options.kinds else {}
    tables, facts = _evaluation(options, kinds, wanted)
    text = report.render_all(tables, options.format, facts)
    print_text(text, options.output)
    return FINE


def _tables(options: argparse.Namespace) -> list[str]:
    if options.tables:
        return list(options.tables)
    is_labels = (options.model or options.labeler) and not options.gold and options.format != "csv"
    usual = ["summary", *(["labels", "confusion"] if is_labels else [])]
    return [*([] if options.worst and options.format == "csv" else usual), *(["worst"] if options.worst else [])]


def _evaluation(options: argparse.Namespace, kinds: Mapping[str, str], wanted: Wanted) -> Evaluation:
    system = _system(options)
    if not system:
        printed, gold = _two_folders(options)
        return evaluated_texts(folder_texts(printed, gold, kinds), wanted)
    if options.gold:
        texts = cleaned_texts(system.cleaner, options.inputs, Path(options.gold), kinds)
        return evaluated_texts(list(texts), wanted, system.facts)
    return evaluated_labels(list(labeled_pages(system.cleaner, options.inputs, kinds)), wanted, system.facts)


class _System(NamedTuple):
    """What labels the pages, and what its labels depend on."""

    cleaner: Cleaner
    facts: Mapping[str, Any]


def _system(options: argparse.Namespace) -> _System | None:
    labeler = chosen_labeler(options)
    if labeler:
        return _System(untrained(labeler), {"labeler": described(labeler)})
    if not options.model:
        return None
    model = load(options.model).decoding_by(**decoding_changes(options))
    facts = {"config": model.config, "model": model.name, "weights": f"sha256:{model.card.weights}"}
    return _System(cleaner(model), facts)


def _two_folders(options: argparse.Namespace) -> tuple[Path, Path]:
    if options.gold or decoding_changes(options):
        raise UsageError(
            "--gold, --decode, --threshold and --bias are for the pages that a --model or --labeler labels"
        )
    if len(options.inputs) != 2:
        raise UsageError("without --model and --labeler two folders are wanted: of printed and of gold texts")
    return Path(options.inputs[0]), Path(options.inputs[1])


def labeled_pages(cleaner: Cleaner, names: Sequence[str], kinds: Mapping[str, str]) -> Iterator[Labeled]:
    """Annotated pages with the labels that a model, or any labeler, gives them."""
    files = find_pages(names, ANNOTATION_SUFFIXES)
    for file in shown(files, len(files), "pages"):
        page, gold, changes = labeled_page(read(file.path), cleaner.markup)
        if not changes.is_none:
            log.info("%s: %s", file.path, changes)
        id = page.id or file.id
        yield Labeled(id, page, gold, cleaner.labeler.labeling(page).labels, kinds.get(id, ""))


def cleaned_texts(cleaner: Cleaner, names: Sequence[str], gold: Path, kinds: Mapping[str, str]) -> Iterator[Texts]:
    """What is printed of HTML pages, and their gold texts; all pages need one."""
    pages, texts, clean = find_pages(names), texts_in(gold), cleaner.clean
    without = [page.id for page in pages if page.id not in texts]
    if without:
        raise UsageError(f"no gold text for {len(without)} of {len(pages)} pages, such as {without[0]}", gold)
    for location in shown(pages, len(pages), "pages"):
        page = read_page(location)
        if page.data is None:
            raise VictorError(page.problem, location.path)
        printed = cleaneval(clean(page.data, id=page.id))
        yield Texts(page.id, printed, read_text(texts[page.id]), kinds.get(page.id, ""))


Makers = Mapping[str, Callable[[], pd.DataFrame]]


def evaluated_labels(pages: Sequence[Labeled], wanted: Wanted, system: Mapping[str, Any] = {}) -> Evaluation:
    table = scores_table(pages, wanted.jobs)
    makers = {
        "labels": lambda: report.percent(label_scores(pages, wanted.weight)),
        "confusion": lambda: confusion(pages, wanted.weight),
        "worst": lambda: mistakes_table(worst(pages, table, wanted.figure, wanted.worst)),
    }
    contents = [f"{label}\t{text}" for page in pages for label, text in zip(page.gold, page.page.texts, strict=True)]
    return _made(table, makers, wanted, _facts(contents, wanted, system))


def evaluated_texts(texts: Sequence[Texts], wanted: Wanted, system: Mapping[str, Any] = {}) -> Evaluation:
    table = table_of_texts(texts, wanted.jobs)
    makers = {"worst": lambda: mistakes_table(worst_texts(texts, table, wanted.figure, wanted.worst))}
    contents = [part for text in texts for part in (text.id, text.printed, text.gold)]
    return _made(table, makers, wanted, _facts(contents, wanted, system))


def _made(table: pd.DataFrame, makers: Makers, wanted: Wanted, facts: dict[str, object]) -> Evaluation:
    both: Makers = {
        "pages": lambda: report.percent(table.replace("", None).dropna(axis="columns", how="all")),
        "summary": lambda: report.percent(_known(summary(table, wanted.by, wanted.samples, wanted.seed))),
    }
    known = {**both, **makers}
    strangers = [name for name in wanted.tables if name not in known]
    if strangers:
        raise UsageError(f"{' and '.join(strangers)}: of labels, and there are only texts")
    return Evaluation({name: known[name]() for name in wanted.tables}, facts)


def _known(summed: pd.DataFrame) -> pd.DataFrame:
    """Without what no page has."""
    return summed[summed["pages"] > 0]


def _facts(contents: Sequence[str], wanted: Wanted, system: Mapping[str, Any]) -> dict[str, object]:
    return report.facts(data=digest(contents), seed=wanted.seed, **system)


def mistakes_table(mistakes: Sequence[Mistakes]) -> pd.DataFrame:
    """A row for every piece that was wrongly kept or wrongly dropped, the worst page first."""
    rows = [
        (mistake.id, 100 * mistake.value, wrongly, shorten(piece, _LONGEST_PIECE, placeholder=" …"))
        for mistake in mistakes
        for wrongly, pieces in (("kept", mistake.kept), ("dropped", mistake.dropped))
        for piece in pieces
    ]
    return pd.DataFrame(rows, columns=["id", "value", "wrongly", "text"]).set_index("id")
