"""victor xval"""

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from victorpy.annotation.page_groups import read_memberships
from victorpy.cli.output_options import print_text
from victorpy.cli.shared_options import add_jobs
from victorpy.errors import UsageError
from victorpy.evaluation import plots, report
from victorpy.evaluation.comparison import over_thresholds
from victorpy.evaluation.experiment import (
    ORIGINAL,
    Trial,
    curve_of,
    curve_table,
    original_table,
    page_scores,
    run_curve,
    trial_of,
)
from victorpy.evaluation.experiment import run as run_trial
from victorpy.evaluation.predictions import Predictions, gold_texts, with_gold_texts
from victorpy.evaluation.scoring import FIGURES, confusion
from victorpy.foundation.digests import data_digest
from victorpy.foundation.exit_codes import FINE
from victorpy.foundation.files import check_writable, write_text
from victorpy.models import config as configs
from victorpy.sources import ANNOTATION_SUFFIXES, find_pages

if TYPE_CHECKING:
    import pandas as pd

SCORES = "scores.csv"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", metavar="FILE", help="an .anno file, or a folder of them")
    parser.add_argument("-c", "--config", default="cleaneval", help="name or file of a config (cleaneval)")
    parser.add_argument("--folds", type=int, default=6, metavar="N", help="number of folds (6)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="another seed deals other folds (0)")
    parser.add_argument("--kinds", type=Path, metavar="TSV", help="id, kind and group of every page")
    parser.add_argument("--gold", type=Path, metavar="FOLDER", help="texts to compare with, ID.txt (the gold labels)")
    parser.add_argument("--curve", action="store_true", help="a learning curve over the number of training pages")
    parser.add_argument("--sizes", type=_sizes, default=(), metavar="N,N…", help="the curve's numbers (5,10,20…)")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw the curve of the first figure (.png, .svg)")
    parser.add_argument("--confusion", type=Path, metavar="FILE", help="draw gold against predicted labels")
    parser.add_argument("--thresholds", type=Path, metavar="FILE", help="draw precision and recall over thresholds")
    parser.add_argument(
        "--figures", nargs="+", choices=FIGURES, default=ORIGINAL, metavar="NAME", help="instead of the original's five"
    )
    parser.add_argument("-k", "--keep", type=Path, metavar="FOLDER", help="keep predictions, and go on from there")
    parser.add_argument("-f", "--format", choices=report.FORMATS, default="text", help="how to print (text)")
    parser.add_argument("-o", "--output", default="-", metavar="FILE", help="a file, or - for standard output")
    add_jobs(parser)


def _sizes(words: str) -> list[int]:
    sizes = words.split(",")
    if not all(size.isdecimal() for size in sizes):
        raise argparse.ArgumentTypeError(f"'{words}' are no numbers of pages; such as 5,10,20 is wanted")
    return [int(size) for size in sizes]


def run(options: argparse.Namespace) -> int:
    _check(options)
    config = configs.load(options.config)
    files = [Path(file.path) for file in find_pages(options.files, ANNOTATION_SUFFIXES)]
    members = read_memberships(options.kinds) if options.kinds else {}
    trial = trial_of(files, config, options.folds, options.seed, members)
    texts = gold_texts(options.gold, trial.facts.folds) if options.gold else {}
    facts = report.facts(
        config, data_digest(files), options.seed, folds=options.folds, pages=len(files), texts=_texts(options)
    )
    table = (_curve if options.curve else _table)(trial, texts, options, facts)
    print_text(report.render(report.percent(table), options.format, facts), options.output)
    return FINE


def _check(options: argparse.Namespace) -> None:
    if not options.curve and (options.sizes or options.plot):
        raise UsageError("--sizes and --plot are for a learning curve: add --curve")
    if options.curve and (options.confusion or options.thresholds):
        raise UsageError("--confusion and --thresholds are not for a learning curve: leave out --curve")
    for path in filter(None, (options.plot, options.confusion, options.thresholds)):
        plots.check_name(path)
    if options.keep:
        check_writable(options.keep)


def _texts(options: argparse.Namespace) -> str:
    return "gold texts" if options.gold else "gold labels, printed"


def _table(
    trial: Trial, texts: Mapping[str, str], options: argparse.Namespace, facts: Mapping[str, Any]
) -> "pd.DataFrame":
    predictions = run_trial(trial, options.jobs, options.keep)
    if options.confusion:
        plots.save(plots.confusion(confusion(predictions.pages)), options.confusion)
    if options.thresholds:
        table = over_thresholds(predictions.pages, predictions.probabilities)
        plots.save(plots.precision_recall(table), options.thresholds)
    return original_table(_scored(predictions, texts, options.keep, facts), options.figures)


def _curve(
    trial: Trial, texts: Mapping[str, str], options: argparse.Namespace, facts: Mapping[str, Any]
) -> "pd.DataFrame":
    found = run_curve(trial, options.sizes, options.jobs, options.keep)
    scores = {
        size: _scored(predictions, texts, options.keep and options.keep / f"pages-{size}", facts)
        for size, predictions in found.items()
    }
    if options.plot:
        figure: Sequence[str] = options.figures[:1]
        plots.save(plots.learning_curve(curve_of(scores, *figure), *figure), options.plot)
    return curve_table(scores, options.figures)


def _scored(
    predictions: Predictions, texts: Mapping[str, str], folder: Path | None, facts: Mapping[str, Any]
) -> "pd.DataFrame":
    """Scores by page, which the folder gets too."""
    scores = page_scores(with_gold_texts(predictions, texts) if texts else predictions)
    if folder:
        write_text(folder / SCORES, report.render(scores, "csv", facts))
    return scores
