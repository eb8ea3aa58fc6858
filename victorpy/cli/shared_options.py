"""Options that several commands share."""

import argparse
import os
from typing import Any

from victorpy.cli.option_numbers import at_least_1, number, share
from victorpy.errors import UsageError
from victorpy.foundation.bounds import Range
from victorpy.labelers import Untrained
from victorpy.labelers.registry import LABELERS
from victorpy.models.decoding import LARGEST_BIAS
from victorpy.sources import decoded_page, find_pages

# A parser, or a group of its options.
Options = argparse._ActionsContainer

LONGEST_SECONDS = 1_000_000
BIASES = {"precision": -1.0, "recall": 1.0}


def add_decoding(parser: Options) -> None:
    method = parser.add_mutually_exclusive_group()
    method.add_argument(
        "--decode",
        choices=("viterbi", "likeliest", "expected-f1"),
        help="how labels are chosen (as the model's config says)",
    )
    method.add_argument(
        "--threshold",
        type=share,
        metavar="P",
        help="keep exactly the blocks whose probability of being content is at least P, from 0 to 1",
    )
    parser.add_argument(
        "--bias",
        type=number(float, Range(-LARGEST_BIAS, LARGEST_BIAS), BIASES),
        metavar="precision|recall|NUMBER",
        help="keep less (precision, -1) or more (recall, 1) than the model would",
    )


def add_labeler(parser: Options) -> None:
    parser.add_argument(
        "--labeler",
        metavar="NAME|FILE",
        help=f"instead of a model: {', '.join(LABELERS)}, or a config with a section 'labeler'",
    )
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="an option of the labeler (may be given again)",
    )


def add_addresses(parser: Options) -> None:
    parser.add_argument("--urls", metavar="FILE", help="the addresses of pages: a page, a tab and its address a line")
    parser.add_argument("--host", help="the site of pages without an address")


def chosen_labeler(options: argparse.Namespace) -> Untrained | None:
    """The labeler that is to work instead of a model, with its options."""
    if not options.labeler:
        if options.option:
            raise UsageError("--option is for a --labeler")
        return None
    if options.model or decoding_changes(options):
        raise UsageError("--model, --decode and --bias are for models, and here a --labeler is named")
    from victorpy.models.config import labeler  # noqa: PLC0415

    return labeler(options.labeler, options.option)


def decoding_changes(options: argparse.Namespace) -> dict[str, Any]:
    """What the options change of a model's decoding."""
    method = options.decode if options.threshold is None else "threshold"
    changes = {"method": method, "threshold": options.threshold, "bias": options.bias}
    return {name: value for name, value in changes.items() if value is not None}


def add_jobs(parser: Options) -> None:
    parser.add_argument("-j", "--jobs", type=at_least_1, default=os.cpu_count() or 1, help="processes (all cores)")


def single_page(name: str) -> str:
    """The text of the one page that an option names."""
    pages = find_pages([name])
    if len(pages) != 1:
        raise UsageError(f"a folder of {len(pages)} pages, where one page is wanted", name)
    return decoded_page(pages[0]).required()
