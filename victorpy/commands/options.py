"""Options that several commands share."""

import argparse
import os
from collections.abc import Callable
from typing import Any

from victorpy.decode import decode, is_binary
from victorpy.errors import UsageError, VictorError
from victorpy.labelers.decoding import LARGEST_BIAS
from victorpy.sources import find_pages, read_page

LONGEST = 1_000_000
BIASES = {"precision": -1.0, "recall": 1.0}


def add_decoding(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--decode",
        choices=("viterbi", "likeliest", "expected-f1"),
        help="how labels are chosen (as the model's config says)",
    )
    parser.add_argument(
        "--bias",
        type=_bias,
        metavar="precision|recall|NUMBER",
        help="keep less (precision, -1) or more (recall, 1) than the model would",
    )


def decoding_changes(options: argparse.Namespace) -> dict[str, Any]:
    """What the options change of a model's decoding."""
    changes = {"method": options.decode, "bias": options.bias}
    return {name: value for name, value in changes.items() if value is not None}


def _bias(word: str) -> float:
    try:
        bias = BIASES[word] if word in BIASES else float(word)
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{word}' is neither precision nor recall nor a number") from None
    if not -LARGEST_BIAS <= bias <= LARGEST_BIAS:
        raise argparse.ArgumentTypeError(f"{word} is not between {-LARGEST_BIAS:g} and {LARGEST_BIAS:g}")
    return bias


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
    page = read_page(pages[0])
    if page.data is None:
        raise VictorError(page.problem, name)
    if is_binary(page.data):
        raise VictorError("not a text: binary data", name)
    return decode(page.data).text
