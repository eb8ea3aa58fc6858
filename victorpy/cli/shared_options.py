"""Options that several commands share."""

import argparse
import os
from collections.abc import Callable, Sequence
from typing import Any, get_args

from victorpy._core import MARKDOWN_PARTS
from victorpy.cli.option_numbers import at_least_1, number, share
from victorpy.errors import OptionError, UsageError
from victorpy.foundation.bounds import Range
from victorpy.labelers import Untrained
from victorpy.labelers.registry import LABELERS
from victorpy.models.decoding import LARGEST_BIAS
from victorpy.models.scopes import Scope
from victorpy.output.format_options import COLUMNS, DEFAULT_OPTIONS, FormatOptions, check_names
from victorpy.sources import find_pages

# A parser, or a group of its options.
Options = argparse._ActionsContainer

LONGEST_SECONDS = 1_000_000
BIASES = {"precision": -1.0, "recall": 1.0}


def add_decoding(parser: Options) -> None:
    method = parser.add_mutually_exclusive_group()
    method.add_argument(
        "--decode",
        choices=("viterbi", "likeliest", "expected-f1"),
        metavar="METHOD",
        help="how a model chooses labels: viterbi, likeliest or expected-f1 (from its config)",
    )
    method.add_argument(
        "--threshold",
        type=share,
        metavar="P",
        help="keep the blocks that are content with a probability of at least P, from 0 to 1",
    )
    parser.add_argument(
        "--bias",
        type=number(float, Range(-LARGEST_BIAS, LARGEST_BIAS), BIASES),
        metavar="BIAS",
        help="keep less text (precision, or a number below 0) or more (recall, or a number above 0)",
    )
    parser.add_argument(
        "--scope",
        choices=get_args(Scope),
        metavar="SCOPE",
        help=f"which content to keep: {', '.join(get_args(Scope))} (from the model's config)",
    )


def add_format_options(parser: Options) -> None:
    parser.add_argument(
        "--without",
        type=_names("without", MARKDOWN_PARTS),
        default=(),
        metavar="PARTS",
        help=f"write Markdown without some of {', '.join(MARKDOWN_PARTS)}; their text stays",
    )
    parser.add_argument(
        "--columns",
        type=_names("columns", COLUMNS),
        default=DEFAULT_OPTIONS.columns,
        metavar="NAMES",
        help="the texts in json, jsonl and parquet: some of text, markdown, html (text)",
    )
    parser.add_argument("--front-matter", action="store_true", help="begin Markdown with the metadata of the page")
    parser.add_argument("--all-blocks", action="store_true", help="list noise blocks, too, in json and jsonl")


def _names(option: str, known: Sequence[str]) -> Callable[[str], tuple[str, ...]]:
    """A reader of names with commas between them."""

    def read(words: str) -> tuple[str, ...]:
        names = tuple(dict.fromkeys(words.split(",")))
        try:
            check_names(option, names, known)
        except OptionError as error:
            raise argparse.ArgumentTypeError(error.message) from None
        return names

    return read


def format_options(options: argparse.Namespace) -> FormatOptions:
    return FormatOptions(
        without=options.without,
        all_blocks=options.all_blocks,
        columns=options.columns,
        front_matter=options.front_matter,
    )


def add_labeler(parser: Options) -> None:
    parser.add_argument(
        "--labeler",
        metavar="NAME|FILE",
        help=f"use a labeler instead of a model: {', '.join(LABELERS)}, or a config with a section 'labeler'",
    )
    parser.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help="set an option of the labeler; repeatable"
    )


def add_addresses(parser: Options) -> None:
    parser.add_argument("--urls", metavar="FILE", help="addresses of the pages, one line each: PAGE<TAB>URL")
    parser.add_argument("--host", help="the host of pages without an address")


def chosen_labeler(options: argparse.Namespace) -> Untrained | None:
    """The labeler that replaces the model, with its options."""
    if not options.labeler:
        if options.option:
            raise UsageError("--option needs a --labeler")
        return None
    if options.model or decoding_changes(options):
        raise UsageError("--model, --decode, --threshold, --bias and --scope are for models, not for a --labeler")
    from victorpy.models.config import labeler  # noqa: PLC0415

    return labeler(options.labeler, options.option)


def decoding_changes(options: argparse.Namespace) -> dict[str, Any]:
    """The fields of a model's decoding that the options change."""
    method = options.decode if options.threshold is None else "threshold"
    changes = {"method": method, "threshold": options.threshold, "bias": options.bias, "scope": options.scope}
    return {name: value for name, value in changes.items() if value is not None}


def add_jobs(parser: Options) -> None:
    parser.add_argument(
        "-j", "--jobs", type=at_least_1, metavar="N", default=os.cpu_count() or 1, help="processes (all cores)"
    )


def add_seconds(parser: Options, option: str, default: float | None, help: str) -> None:
    """A limit of time; its help ends with the default."""
    parser.add_argument(
        option,
        type=number(float, Range(above=0, most=LONGEST_SECONDS)),
        default=default,
        metavar="SECONDS",
        help=f"{help} ({default:g})",
    )


def single_page(name: str) -> str:
    """The HTML of the one page that an argument names."""
    from victorpy.sources.decoded_pages import decoded_page  # noqa: PLC0415

    pages = find_pages([name])
    if len(pages) != 1:
        raise UsageError(f"expected one page, got a folder of {len(pages)}", name)
    return decoded_page(pages[0]).required()
