"""victor dedup"""

import argparse
import logging

from victorpy.cli.option_numbers import at_least_1, number
from victorpy.cli.shared_options import Options
from victorpy.errors import OptionError, UsageError
from victorpy.foundation.exit_codes import FINE
from victorpy.pipeline.deduplication.record_files import deduplicate
from victorpy.pipeline.deduplication.records import Deduplication, Deduplicator

log = logging.getLogger("victorpy")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "inputs",
        nargs="+",
        metavar="FILE",
        help="output of victor clean -f jsonl (.gz and .zst too), the folder of a run, or -",
    )
    parser.add_argument(
        "-o",
        "--output",
        default="-",
        metavar="PATH",
        help="write to this file, or to a file each in this folder (-: standard output)",
    )
    add_likeness(parser)


def add_likeness(parser: Options, prefix: str = "") -> None:
    """What counts as a duplicate; `prefix` begins the names of the options."""
    likeness = parser.add_mutually_exclusive_group()
    likeness.add_argument(
        f"--{prefix}threshold", type=number(float), metavar="SHARE", help="similarity of near duplicates (0.8)"
    )
    likeness.add_argument(f"--{prefix}exact", action="store_true", help="drop only pages with the same text")
    parser.add_argument(f"--{prefix}passages", action="store_true", help="drop repeated passages, too")
    parser.add_argument(f"--{prefix}near-passages", action="store_true", help="drop nearly repeated passages, too")
    parser.add_argument(f"--{prefix}least-characters", type=at_least_1, metavar="N", help="keep shorter passages (50)")


def likeness_of(options: argparse.Namespace, prefix: str = "") -> Deduplication | None:
    """None if no option is given."""
    names = ("threshold", "exact", "passages", "near_passages", "least_characters")
    given = {name: getattr(options, prefix.replace("-", "_") + name) for name in names}
    if not any(value is not None and value is not False for value in given.values()):
        return None
    has_passages = given["passages"] or given["near_passages"]
    if given["least_characters"] and not has_passages:
        raise UsageError(f"--{prefix}least-characters needs --{prefix}passages")
    usual = Deduplication.threshold if given["threshold"] is None else given["threshold"]
    least = given["least_characters"] or Deduplication.least_characters
    try:
        return Deduplication(None if given["exact"] else usual, has_passages, given["near_passages"], least)
    except OptionError as error:
        raise UsageError(f"--{prefix}{error}") from None


def run(options: argparse.Namespace) -> int:
    ended = deduplicate(options.inputs, options.output, likeness_of(options) or Deduplication())
    log.warning("%s", summary(ended))
    return FINE


def summary(ended: Deduplicator) -> str:
    counts = ended.counts
    parts = [f"{counts[name]} {name}" for name in _RESULTS if counts[name]]
    passages = f"; {ended.passages_dropped} repeated passages" if ended.passages_dropped else ""
    return f"{counts.total()} records: {', '.join(parts) or 'none'}{passages}"


_RESULTS = ("kept", "duplicates", "near duplicates", "dropped for their passages", "without text")
