"""victor retry"""

import argparse
import logging
from pathlib import Path

from victorpy.commands.clean import add_cleaning, clean_pages, handling_of, job_of
from victorpy.commands.outputs import format_of, output_for
from victorpy.exits import FINE
from victorpy.quarantine import KEPT, locations, pages
from victorpy.sources import Inputs

log = logging.getLogger("victorpy")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("quarantined", metavar="QUARANTINE", help="what clean --quarantine has written")
    parser.add_argument(
        "--only", action="append", choices=KEPT, help="pages that ended like this; may be given several times (all)"
    )
    add_cleaning(parser)


def run(options: argparse.Namespace) -> int:
    path, only = Path(options.quarantined), options.only or KEPT
    job = job_of(options, options.format or format_of(options.output))
    found = locations(path, only)
    if not found:
        log.warning("%s: no page in it ended as %s", path, " or ".join(only))
        return FINE
    target = output_for(options.output, job.format, Inputs(found))
    return clean_pages(pages(path, only, job.max_bytes), len(found), job, target, handling_of(options))
