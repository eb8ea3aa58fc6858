"""Results that are several tables, each made only when it is wanted."""

import argparse
from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING, NamedTuple

from victorpy.cli.output_options import print_text
from victorpy.evaluation.report import FORMATS, Facts, render_all

if TYPE_CHECKING:
    import pandas

_OF_PROGRAMS = {"json", "csv"}


class Section(NamedTuple):
    """What people are told a table is, and how to make it."""

    title: str
    table: Callable[[], "pandas.DataFrame"]


def add_tables(parser: argparse.ArgumentParser, names: Collection[str]) -> None:
    parser.add_argument("-t", "--tables", nargs="+", choices=names, default=(), help="what to print (all)")
    parser.add_argument("-f", "--format", default="text", choices=FORMATS, help="how to print (text)")
    parser.add_argument("-o", "--output", default="-", metavar="FILE", help="a file, or - for standard output")


def print_tables(sections: Mapping[str, Section], options: argparse.Namespace, facts: Facts) -> None:
    """Prints the tables that the options want, in their format, to where they say."""
    wanted = {name: sections[name] for name in options.tables or sections}
    tables = {name: section.table() for name, section in wanted.items()}
    if options.format not in _OF_PROGRAMS:
        tables = {_title(wanted[name], table): _rounded(table) for name, table in tables.items()}
    text = render_all(tables, options.format, facts)
    print_text(text, options.output)


def _title(section: Section, table: "pandas.DataFrame") -> str:
    return f"{section.title}: none" if table.empty else section.title


def _rounded(table: "pandas.DataFrame") -> "pandas.DataFrame":
    """Weights and bits need a third decimal; the sign has a place of its own, so that they stand below one another."""
    floats = table.select_dtypes("float").columns
    return table.assign(**{str(name): table[name].map("{: .3f}".format, na_action="ignore") for name in floats})
