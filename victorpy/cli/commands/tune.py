"""victor tune"""

import argparse
import math
from collections.abc import Iterator, Sequence
from pathlib import Path

from victorpy.annotation.page_groups import read_memberships
from victorpy.cli.option_numbers import at_least_1, number
from victorpy.cli.shared_options import add_labeler
from victorpy.cli.validation_options import (
    add_figure,
    add_printing,
    add_validation,
    annotated_files,
    bootstrap_of,
    facts_of,
    facts_of_validation,
    gold_texts_of,
    print_table,
    validation_of,
)
from victorpy.errors import UsageError
from victorpy.evaluation.tuning import (
    SPACE,
    Budget,
    LabelerScores,
    Trial,
    Tuned,
    as_yaml,
    grid_trials,
    labeler_as_yaml,
    random_trials,
    space,
    tune,
)
from victorpy.foundation.bounds import MORE_THAN_0
from victorpy.foundation.digests import data_digest
from victorpy.foundation.exit_codes import FINE
from victorpy.foundation.files import check_writable, write_text
from victorpy.labelers.registry import described
from victorpy.models import config as configs
from victorpy.models.defaults import config_to_train


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", metavar="FILE", help="an .anno file, or a folder of them")
    parser.add_argument("-c", "--config", help="name or file of the config to change (cleaneval)")
    add_labeler(parser)
    parser.add_argument(
        "--set",
        nargs="+",
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
    files = annotated_files(options.files)
    return _tune_labeler(options, files) if options.labeler else _tune_config(options, files)


def _tune_config(options: argparse.Namespace, files: tuple[Path, ...]) -> int:
    if options.option:
        raise UsageError("--option needs a --labeler")
    options.config = config_to_train(options.config)
    config = configs.load(options.config)
    validation = validation_of(options, files, gold_texts_of(options, files))
    trials = _trials(options, config, options.set or SPACE)
    table, done = tune(validation, trials, options.figure, _budget(options), bootstrap_of(options))
    print_table(table, options, facts_of_validation(options, validation, config))
    if options.best:
        path, best = Path(options.best), done[int(table.index[0])]
        write_text(path, as_yaml(options.config, best, path))
    return FINE


def _tune_labeler(options: argparse.Namespace, files: tuple[Path, ...]) -> int:
    """A labeler learns nothing from the pages, so no folds are needed."""
    if options.config:
        raise UsageError("--config and --labeler exclude each other")
    if not options.set:
        raise UsageError("--labeler needs --set: name options and values to try, such as max-perplexity=1000,2000")
    labeler = configs.labeler(options.labeler, options.option)
    members = read_memberships(Path(options.kinds)) if options.kinds else {}
    scores = LabelerScores(
        files=files,
        jobs=options.jobs,
        kinds={id: member.kind for id, member in members.items()},
        gold_texts=gold_texts_of(options, files),
        figure=options.figure,
    )
    trials = _trials(options, labeler, options.set)
    table, done = tune(scores, trials, options.figure, _budget(options), bootstrap_of(options))
    facts = facts_of(options, data_digest(files), labeler=described(labeler), figure=options.figure)
    print_table(table, options, facts)
    if options.best:
        write_text(Path(options.best), labeler_as_yaml(done[int(table.index[0])].config))
    return FINE


def _budget(options: argparse.Namespace) -> Budget:
    return Budget(options.trials, options.minutes)


def _trials(options: argparse.Namespace, config: Tuned, definitions: Sequence[str]) -> Iterator[Trial[Tuned]]:
    dimensions = space(config, definitions)
    return grid_trials(config, dimensions) if options.grid else random_trials(config, dimensions, options.seed)
