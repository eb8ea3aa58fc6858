"""victor run"""

import argparse
import json
import logging
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from victorpy.cli.commands.clean import add_labeling, add_sources
from victorpy.cli.commands.dedup import add_likeness, likeness_of
from victorpy.cli.commands.dedup import summary as summary_of_duplicates
from victorpy.cli.filter_options import filters_of
from victorpy.cli.option_numbers import at_least_1
from victorpy.cli.selector_options import selection_of
from victorpy.cli.shared_options import (
    Options,
    add_format_options,
    chosen_labeler,
    decoding_changes,
    format_options,
)
from victorpy.errors import UsageError, VictorError
from victorpy.foundation.exit_codes import FAILED
from victorpy.foundation.optional import pyarrow, zstandard
from victorpy.foundation.processes import Limits
from victorpy.models.defaults import DEFAULT_MODEL
from victorpy.output.destination import write_text_to
from victorpy.output.formats import STREAMED
from victorpy.output.quarantine import check
from victorpy.pipeline.batch import SiteUse
from victorpy.pipeline.clean_inputs import log_counts, status_of, summary
from victorpy.pipeline.deduplication.records import Deduplication
from victorpy.pipeline.engines import ENGINES
from victorpy.pipeline.engines.engine_options import EngineOptions
from victorpy.pipeline.runs.execution import clean_shards, finish_run
from victorpy.pipeline.runs.journal import State, TakenError
from victorpy.pipeline.runs.manifest import counted, counted_fallbacks, digest_of_run, printed_states
from victorpy.pipeline.runs.plan import Plan, begin
from victorpy.pipeline.runs.settings import DecodingChanges, RunSettings
from victorpy.pipeline.runs.shards import Shard
from victorpy.sources import PageColumns

log = logging.getLogger("victorpy")

_PREFIX = "deduplicate-"

PACKINGS = {"gz": ".gz", "zst": ".zst", "none": ""}


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "inputs",
        nargs="*",
        metavar="INPUT",
        help="a page, a folder, a pattern, or a file of many pages (.warc, .arc, .jsonl, .parquet)",
    )
    add_sources(parser)
    _add_run_output(parser.add_argument_group("output"))
    add_labeling(parser)
    _add_deduplication(parser.add_argument_group("duplicates"))
    _add_work(parser.add_argument_group("distribution"))


def _add_run_output(parser: Options) -> None:
    parser.add_argument("-o", "--output", required=True, metavar="RUN", help="the folder of the run")
    parser.add_argument(
        "-f",
        "--format",
        default="jsonl",
        choices=sorted(STREAMED),
        metavar="FORMAT",
        help=f"{', '.join(sorted(STREAMED))} (jsonl)",
    )
    add_format_options(parser)
    parser.add_argument(
        "--packing", default="gz", choices=sorted(PACKINGS), metavar="PACKING", help="gz, zst or none (gz)"
    )
    parser.add_argument("--part-pages", type=at_least_1, default=2_000, metavar="N", help="pages in each file (2000)")
    parser.add_argument(
        "--summary", metavar="FILE", help="write the number of pages with each status, as JSON (-: standard output)"
    )
    parser.add_argument("--quarantine", metavar="FILE", help="write the failed pages, for victor retry")
    parser.add_argument("--log-json", action="store_true", help="write JSON lines to standard error")


def _add_deduplication(parser: Options) -> None:
    parser.add_argument("--deduplicate", action="store_true", help="drop exact and near duplicates")
    add_likeness(parser, _PREFIX)


def _add_work(parser: Options) -> None:
    parser.add_argument(
        "--engine", default="local", choices=sorted(ENGINES), metavar="ENGINE", help="local or dask (local)"
    )
    parser.add_argument("--scheduler", metavar="ADDRESS", help="scheduler of the engine, such as tcp://host:8786")
    parser.add_argument("--shard", type=_share, metavar="I/N", help="clean every N-th shard, from the I-th on")


