"""victor verify"""

import argparse
import logging
import re
from pathlib import Path

from victorpy.cli.option_numbers import at_least_1, number
from victorpy.foundation.exit_codes import FAILED, FINE
from victorpy.pipeline.runs.run_folder import Run

log = logging.getLogger("victorpy")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("run_folder", metavar="RUN", help="the folder of a run")
    parser.add_argument("--sample", type=at_least_1, default=10, metavar="N", help="pages to clean again (10)")
    parser.add_argument(
        "--digest", type=_digest, metavar="SHA256", help="the digest that the run was known by when it was finished"
    )
    parser.add_argument("--seed", type=number(int), default=0, metavar="N", help="seed of the sample (0)")


def run(options: argparse.Namespace) -> int:
    opened = Run.open(Path(options.run_folder))
    found = opened.verify(options.sample, options.seed, options.digest)
    for fault in found:
        log.error("%s: %s", opened.folder, fault)
    if found:
        return FAILED
    log.warning("%s: %d pages, no errors, digest %s", opened.folder, opened.counts().total(), opened.digest)
    return FINE


def _digest(word: str) -> str:
    if not re.fullmatch("[0-9a-f]{64}", word):
        raise argparse.ArgumentTypeError(f"expected 64 hexadecimal digits, got '{word}'")
    return word
