"""victor verify"""

import argparse
import logging
import os
from collections.abc import Iterator, Mapping
from contextlib import chdir
from itertools import chain
from pathlib import Path
from typing import Any, NoReturn

from victorpy.cli.commands.run import arguments as run_arguments
from victorpy.cli.commands.run import planned
from victorpy.cli.option_numbers import at_least_1, number
from victorpy.errors import VictorError
from victorpy.foundation.exit_codes import FAILED, FINE
from victorpy.pipeline.runs.manifest import counted, states_of, write_manifest
from victorpy.pipeline.runs.plan import FILE, Plan, begin, read
from victorpy.pipeline.runs.shards import Shard
from victorpy.pipeline.runs.verification import faults, sample_faults

log = logging.getLogger("victorpy")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("run_folder", metavar="RUN", help="the folder of a run")
    parser.add_argument("--sample", type=at_least_1, default=10, metavar="N", help="pages to clean again (10)")
    parser.add_argument("--seed", type=number(int), default=0, metavar="N", help="seed of the sample (0)")


def run(options: argparse.Namespace) -> int:
    plan, shards = run_at(Path(options.run_folder))
    return verify(plan, shards, options.sample, options.seed)


def run_at(folder: Path) -> tuple[Plan, list[Shard]]:
    """The run of a folder, as it was begun; it must be the same still."""
    begun, folder = read(folder), folder.absolute()
    options = _options_of(begun["options"], folder)
    with chdir(begun["folder"] if os.path.isdir(begun["folder"]) else "."):
        plan, shards = planned(options)
        begin(plan, shards, begun["options"])
    return plan, shards


class _Parser(argparse.ArgumentParser):
    """Of options that nobody has typed."""

    def error(self, message: str) -> NoReturn:
        raise VictorError(f"is damaged: its options are not those of a run: {message}")


def _options_of(begun: Mapping[str, Any], folder: Path) -> argparse.Namespace:
    """What `victor run` would make of them, if they were typed again."""
    parser = _Parser(add_help=False, allow_abbrev=False)
    run_arguments(parser)
    inputs = _each(begun.get("inputs"))
    options = [word for name, value in begun.items() if name != "inputs" for word in _words(name, value)]
    try:
        return parser.parse_args([*options, f"--output={folder}", "--jobs=1", "--", *inputs])
    except VictorError as error:
        raise VictorError(str(error), folder / FILE) from None


def _words(name: str, value: Any) -> list[str]:
    option = f"--{name.replace('_', '-')}"
    if value is True:
        return [option]
    values = _each(value)
    return (
        [f"{option}={one}" for one in values]
        if name in _SEVERAL_TIMES
        else [f"{option}={','.join(values)}"] * bool(values)
    )


# Others that are lists are given at once.
_SEVERAL_TIMES = ("from_file", "option")


def _each(value: Any) -> list[str]:
    return [] if value in (None, False) else [*map(str, value)] if isinstance(value, list) else [str(value)]


def verify(plan: Plan, shards: list[Shard], sample: int, seed: int) -> int:
    """Log each fault and return the exit status."""
    found = 0
    for found, fault in enumerate(_faults(plan, shards, sample, seed), 1):  # noqa: B007
        log.error("%s: %s", plan.folder, fault)
    if found:
        return FAILED
    write_manifest(plan, shards)
    log.warning("%s: %d pages, no errors", plan.folder, counted(states_of(plan, shards)).total())
    return FINE


def _faults(plan: Plan, shards: list[Shard], sample: int, seed: int) -> Iterator[str]:
    return chain(faults(plan, shards), sample_faults(plan, shards, sample, seed))