def run(options: argparse.Namespace) -> int:
    if options.log_json:
        _log_as_json()
    settings = settings_of(options)
    plan, shards = settings.plan(Path(options.output)), settings.shards()
    if plan.job.labeler:
        plan.job.labeler.check_streaming()
    if options.quarantine:
        check(Path(options.quarantine))
    begin(plan, shards, settings.as_data())
    first, step = options.shard or (1, 1)
    ours = slice(first - 1, None, step)
    try:
        place = EngineOptions(options.jobs, options.scheduler)
        clean_shards(plan, shards[ours], options.engine, place, has_bar=not options.log_json)
        _finish(plan, shards, options)
    except UsageError:
        raise
    except (VictorError, KeyboardInterrupt, SystemExit):
        log.warning("%s: the finished work is kept; run the same command again to resume", plan.folder)
        raise
    status = _report(printed_states(plan, shards)[ours], options)
    if digest := digest_of_run(plan.folder):
        log.warning("%s: digest %s", plan.folder, digest)
    return status


def _finish(plan: Plan, shards: Sequence[Shard], options: argparse.Namespace) -> None:
    try:
        deduplicator = finish_run(plan, shards, options.quarantine, has_bar=not options.log_json)
    except TakenError as error:
        if not options.shard:
            raise
        log.warning("%s", error)
    else:
        if deduplicator:
            log.warning("%s", summary_of_duplicates(deduplicator))


def _report(states: Sequence[State], options: argparse.Namespace) -> int:
    counts, fallbacks = counted(states), counted_fallbacks(states)
    log_counts(counts, fallbacks)
    if options.summary:
        write_text_to(options.summary, summary(counts, fallbacks))
    damaged = sum(bool(state.end and state.end.damage) for state in states)
    if damaged:
        log.error("%d inputs are damaged; repair them and run the same command again to clean them", damaged)
    return FAILED if damaged else status_of(counts, is_strict=options.strict)


def settings_of(options: argparse.Namespace) -> RunSettings:
    """The settings that the options stand for."""
    selection_of(options)  # its errors name the options
    if options.packing == "zst":
        zstandard()
    if options.format == "parquet":
        pyarrow()
    return RunSettings(
        inputs=tuple(options.inputs),
        lists=tuple(options.from_file),
        input_format=options.input_format,
        columns=PageColumns(options.html_column, options.url_column, options.id_column),
        urls=options.urls,
        model=options.model or DEFAULT_MODEL,
        decoding=DecodingChanges(**decoding_changes(options)),
        labeler=chosen_labeler(options),
        filters=filters_of(options),
        site=SiteUse(options.site, options.host) if options.site else None,
        keep=tuple(options.keep),
        drop=tuple(options.drop),
        rules=options.rules,
        comments=options.comments,
        host=options.host if options.rules else None,
        max_bytes=options.max_bytes,
        limits=Limits(options.timeout, options.max_memory),
        format=options.format,
        format_options=format_options(options),
        part_pages=options.part_pages,
        packing=PACKINGS[options.packing],
        deduplication=_deduplication(options),
    )


def _deduplication(options: argparse.Namespace) -> Deduplication | None:
    likeness = likeness_of(options, _PREFIX)
    if likeness and not options.deduplicate:
        raise UsageError(f"--{_PREFIX}threshold and similar options need --deduplicate")
    return (likeness or Deduplication()) if options.deduplicate else None


def _share(word: str) -> tuple[int, int]:
    found = re.fullmatch(r"(\d+)/(\d+)", word)
    share = (int(found[1]), int(found[2])) if found else (0, 0)
    if not 1 <= share[0] <= share[1]:
        raise argparse.ArgumentTypeError(f"expected I/N such as 3/8, got '{word}'")
    return share


class _JsonFormatter(logging.Formatter):
    """A line of JSON for programs."""

    def format(self, record: logging.LogRecord) -> str:
        facts: Mapping[str, Any] = getattr(record, "facts", {})
        line = json.dumps({"level": record.levelname.lower(), "message": record.getMessage(), **facts})
        return line.replace("\x7f", "\\u007f")  # the only control character that JSON does not escape


def _log_as_json() -> None:
    for handler in logging.getLogger().handlers:
        handler.setFormatter(_JsonFormatter())
