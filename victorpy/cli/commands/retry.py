"""victor retry"""

import argparse
import logging
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

from victorpy.cli.commands.clean import add_cleaning, handling_of, job_of
from victorpy.cli.fetch_options import add_fetching, fetching_of
from victorpy.foundation.exit_codes import FINE
from victorpy.output.destination import destination_for, format_of
from victorpy.output.quarantine import KEPT, locations, pages
from victorpy.pipeline.clean_inputs import clean_pages, undamaged
from victorpy.pipeline.fetching_inputs import with_fetched
from victorpy.pipeline.runs.failed import failed_records, pages_of
from victorpy.pipeline.runs.run_folder import Run
from victorpy.sources import Inputs

log = logging.getLogger("victorpy")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "quarantined", metavar="QUARANTINE", help="a file written by --quarantine, or the folder of a run"
    )
    parser.add_argument(
        "--only",
        action="append",
        choices=KEPT,
        metavar="STATUS",
        help=f"clean only pages with this status; repeatable: {', '.join(KEPT)} (all)",
    )
    add_fetching(parser)
    add_cleaning(parser)


def run(options: argparse.Namespace) -> int:
    path, only = Path(options.quarantined), options.only or KEPT
    return _of_run(path, only, options) if path.is_dir() else _of_quarantine(path, only, options)


def _of_quarantine(path: Path, only: Collection[str], options: argparse.Namespace) -> int:
    job = job_of(options, options.format or format_of(options.output))
    found = locations(path, only)
    if not found:
        return _nothing(path, only)
    target = destination_for(options.output, job.format, Inputs(found), job.options)
    again = with_fetched(pages(path, only, job.max_bytes), fetching_of(options, job.max_bytes))
    return clean_pages(undamaged(again, []), len(found), job, target, handling_of(options))


def _of_run(path: Path, only: Collection[str], options: argparse.Namespace) -> int:
    opened = Run.open(path)
    records = failed_records(opened.plan, opened.shards, only)
    if not records:
        return _nothing(path, only)
    job = job_of(options, options.format or format_of(options.output))
    begun = opened.plan.job
    job = replace(job, selection=job.selection or begun.selection, comments=job.comments or begun.comments)
    found, total = pages_of(opened.plan, opened.shards, records, job.max_bytes), sum(map(len, records.values()))
    target = destination_for(options.output, job.format, Inputs(()), job.options)
    return clean_pages(found, total, job, target, handling_of(options))


def _nothing(path: Path, only: Collection[str]) -> int:
    log.warning("%s: no page with the status %s", path, " or ".join(only))
    return FINE
