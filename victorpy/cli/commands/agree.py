"""victor agree"""

import argparse
from collections.abc import Mapping, Sequence
from textwrap import shorten
from typing import TYPE_CHECKING

from victorpy.cli.printed_tables import Section, add_tables, print_tables
from victorpy.evaluation import agreement
from victorpy.evaluation.agreement import ComparedPage, compared_files, pairs_of
from victorpy.evaluation.report import facts
from victorpy.foundation.digests import data_digest, digest
from victorpy.foundation.exit_codes import FINE

if TYPE_CHECKING:
    import pandas

_TABLES = ("agreement", "pages", "confusion", "disagreements")
_LONGEST_TEXT = 100


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("a", metavar="A", help="an .anno file or a folder of them, by one annotator")
    parser.add_argument("b", metavar="B", help="the same pages by another annotator")
    parser.add_argument(
        "--weight",
        choices=("blocks", "words"),
        default="blocks",
        metavar="UNIT",
        help="count blocks or words in the table confusion (blocks)",
    )
    add_tables(parser, _TABLES)


def run(options: argparse.Namespace) -> int:
    pairs = pairs_of(options.a, options.b)
    pages = compared_files(pairs)
    data = digest(data_digest([pair[side] for pair in pairs.values()]) for side in (0, 1))
    depends_on = facts(data=data, A=options.a, B=options.b, pages=len(pages))
    print_tables(_sections(pages, options.weight), options, depends_on)
    return FINE


def _sections(pages: Sequence[ComparedPage], weight: str) -> Mapping[str, Section]:
    return {
        "agreement": Section("Agreement", lambda: _with_reasons(agreement.agreement(pages))),
        "pages": Section(
            "Agreement on all labels, page by page", lambda: _with_reasons(agreement.page_agreement(pages))
        ),
        "confusion": Section(f"Labels of A (rows) and B, {weight}", lambda: agreement.confusion(pages, weight)),
        "disagreements": Section("Blocks on which they disagree", lambda: _shortened(agreement.disagreements(pages))),
    }


def _with_reasons(table: "pandas.DataFrame") -> "pandas.DataFrame":
    """Drop the column of reasons if it is empty."""
    return table if table["why not"].any() else table.drop(columns="why not")


def _shortened(table: "pandas.DataFrame") -> "pandas.DataFrame":
    return table.assign(text=[shorten(text, _LONGEST_TEXT, placeholder=" …") for text in table["text"]])
