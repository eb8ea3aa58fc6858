"""Results of several tables, each made only when it is printed."""

import argparse
from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING, NamedTuple

from victorpy.cli.shared_options import Options
from victorpy.evaluation.report import FORMATS, Facts, render_all
from victorpy.output.destination import write_text_to

if TYPE_CHECKING:
    import pandas

_UNROUNDED = {"json", "csv"}


class Section(NamedTuple):
    """The title of a table, and the function that makes it."""

    title: str
    table: Callable[[], "pandas.DataFrame"]


def add_tables(parser: argparse.ArgumentParser, names: Collection[str]) -> None:
    parser.add_argument(
        "-t",
        "--tables",
        nargs="+",
        choices=names,
        default=(),
        metavar="TABLE",
        help=f"tables to print: {', '.join(names)} (all)",
    )
    add_table_format(parser)


def add_table_format(parser: Options) -> None:
    parser.add_argument(
        "-f", "--format", choices=FORMATS, default="text", metavar="FORMAT", help=f"{', '.join(FORMATS)} (text)"
    )
    parser.add_argument("-o", "--output", default="-", metavar="FILE", help="write to this file (-: standard output)")


def print_tables(sections: Mapping[str, Section], options: argparse.Namespace, facts: Facts) -> None:
    """Print the tables that the options name, all by default, in the chosen format."""
    chosen = {name: sections[name] for name in options.tables or sections}
    tables = {name: section.table() for name, section in chosen.items()}
    if options.format not in _UNROUNDED:
        tables = {_title(chosen[name], table): _rounded(table) for name, table in tables.items()}
    text = render_all(tables, options.format, facts)
    write_text_to(options.output, text)


def _title(section: Section, table: "pandas.DataFrame") -> str:
    return f"{section.title}: none" if table.empty else section.title


def _rounded(table: "pandas.DataFrame") -> "pandas.DataFrame":
    """Three decimals, for weights and bits; a blank before positive numbers aligns them with negative ones."""
    floats = table.select_dtypes("float").columns
    return table.assign(**{str(name): table[name].map("{: .3f}".format, na_action="ignore") for name in floats})
