"""victor ablate"""

import argparse
from pathlib import Path

from victorpy.cli.validation_options import (
    add_figure,
    add_plot,
    add_printing,
    add_validation,
    annotated_files,
    bootstrap_of,
    check_plot,
    facts_of_validation,
    gold_texts_of,
    print_table,
    validation_of,
)
from victorpy.evaluation.ablation import ablate, variants
from victorpy.foundation.exit_codes import FINE
from victorpy.models import config as configs
from victorpy.models.defaults import config_to_train


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", metavar="FILE", help="an .anno file, or a folder of them")
    parser.add_argument("-c", "--config", help="name or file of a config (cleaneval)")
    parser.add_argument(
        "--by",
        choices=("feature", "group", "both"),
        default="both",
        metavar="UNIT",
        help="remove single features, groups, or both: feature, group, both (both)",
    )
    parser.add_argument(
        "--only", nargs="+", default=(), metavar="NAME", help="only these features and groups, such as: token 'char.*'"
    )
    add_figure(parser, "total")
    add_validation(parser)
    add_printing(parser)
    add_plot(parser)


def run(options: argparse.Namespace) -> int:
    check_plot(options)
    options.config = config_to_train(options.config)
    config = configs.load(options.config)
    chosen = variants(config, options.by, options.only)
    files = annotated_files(options.files)
    validation = validation_of(options, files, gold_texts_of(options, files))
    table = ablate(validation, config, chosen, options.figure, bootstrap_of(options))
    print_table(table, options, facts_of_validation(options, validation, config))
    if options.plot:
        from victorpy.evaluation import plots  # noqa: PLC0415

        plots.save(plots.ablation(table[table["difference"].notna()], options.figure), Path(options.plot))
    return FINE
