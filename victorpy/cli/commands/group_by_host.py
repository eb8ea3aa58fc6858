"""victor group-by-host"""

import argparse
import logging
from collections.abc import Sequence
from pathlib import Path

from victorpy.cli.option_numbers import at_least_1
from victorpy.errors import UsageError
from victorpy.foundation.exit_codes import FAILED, FINE
from victorpy.foundation.files import check_no_device
from victorpy.foundation.progress import shown
from victorpy.pipeline.grouping import FILES, GROUPS, Grouping, Totals, group
from victorpy.sources import ARCHIVES, STDIN, find_pages

log = logging.getLogger("victorpy")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("inputs", nargs="+", metavar="INPUT", help="a WARC or ARC file, a folder of them, or a pattern")
    parser.add_argument("-o", "--output", required=True, metavar="FOLDER", help="folder of the new WARC files")
    parser.add_argument(
        "--by",
        choices=GROUPS,
        default="host",
        metavar="KEY",
        help="group by host, or by registered domain: host or domain (host)",
    )
    parser.add_argument(
        "--files",
        choices=FILES,
        default="shards",
        metavar="KIND",
        help="shards, or sites: a file for each host, such as ac/abc.co.uk.warc.gz (shards)",
    )
    parser.add_argument("--shards", type=at_least_1, default=16, metavar="N", help="number of files (16)")
    parser.add_argument("--max-memory", type=at_least_1, default=500, metavar="MB", help="memory for records (500)")


def run(options: argparse.Namespace) -> int:
    grouping = Grouping(options.by, options.shards, options.max_memory * 1_000_000, options.files)
    return group_by_host(options.inputs, Path(options.output), grouping)


def group_by_host(names: Sequence[str], folder: Path, grouping: Grouping) -> int:
    """Group the records of all inputs, log their number and return the exit status."""
    paths = [location.path for location in find_pages(names, ARCHIVES)]
    if STDIN in paths:
        raise UsageError("expected archives in files, not standard input")
    for path in paths:
        check_no_device(path)
    totals = group(shown(paths, len(paths), "archives"), folder, grouping)
    log.warning("%s", _summary(totals))
    return FAILED if totals.damages else FINE


def _summary(totals: Totals) -> str:
    kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(totals.dropped.items()))
    dropped = f"; {totals.dropped.total()} without a host dropped: {kinds}" if kinds else ""
    return f"{totals.read} records read: {totals.written} of {totals.hosts} hosts in {totals.files} files{dropped}"
