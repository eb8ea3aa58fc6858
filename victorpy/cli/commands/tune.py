"""victor tune"""

import argparse
import math
from collections.abc import Iterator
from pathlib import Path

from victorpy.cli.option_numbers import at_least_1, number
from victorpy.cli.validation_options import (
    add_figure,
    add_printing,
    add_validation,
    annotated_files,
    bootstrap_of,
    facts_of_validation,
    gold_texts_of,
    print_table,
    validation_of,
)
from victorpy.evaluation.tuning import SPACE, Budget, Trial, as_yaml, grid_trials, random_trials, space, tune
from victorpy.foundation.bounds import MORE_THAN_0
from victorpy.foundation.exit_codes import FINE
from victorpy.foundation.files import check_writable, write_text
from victorpy.models import config as configs
from victorpy.models.defaults import config_to_train


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", metavar="FILE", help="an .anno file, or a folder of them")
    parser.add_argument("-c", "--config", help="name or file of the config to change (cleaneval)")
    parser.add_argument(
        "--set",
        nargs="+",
        default=SPACE,
        metavar="OPTION=VALUES",
        help=f"values to try: VALUE,VALUE,… or LEAST..MOST ({' '.join(SPACE)})",
    )
    parser.add_argument("--grid", action="store_true", help="try all combinations in order, instead of random ones")
    parser.add_argument("--trials", type=at_least_1, default=20, metavar="N", help="number of trials (20)")
    parser.add_argument(
        "--minutes",
        type=number(float, MORE_THAN_0),
        default=math.inf,
        metavar="N",
        help="start no trial after N minutes",
    )
    parser.add_argument("--best", metavar="FILE", help="write the best config to this file")
    add_figure(parser, "word_f1")
    add_validation(parser)
    add_printing(parser)


def run(options: argparse.Namespace) -> int:
    if options.best:
        check_writable(Path(options.best).parent)
    options.config = config_to_train(options.config)
    config = configs.load(options.config)
    files = annotated_files(options.files)
    validation = validation_of(options, files, gold_texts_of(options, files))
    budget = Budget(options.trials, options.minutes)
    table, trials = tune(validation, _trials(options, config), options.figure, budget, bootstrap_of(options))
    print_table(table, options, facts_of_validation(options, validation, config))
    if options.best:
        path, best = Path(options.best), trials[int(table.index[0])]
        write_text(path, as_yaml(options.config, best, path))
    return FINE


def _trials(options: argparse.Namespace, config: configs.Config) -> Iterator[Trial]:
    dimensions = space(config, options.set)
    return grid_trials(config, dimensions) if options.grid else random_trials(config, dimensions, options.seed)
