"""The comparison of several systems: its options, and its table."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from victorpy.annotation.page_groups import read_memberships
from victorpy.cli.option_numbers import at_least_1
from victorpy.cli.validation_options import FOLDER, add_plot, bootstrap_of, check_plot, facts_of, print_table
from victorpy.errors import UsageError
from victorpy.evaluation.systems import compare_systems
from victorpy.foundation.exit_codes import FINE
from victorpy.foundation.files import check_writable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from victorpy.cli.shared_options import Options


def add_comparison(parser: "Options") -> None:
    parser.add_argument(
        "--xval", nargs="+", default=(), metavar="CONFIG", help="compare these configs, cross-validated"
    )
    parser.add_argument("--folds", type=at_least_1, default=6, metavar="N", help="folds of the cross-validation (6)")
    parser.add_argument("--folder", default=FOLDER, metavar="DIR", help=f"keeps cross-validated scores ({FOLDER})")
    add_plot(parser)


def print_comparison(systems: "Sequence[str]", options: argparse.Namespace) -> int:
    check_plot(options)
    if options.by and not options.kinds:
        raise UsageError("--by kind needs --kinds, a table of the kinds of the pages")
    if options.xval:
        check_writable(Path(options.folder))
    found = compare_systems(
        systems,
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
