"""victor xval"""

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from victorpy.cli.option_numbers import number
from victorpy.cli.printed_tables import add_table_format
from victorpy.cli.shared_options import add_jobs
from victorpy.cli.validation_options import annotated_files, gold_texts_of, validation_of
from victorpy.errors import UsageError
from victorpy.evaluation import plots, report
from victorpy.evaluation.comparison import over_thresholds
from victorpy.evaluation.cross_validation import CrossValidation
from victorpy.evaluation.fold_tables import ORIGINAL, curve_of, curve_table, original_table, page_scores
from victorpy.evaluation.predictions import Predictions
from victorpy.evaluation.scoring import FIGURES, confusion
from victorpy.foundation.exit_codes import FINE
from victorpy.foundation.files import write_text
from victorpy.models import config as configs
from victorpy.models.config import Config
from victorpy.models.defaults import config_to_train
from victorpy.output.destination import write_text_to

if TYPE_CHECKING:
    import pandas as pd

SCORES = "scores.csv"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", metavar="FILE", help="an .anno file, or a folder of them")
    parser.add_argument("-c", "--config", help="name or file of a config (cleaneval)")
    parser.add_argument("--folds", type=number(int), default=6, metavar="N", help="folds of the cross-validation (6)")
    parser.add_argument("--seed", type=number(int), default=0, metavar="N", help="seed of the folds (0)")
    parser.add_argument("--kinds", type=Path, metavar="TSV", help="id, kind and group of every page")
    parser.add_argument("--gold", type=Path, metavar="FOLDER", help="folder of gold texts, ID.txt (the gold labels)")
    parser.add_argument("--curve", action="store_true", help="print a learning curve over the number of training pages")
    parser.add_argument(
        "--sizes", type=_sizes, default=(), metavar="N,N…", help="numbers of training pages for --curve (5,10,20…)"
    )
    parser.add_argument(
        "--plot", type=Path, metavar="FILE", help="draw the learning curve of the first figure (.png, .svg)"
    )
    parser.add_argument(
        "--confusion", type=Path, metavar="FILE", help="draw gold against predicted labels (.png, .svg)"
    )
    parser.add_argument(
        "--thresholds", type=Path, metavar="FILE", help="draw precision and recall over thresholds (.png, .svg)"
    )
    parser.add_argument(
        "--figures",
        nargs="+",
        choices=FIGURES,
        default=ORIGINAL,
        metavar="NAME",
        help="figures to print (the five of the original)",
    )
    parser.add_argument("--folder", metavar="DIR", help="keep results here, so that nothing is trained twice")
    parser.add_argument("-k", "--keep", dest="folder", default=argparse.SUPPRESS, help=argparse.SUPPRESS)
    add_table_format(parser)
    add_jobs(parser)


def _sizes(words: str) -> list[int]:
    sizes = words.split(",")
    if not all(size.isdecimal() for size in sizes):
        raise argparse.ArgumentTypeError(f"expected whole numbers such as 5,10,20, got '{words}'")
    return [int(size) for size in sizes]


def run(options: argparse.Namespace) -> int:
    _check(options)
    options.config = config_to_train(options.config)
    config = configs.load(options.config)
    files = annotated_files(options.files)
    validation = validation_of(options, files, gold_texts_of(options, files))
    facts = report.facts(
        config, validation.data, options.seed, folds=options.folds, pages=len(files), texts=_texts(options)
    )
    table = (_curve if options.curve else _table)(validation, config, options, facts)
    write_text_to(options.output, report.render(report.percent(table), options.format, facts))
    return FINE


def _check(options: argparse.Namespace) -> None:
    if not options.curve and (options.sizes or options.plot):
        raise UsageError("--sizes and --plot need --curve")
    if options.curve and (options.confusion or options.thresholds):
        raise UsageError("--confusion and --thresholds do not work with --curve")
    for path in filter(None, (options.plot, options.confusion, options.thresholds)):
        plots.check_name(path)


def _texts(options: argparse.Namespace) -> str:
    return "gold texts" if options.gold else "gold labels, printed"


def _table(
    validation: CrossValidation, config: Config, options: argparse.Namespace, facts: Mapping[str, Any]
) -> "pd.DataFrame":
    predictions = validation.predictions(config)
    if options.confusion:
        plots.save(plots.confusion(confusion(predictions.pages)), options.confusion)
    if options.thresholds:
        table = over_thresholds(predictions.pages, predictions.probabilities)
        plots.save(plots.precision_recall(table), options.thresholds)
    folder = validation.home(config) if validation.folder else None
    return original_table(_scored(predictions, folder, facts), options.figures)


def _curve(
    validation: CrossValidation, config: Config, options: argparse.Namespace, facts: Mapping[str, Any]
) -> "pd.DataFrame":
    scores = {
        size: _scored(predictions, validation.home(config, size) if validation.folder else None, facts)
        for size, predictions in validation.curve(config, options.sizes).items()
    }
    if options.plot:
        figure: Sequence[str] = options.figures[:1]
        plots.save(plots.learning_curve(curve_of(scores, *figure), *figure), options.plot)
    return curve_table(scores, options.figures)


def _scored(predictions: Predictions, folder: Path | None, facts: Mapping[str, Any]) -> "pd.DataFrame":
    """Scores by page, also written to the folder."""
    scores = page_scores(predictions)
    if folder:
        write_text(folder / SCORES, report.render(scores, "csv", facts))
    return scores
