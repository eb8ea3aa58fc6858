"""Options that several commands share."""

import argparse
import os
from collections.abc import Callable
from typing import Any

from victorpy.errors import UsageError
from victorpy.labelers import Untrained
from victorpy.labelers.registry import LABELERS
from victorpy.models.decoding import LARGEST_BIAS
from victorpy.sources import decoded_page, find_pages

LONGEST = 1_000_000
BIASES = {"precision": -1.0, "recall": 1.0}


def add_decoding(parser: argparse.ArgumentParser) -> None:
    method = parser.add_mutually_exclusive_group()
    method.add_argument(
        "--decode",
        choices=("viterbi", "likeliest", "expected-f1"),
        help="how labels are chosen (as the model's config says)",
    )
    method.add_argument(
        "--threshold",
        type=_probability,
        metavar="P",
        help="keep exactly the blocks whose probability of being content is at least P, from 0 to 1",
    )
    parser.add_argument(
        "--bias",
        type=_bias,
        metavar="precision|recall|NUMBER",
        help="keep less (precision, -1) or more (recall, 1) than the model would",
    )


def add_labeler(parser: argparse.ArgumentParser) -> None:
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


def add_addresses(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--urls", metavar="FILE", help="the addresses of pages: a page, a tab and its address a line")
    parser.add_argument("--host", help="the site of pages without an address")


def share_of_one(word: str) -> float:
    try:
        share = float(word)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise argparse.ArgumentTypeError(f"'{word}' is not a number from 0 to 1")
    return share


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


def _bias(word: str) -> float:
    try:
        bias = BIASES[word] if word in BIASES else float(word)
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{word}' is neither precision nor recall nor a number") from None
    if not -LARGEST_BIAS <= bias <= LARGEST_BIAS:
        raise argparse.ArgumentTypeError(f"{word} is not between {-LARGEST_BIAS:g} and {LARGEST_BIAS:g}")
    return bias


def _probability(word: str) -> float:
    try:
        probability = float(word)
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{word}' is no number") from None
    if not 0 <= probability <= 1:
        raise argparse.ArgumentTypeError(f"{word} is not between 0 and 1")
    return probability


def add_jobs(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-j", "--jobs", type=whole_number("processes"), default=os.cpu_count() or 1, help="processes (all cores)"
    )


def whole_number(of: str = "") -> Callable[[str], int]:
    """Reads an option that is a number from 1 up; `of` says of what, where it is wrong."""

    def number(word: str) -> int:
        if not word.isdecimal() or not int(word):
            raise argparse.ArgumentTypeError(f"'{word}' is no number{of and f' of {of}'}; 1 or more is wanted")
        return int(word)

    return number


def seconds(word: str) -> float:
    try:
        number = float(word)
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{word}' is no number of seconds") from None
    if not 0 < number <= LONGEST:
        raise argparse.ArgumentTypeError(f"{word} is not over 0 and up to {LONGEST:,}")
    return number


def single_page(name: str) -> str:
    """The text of the one page that an option names."""
    pages = find_pages([name])
    if len(pages) != 1:
        raise UsageError(f"a folder of {len(pages)} pages, where one page is wanted", name)
    return decoded_page(pages[0]).required()
