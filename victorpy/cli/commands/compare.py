"""victor compare"""

import argparse
from pathlib import Path

import pandas as pd

from victorpy.annotation.page_groups import read_memberships
from victorpy.cli.validation_options import (
    add_plot,
    add_printing,
    add_validation,
    bootstrap_of,
    check_plot,
    facts_of,
    print_table,
)
from victorpy.errors import UsageError
from victorpy.evaluation.scoring import FIGURES
from victorpy.evaluation.systems import compare_systems
from victorpy.foundation.exit_codes import FINE
from victorpy.foundation.files import check_writable


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "systems",
        nargs="*",
        metavar="SYSTEM",
        help="a model, a labeler or a folder of cleaned texts; the first is the yardstick",
    )
    parser.add_argument("--xval", nargs="+", default=(), metavar="CONFIG", help="and these configs, cross-validated")
    parser.add_argument(
        "--on", nargs="+", default=(), metavar="INPUT", help="annotated pages (.anno), or with --gold HTML pages"
    )
    parser.add_argument("--by", choices=("kind",), help="compare on each kind as well")
    parser.add_argument(
        "--figure", nargs="+", choices=FIGURES, default=["word_f1"], metavar="NAME", help="as in evaluate (word_f1)"
    )
    add_validation(parser)
    add_printing(parser)
    add_plot(parser)


def run(options: argparse.Namespace) -> int:
    check_plot(options)
    if options.by and not options.kinds:
        raise UsageError("--by kind: a table of the kinds of the pages is wanted (--kinds)")
    if options.xval:
        check_writable(Path(options.folder))
    found = compare_systems(
        options.systems,
        cross_validated=options.xval,
        on=options.on,
        gold=Path(options.gold) if options.gold else None,
        members=read_memberships(Path(options.kinds)) if options.kinds else {},
        by=options.by,
        figures=options.figure,
        folds=options.folds,
        folder=Path(options.folder),
        jobs=options.jobs,
        bootstrap=bootstrap_of(options),
    )
    facts = facts_of(options, found.data, systems=found.systems)
    print_table(pd.concat(found.tables, names=["figure"]), options, facts)
    if options.plot:
        from victorpy.evaluation import plots  # noqa: PLC0415

        plots.save(plots.comparison(found.tables[options.figure[0]], options.figure[0]), Path(options.plot))
    return FINE
