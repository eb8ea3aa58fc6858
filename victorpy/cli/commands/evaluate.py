"""victor evaluate"""

import argparse
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from textwrap import shorten
from typing import Any, NamedTuple

import pandas as pd

from victorpy.annotation.page_groups import read_kinds
from victorpy.cli.output_options import print_text
from victorpy.cli.shared_options import (
    add_decoding,
    add_jobs,
    add_labeler,
    chosen_labeler,
    decoding_changes,
    whole_number,
)
from victorpy.errors import UsageError
from victorpy.evaluation import report
from victorpy.evaluation.evaluating import Evaluation, evaluate, evaluate_texts
from victorpy.evaluation.scoring import FIGURES, Mistakes
from victorpy.evaluation.statistics import Bootstrap
from victorpy.foundation.exit_codes import FINE
from victorpy.labelers.registry import described
from victorpy.models.model_folder import load
from victorpy.pipeline.cleaner import Cleaner, cleaner, untrained

_TABLES = ("summary", "pages", "labels", "confusion", "worst")
_OF_LABELS = ("labels", "confusion")
_USUAL_WORST = 10
_LONGEST_PIECE = 100


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
    system = _system(options)
    evaluation = _evaluation(options, system)
    facts = report.facts(data=evaluation.digest, seed=options.seed, **(system.facts if system else {}))
    tables = _made(evaluation, options)
    print_text(report.render_all(tables, options.format, facts), options.output)
    return FINE


def _tables(options: argparse.Namespace) -> list[str]:
    if options.tables:
        return list(options.tables)
    is_labels = (options.model or options.labeler) and not options.gold and options.format != "csv"
    usual = ["summary", *(["labels", "confusion"] if is_labels else [])]
    return [*([] if options.worst and options.format == "csv" else usual), *(["worst"] if options.worst else [])]


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


def _evaluation(options: argparse.Namespace, system: _System | None) -> Evaluation:
    kinds = read_kinds(Path(options.kinds) if options.kinds else None)
    if system:
        gold = Path(options.gold) if options.gold else None
        return evaluate(system.cleaner, options.inputs, gold, kinds, options.jobs)
    return evaluate_texts(*_two_folders(options), kinds, options.jobs)


def _two_folders(options: argparse.Namespace) -> tuple[Path, Path]:
    if options.gold or decoding_changes(options):
        raise UsageError(
            "--gold, --decode, --threshold and --bias are for the pages that a --model or --labeler labels"
        )
    if len(options.inputs) != 2:
        raise UsageError("without --model and --labeler two folders are wanted: of printed and of gold texts")
    return Path(options.inputs[0]), Path(options.inputs[1])


def _made(evaluation: Evaluation, options: argparse.Namespace) -> dict[str, pd.DataFrame]:
    names, is_texts = _tables(options), bool(evaluation.texts)
    of_labels = [name for name in names if name in _OF_LABELS]
    if is_texts and of_labels:
        raise UsageError(f"{' and '.join(of_labels)}: of labels, and there are only texts")
    worst, bootstrap = options.worst or _USUAL_WORST, Bootstrap(options.samples, options.seed)
    makers: dict[str, Callable[[], pd.DataFrame]] = {
        "pages": lambda: report.percent(evaluation.scores.replace("", None).dropna(axis="columns", how="all")),
        "summary": lambda: report.percent(evaluation.summary(options.by, bootstrap)),
        "labels": lambda: report.percent(evaluation.labels(options.weight)),
        "confusion": lambda: evaluation.confusion(options.weight),
        "worst": lambda: mistakes_table(evaluation.worst(options.figure, worst)),
    }
    return {name: makers[name]() for name in names}


def mistakes_table(mistakes: Sequence[Mistakes]) -> pd.DataFrame:
    """A row for every piece that was wrongly kept or wrongly dropped, the worst page first."""
    rows = [
        (mistake.id, 100 * mistake.value, wrongly, shorten(piece, _LONGEST_PIECE, placeholder=" …"))
        for mistake in mistakes
        for wrongly, pieces in (("kept", mistake.kept), ("dropped", mistake.dropped))
        for piece in pieces
    ]
    return pd.DataFrame(rows, columns=["id", "value", "wrongly", "text"]).set_index("id")
