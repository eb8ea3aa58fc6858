"""victor clean"""

import argparse
import json
import logging
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar, get_args

from victorpy.cli.filter_options import add_filters, filters_of
from victorpy.cli.option_numbers import at_least_1, number
from victorpy.cli.output_options import Output, format_of, output_for, print_text
from victorpy.cli.shared_options import (
    LONGEST_SECONDS,
    add_decoding,
    add_jobs,
    add_labeler,
    chosen_labeler,
    decoding_changes,
)
from victorpy.errors import UsageError, VictorError
from victorpy.foundation.bounds import Range
from victorpy.foundation.exit_codes import FAILED, FINE, SOME_PAGES_FAILED
from victorpy.foundation.processes import Limits
from victorpy.foundation.progress import shown
from victorpy.output.cleaned import CLEANED, FAILURES, Status
from victorpy.output.formats import FORMATS
from victorpy.output.outcome import Outcome
from victorpy.output.quarantine import quarantined
from victorpy.pipeline.batch import MAX_BYTES, SAFE, Job, SiteUse, outcomes
from victorpy.sources import SOURCES, Inputs, Location, PageColumns, RawPage, find_inputs
from victorpy.sources.addresses import addresses

log = logging.getLogger("victorpy")

Page = TypeVar("Page", Location, RawPage, Location | RawPage)


@dataclass(frozen=True)
class Handling:
    """In how many processes, held to what; and what is kept of how the pages ended, where a file is named."""

    jobs: int = 1
    limits: Limits = SAFE
    is_strict: bool = False
    summary: str | None = None
    quarantine: str | None = None


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "inputs",
        nargs="*",
        metavar="INPUT",
        help="a page, a folder, a pattern, a file of many pages (.warc, .arc, .jsonl, .parquet), or -",
    )
    parser.add_argument("-u", "--url", help="the address of the page, where there is one input")
    add_sources(parser)
    add_cleaning(parser)


def add_cleaning(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-f", "--format", choices=sorted(FORMATS), help="how to print (as the output is named; else cleaneval)"
    )
    parser.add_argument(
        "-o", "--output", default="-", metavar="PATH", help="a file, a folder, or - for standard output"
    )
    add_ways(parser)
    parser.add_argument("--summary", metavar="FILE", help="write there how many pages ended in which way, as JSON")
    parser.add_argument("--quarantine", metavar="FILE", help="keep there the pages that failed, for victor retry")


def add_ways(parser: argparse.ArgumentParser) -> None:
    """By what pages are cleaned, and within what limits."""
    parser.add_argument("-m", "--model", help="name or folder of a model (web)")
    add_labeler(parser)
    add_filters(parser)
    add_jobs(parser)
    parser.add_argument("--strict", action="store_true", help="exit with status 3 if any page failed")
    add_decoding(parser)
    _add_limits(parser)


def _add_limits(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--timeout",
        type=number(float, Range(above=0, most=LONGEST_SECONDS)),
        default=SAFE.seconds,
        metavar="SECONDS",
        help=f"for one page ({SAFE.seconds:g})",
    )
    parser.add_argument(
        "--max-memory",
        type=at_least_1,
        default=SAFE.megabytes,
        metavar="MB",
        help=f"that one page may take ({SAFE.megabytes})",
    )
    parser.add_argument(
        "--max-bytes",
        type=at_least_1,
        default=MAX_BYTES,
        metavar="N",
        help=f"drop pages that are larger ({MAX_BYTES})",
    )


def add_sources(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--from-file", action="append", default=[], metavar="LIST", help="a file of paths, a line each; PATH<TAB>URL"
    )
    parser.add_argument("--input-format", choices=sorted(["html", *SOURCES]), help="what the inputs are (by name)")
    parser.add_argument("--html-column", default="html", metavar="NAME", help="of .jsonl and .parquet (html)")
    parser.add_argument("--url-column", metavar="NAME", help="the same for the address (url)")
    parser.add_argument("--id-column", metavar="NAME", help="the same for the name of the page (id)")


