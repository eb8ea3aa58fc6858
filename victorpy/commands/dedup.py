"""victor dedup"""

import argparse
import logging

from victorpy.commands.options import whole_number
from victorpy.deduplication.files import deduplicate
from victorpy.deduplication.records import Deduplication, Deduplicator
from victorpy.errors import MisfitError, UsageError
from victorpy.exits import FINE

log = logging.getLogger("victorpy")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "inputs",
        nargs="+",
        metavar="FILE",
        help="records of victor clean -f jsonl, .gz or .zst, the folder of a run, or -",
    )
    parser.add_argument(
        "-o", "--output", default="-", metavar="PATH", help="a file, a folder for one file each, or - (-)"
    )
    likeness = parser.add_mutually_exclusive_group()
    likeness.add_argument(
        "--threshold",
        type=float,
        default=Deduplication.threshold,
        metavar="SHARE",
        help="how near duplicates are (0.8)",
    )
    likeness.add_argument("--exact", action="store_true", help="only pages of the same text")
    parser.add_argument("--passages", action="store_true", help="drop passages, too, that were there before")
    parser.add_argument("--near-passages", action="store_true", help="and those that are near duplicates")
    parser.add_argument(
        "--least-characters", type=whole_number(), metavar="N", help="leave shorter passages alone (50)"
    )


def run(options: argparse.Namespace) -> int:
    ended = deduplicate(options.inputs, options.output, _settings(options))
    log.warning("%s", summary(ended))
    return FINE


def _settings(options: argparse.Namespace) -> Deduplication:
    has_passages = options.passages or options.near_passages
    if options.least_characters and not has_passages:
        raise UsageError("--least-characters is for --passages")
    threshold = None if options.exact else options.threshold
    least = options.least_characters or Deduplication.least_characters
    try:
        return Deduplication(threshold, has_passages, options.near_passages, least)
    except MisfitError as error:
        raise UsageError(f"--{error}") from None


def summary(ended: Deduplicator) -> str:
    counts = ended.counts
    parts = [f"{counts[name]} {name}" for name in _ENDS if counts[name]]
    passages = f"; {ended.passages_dropped} passages seen before" if ended.passages_dropped else ""
    return f"{counts.total()} records: {', '.join(parts) or 'none'}{passages}"


_ENDS = ("kept", "duplicates", "near duplicates", "dropped for their passages", "without text")
