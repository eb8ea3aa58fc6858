"""victor verify"""

import argparse
import logging
from pathlib import Path

from victorpy.cli.option_numbers import at_least_1, number
from victorpy.foundation.exit_codes import FAILED, FINE
from victorpy.pipeline.runs.run_folder import Run

log = logging.getLogger("victorpy")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("run_folder", metavar="RUN", help="the folder of a run")
    parser.add_argument("--sample", type=at_least_1, default=10, metavar="N", help="pages to clean again (10)")
    parser.add_argument("--seed", type=number(int), default=0, metavar="N", help="seed of the sample (0)")


def run(options: argparse.Namespace) -> int:
    opened = Run.open(Path(options.run_folder))
    found = opened.verify(options.sample, options.seed)
    for fault in found:
        log.error("%s: %s", opened.folder, fault)
    if found:
        return FAILED
    log.warning("%s: %d pages, no errors", opened.folder, opened.counts().total())
    return FINE