def run(options: argparse.Namespace) -> int:
    job = job_of(options, options.format or format_of(options.output), options.url)
    return clean(inputs_of(options), job, options.output, handling_of(options))


def inputs_of(options: argparse.Namespace, *, keeps_missing: bool = False) -> Inputs:
    if not options.inputs and not options.from_file:
        raise UsageError("nothing to clean: name a page, a folder, or a list with --from-file")
    columns = PageColumns(options.html_column, options.url_column, options.id_column)
    return find_inputs(options.inputs, options.from_file, options.input_format, columns, keeps_missing=keeps_missing)


def job_of(options: argparse.Namespace, format: str, url: str | None = None) -> Job:
    labeler, model = chosen_labeler(options), options.model or "web"
    urls = addresses(Path(options.urls)) if options.urls else {}
    changes, filters = decoding_changes(options), filters_of(options)
    sites = SiteUse(options.site, options.host) if options.site else None
    return Job(model, format, changes, url, labeler, urls, sites, filters, options.max_bytes)


def handling_of(options: argparse.Namespace) -> Handling:
    limits = Limits(options.timeout, options.max_memory)
    return Handling(options.jobs, limits, options.strict, options.summary, options.quarantine)


def clean(inputs: Inputs, job: Job, output: str = "-", handling: Handling = Handling()) -> int:
    """Cleans all inputs into the output, and returns the exit status."""
    target = output_for(output, job.format, inputs)
    if job.url and inputs.count != 1:
        raise UsageError(f"--url is for one page, and there are {inputs.count or 'many'}")
    if job.labeler:
        job = replace(job, labeler=job.labeler.prepared(inputs, job.urls))
    damages = list[VictorError]()
    status = clean_pages(undamaged(inputs.pages(job.max_bytes), damages), inputs.count, job, target, handling)
    return FAILED if damages else status


def undamaged(pages: Iterable[Page | VictorError], damages: list[VictorError]) -> Iterator[Page]:
    """All pages that there are; what could not be read of a file is told, and kept for the exit status."""
    for page in pages:
        if isinstance(page, VictorError):
            log.error("%s", page)
            damages.append(page)
        else:
            yield page


def clean_pages(
    pages: Iterable[Location | RawPage], total: int | None, job: Job, target: Output, handling: Handling = Handling()
) -> int:
    """Cleans them into the target, and returns the exit status."""
    counts = Counter[Status]()
    ended = shown(outcomes(pages, job, handling.jobs, handling.limits), total, "pages")
    if handling.quarantine:
        ended = quarantined(ended, Path(handling.quarantine))
    unwritten = target.print(_told(ended, counts))
    if total != 1:
        tell(counts)
    if handling.summary:
        print_text(summary(counts), handling.summary)
    return FAILED if unwritten else status_of(counts, is_strict=handling.is_strict)


def tell(counts: Counter[Status]) -> None:
    ended = ", ".join(f"{counts[status]} {status}" for status in get_args(Status) if counts[status])
    log.warning("%d pages: %s", counts.total(), ended)


def summary(counts: Counter[Status]) -> str:
    return json.dumps({"pages": counts.total(), **{status: counts[status] for status in get_args(Status)}}) + "\n"


def _told(ended: Iterable[Outcome], counts: Counter[Status]) -> Iterator[Outcome]:
    """The same; of each page is told, and counted, how it ended."""
    for outcome in ended:
        counts[outcome.status] += 1
        _report(outcome)
        yield outcome


def _report(outcome: Outcome) -> None:
    if outcome.reason:
        level = logging.ERROR if outcome.status in FAILURES else logging.WARNING
        log.log(level, "%s: %s: %s", outcome.path, outcome.status, outcome.reason)
    if outcome.replaced:
        log.warning("%s: what is not %s was replaced, %d times", outcome.path, outcome.encoding, outcome.replaced)


def status_of(counts: Counter[Status], *, is_strict: bool) -> int:
    """Pages that were dropped ended as was asked for."""
    if not any(counts[status] for status in FAILURES):
        return FINE
    if not any(counts[status] for status in CLEANED):
        return FAILED
    return SOME_PAGES_FAILED if is_strict else FINE
