"""victor run"""

import argparse
import json
import logging
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from victorpy.commands.clean import add_sources, add_ways, check_reference, inputs_of, job_of, status_of, summary, tell
from victorpy.commands.options import whole_number
from victorpy.commands.outputs import print_text
from victorpy.engines import ENGINES
from victorpy.engines.places import Place
from victorpy.errors import UsageError, VictorError
from victorpy.exits import FAILED
from victorpy.extras import pyarrow, zstandard
from victorpy.formats import STREAMED
from victorpy.runs.manifest import counted, states_of, write_manifest
from victorpy.runs.meter import Meter
from victorpy.runs.plan import Plan, begin
from victorpy.runs.shards import Shard, shards_of
from victorpy.sandbox import Limits

log = logging.getLogger("victorpy")

PACKINGS = {"gz": ".gz", "zst": ".zst", "none": ""}

# Of the options, those that make no other run.
_OF_THIS_TIME = frozenset(
    ["command", "output", "quiet", "verbose", "jobs", "strict", "shard", "engine", "scheduler", "summary", "log_json"]
)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "inputs",
        nargs="*",
        metavar="INPUT",
        help="a page, a folder, a pattern, a file of many pages (.warc, .arc, .jsonl, .parquet)",
    )
    parser.add_argument("-o", "--output", required=True, metavar="RUN", help="the folder of the run")
    parser.add_argument("-f", "--format", default="jsonl", choices=sorted(STREAMED), help="how to print (jsonl)")
    parser.add_argument("--packing", default="gz", choices=sorted(PACKINGS), help="how files of texts are packed (gz)")
    parser.add_argument(
        "--part-pages", type=whole_number("pages"), default=2_000, metavar="N", help="pages in a file of texts (2000)"
    )
    add_sources(parser)
    add_ways(parser)
    parser.add_argument("--engine", default="local", choices=sorted(ENGINES), help="who does the work (local)")
    parser.add_argument("--scheduler", metavar="ADDRESS", help="of the engine, such as tcp://host:8786")
    parser.add_argument("--shard", type=_share, metavar="I/N", help="do the I-th, (I+N)-th … shard only")
    parser.add_argument("--summary", metavar="FILE", help="write there (-: print) how many pages ended in which way")
    parser.add_argument("--log-json", action="store_true", help="each line on standard error as a JSON object")


def run(options: argparse.Namespace) -> int:
    if options.log_json:
        _log_as_json()
    plan, shards = planned(options)
    check_reference(plan.job.labeler)
    begin(plan, shards, {name: value for name, value in vars(options).items() if name not in _OF_THIS_TIME})
    first, step = options.shard or (1, 1)
    ours = shards[first - 1 :: step]
    _work(plan, ours, options)
    write_manifest(plan, shards)
    return _told(plan, ours, options)


def _work(plan: Plan, shards: Sequence[Shard], options: argparse.Namespace) -> None:
    done = [shard for shard, state in zip(shards, states_of(plan, shards), strict=True) if state.end]
    meter = Meter(shards, done, has_bar=not options.log_json)
    try:
        ENGINES[options.engine](plan, shards, Place(options.jobs, options.scheduler), meter)
    except UsageError:
        raise
    except (VictorError, KeyboardInterrupt, SystemExit):
        log.warning("%s: what is done is kept; the same command goes on from there", plan.folder)
        raise
    finally:
        meter.close()


def _told(plan: Plan, ours: Sequence[Shard], options: argparse.Namespace) -> int:
    states = states_of(plan, ours)
    counts = counted(states)
    tell(counts)
    if options.summary:
        print_text(summary(counts), options.summary)
    damaged = sum(bool(state.end and state.end.damage) for state in states)
    if damaged:
        log.error("%d inputs were not whole; once they are, the same command cleans them anew", damaged)
    return FAILED if damaged else status_of(counts, is_strict=options.strict)


def planned(options: argparse.Namespace) -> tuple[Plan, list[Shard]]:
    """What the options mean."""
    inputs = inputs_of(options, keeps_missing=True)
    if options.packing == "zst":
        zstandard()
    if options.format == "parquet":
        pyarrow()
    plan = Plan(
        Path(options.output),
        job_of(options, options.format),
        Limits(options.timeout, options.max_memory),
        inputs.columns,
        options.part_pages,
        PACKINGS[options.packing],
    )
    return plan, shards_of(inputs)


def _share(word: str) -> tuple[int, int]:
    found = re.fullmatch(r"(\d+)/(\d+)", word)
    share = (int(found[1]), int(found[2])) if found else (0, 0)
    if not 1 <= share[0] <= share[1]:
        raise argparse.ArgumentTypeError(f"'{word}' is not such as 3/8: a number, and of how many")
    return share


class _Json(logging.Formatter):
    """A line that programs read."""

    def format(self, record: logging.LogRecord) -> str:
        facts: Mapping[str, Any] = getattr(record, "facts", {})
        return json.dumps({"level": record.levelname.lower(), "message": record.getMessage(), **facts})


def _log_as_json() -> None:
    for handler in logging.getLogger().handlers:
        handler.setFormatter(_Json())
