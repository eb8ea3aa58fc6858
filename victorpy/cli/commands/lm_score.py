"""victor lm score"""

import argparse
import csv
import sys
from collections.abc import Iterable, Iterator
from typing import NamedTuple, get_args

from victorpy.cli.filter_options import add_language_model, perplexity_judge
from victorpy.errors import UsageError
from victorpy.features.language.lm_training import lines
from victorpy.features.language.readings import By, Reading, kept_blocks, readings
from victorpy.foundation.exit_codes import FINE
from victorpy.foundation.terminal import escaped_line
from victorpy.page.markup import Markup
from victorpy.page.segment import segment
from victorpy.sources import Location, pages_and_texts
from victorpy.sources.decoded_pages import decoded_page

_WIDEST_TEXT = 80
_COLUMNS = ("page", "block", "perplexity", "symbols", "unknown", "text")


class ScoredText(NamedTuple):
    """A page or a text, with the perplexity of its parts."""

    id: str
    readings: list[Reading]


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "inputs", nargs="*", default=["-"], metavar="TEXT|PAGE", help="files and folders (-: standard input)"
    )
    parser.add_argument(
        "--by",
        default="block",
        choices=get_args(By),
        metavar="UNIT",
        help=f"print a line for each {', '.join(get_args(By))} (block)",
    )
    parser.add_argument(
        "--as",
        dest="kind",
        choices=("text", "page"),
        metavar="KIND",
        help="text or page (from the names of the inputs)",
    )
    parser.add_argument("--csv", action="store_true", help="print comma-separated values")
    parser.add_argument("--clean", action="store_true", help="print only the texts below the limit")
    add_language_model(parser)


def run(options: argparse.Namespace) -> int:
    if options.clean and options.by == "page":
        raise UsageError("--clean works by sentence or by block")
    judge = perplexity_judge(options)
    limit = judge.limit()  # before anything is read
    files = pages_and_texts(options.inputs).locations
    found = (ScoredText(file.id, readings(_blocks(file, options.kind), judge.model(), options.by)) for file in files)
    if options.clean:
        _print_kept(found, limit)
    elif options.csv:
        csv.writer(sys.stdout, lineterminator="\n").writerows([_COLUMNS, *_rows(found)])
    else:
        _print_table(found)
    return FINE


def _blocks(file: Location, kind: str | None) -> list[str]:
    """The blocks of a page, or the lines of a text."""
    is_text = file.is_text if kind is None else kind == "text"
    text = decoded_page(file._replace(is_text=False)).required()
    return lines(text) if is_text else segment(text, file.id, markup=Markup(mode="block")).texts


def _rows(found: Iterable[ScoredText]) -> Iterator[tuple[object, ...]]:
    return ((page.id, *reading) for page in found for reading in page.readings)


def _print_kept(found: Iterable[ScoredText], limit: float) -> None:
    for page in found:
        for block in kept_blocks(page.readings, limit):
            print(block)


def _print_table(found: Iterable[ScoredText]) -> None:
    print(f"{'perplexity':>12} {'symbols':>8} {'unknown':>8}  page, block: text")
    for page in found:
        for reading in page.readings:
            text = reading.text if len(reading.text) <= _WIDEST_TEXT else f"{reading.text[:_WIDEST_TEXT]}…"
            place = f"{page.id}, {reading.block}: {text}" if text else page.id
            print(f"{reading.perplexity:>12,.1f} {reading.symbols:>8} {reading.unknown:>8}  {escaped_line(place)}")
