"""victor verify"""

import argparse
import logging
import os
from collections.abc import Iterator
from contextlib import chdir
from itertools import chain
from pathlib import Path

from victorpy.commands.options import whole_number
from victorpy.commands.run import planned
from victorpy.exits import FAILED, FINE
from victorpy.runs.manifest import counted, states_of, write_manifest
from victorpy.runs.plan import Plan, begin, read
from victorpy.runs.shards import Shard
from victorpy.runs.verifying import faults, sample_faults

log = logging.getLogger("victorpy")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("run_folder", metavar="RUN", help="the folder of a run")
    parser.add_argument(
        "--sample", type=whole_number("pages"), default=10, metavar="N", help="clean so many pages again (10)"
    )
    parser.add_argument("--seed", type=int, default=0, help="which pages these are (0)")


def run(options: argparse.Namespace) -> int:
    plan, shards = run_at(Path(options.run_folder))
    return verify(plan, shards, options.sample, options.seed)


def run_at(folder: Path) -> tuple[Plan, list[Shard]]:
    """The run of a folder, as it was begun; it must be the same still."""
    begun, folder = read(folder), folder.absolute()
    options = argparse.Namespace(**begun["options"], output=str(folder), jobs=1, strict=False)
    with chdir(begun["folder"] if os.path.isdir(begun["folder"]) else "."):
        plan, shards = planned(options)
        begin(plan, shards, begun["options"])
    return plan, shards


def verify(plan: Plan, shards: list[Shard], sample: int, seed: int) -> int:
    """Names each fault, and returns the exit status."""
    found = 0
    for found, fault in enumerate(_faults(plan, shards, sample, seed), 1):  # noqa: B007
        log.error("%s: %s", plan.folder, fault)
    if found:
        return FAILED
    write_manifest(plan, shards)
    log.warning("%s: %d pages, as they should be", plan.folder, counted(states_of(plan, shards)).total())
    return FINE


def _faults(plan: Plan, shards: list[Shard], sample: int, seed: int) -> Iterator[str]:
    return chain(faults(plan, shards), sample_faults(plan, shards, sample, seed))
