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
    Options,
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
    """Processes and limits; files for the summary and the failed pages, if any; and the rule for the exit status."""

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
        help="a page, a folder, a pattern, a file of many pages (.warc, .arc, .jsonl, .parquet), or - (standard input)",
    )
    sources = add_sources(parser)
    sources.add_argument("-u", "--url", help="the address of the page, if there is only one")
    add_cleaning(parser)


def add_cleaning(parser: argparse.ArgumentParser) -> None:
    output = parser.add_argument_group("output")
    output.add_argument(
        "-f",
        "--format",
        choices=sorted(FORMATS),
        metavar="FORMAT",
        help=f"{', '.join(sorted(FORMATS))} (from the name of the output, or else cleaneval)",
    )
    output.add_argument(
        "-o", "--output", default="-", metavar="PATH", help="write to this file or folder (-: standard output)"
    )
    output.add_argument("--summary", metavar="FILE", help="write the number of pages with each status, as JSON")
    output.add_argument("--quarantine", metavar="FILE", help="write the failed pages, for victor retry")
    add_labeling(parser)


def add_labeling(parser: argparse.ArgumentParser) -> None:
    """The options of labelers and filters, and the limits for each page."""
    labeling = parser.add_argument_group("labeling")
    labeling.add_argument("-m", "--model", help="name or folder of a model (web)")
    add_labeler(labeling)
    add_decoding(labeling)
    add_filters(parser.add_argument_group("filters"))
    _add_limits(parser.add_argument_group("processes and limits"))


def _add_limits(parser: Options) -> None:
    add_jobs(parser)
    parser.add_argument(
        "--timeout",
        type=number(float, Range(above=0, most=LONGEST_SECONDS)),
        default=SAFE.seconds,
        metavar="SECONDS",
        help=f"stop a page that takes longer ({SAFE.seconds:g})",
    )
    parser.add_argument(
        "--max-memory",
        type=at_least_1,
        default=SAFE.megabytes,
        metavar="MB",
        help=f"stop a page that takes more memory ({SAFE.megabytes})",
    )
    parser.add_argument(
        "--max-bytes", type=at_least_1, default=MAX_BYTES, metavar="N", help=f"drop larger pages ({MAX_BYTES})"
    )
    parser.add_argument("--strict", action="store_true", help="exit with status 3 if any page failed")


def add_sources(parser: argparse.ArgumentParser) -> Options:
    sources = parser.add_argument_group("input")
    sources.add_argument(
        "--from-file", action="append", default=[], metavar="LIST", help="a file of paths, one line each: PATH<TAB>URL"
    )
    sources.add_argument(
        "--input-format",
        choices=sorted(["html", *SOURCES]),
        metavar="FORMAT",
        help=f"{', '.join(sorted(['html', *SOURCES]))} (from the names of the inputs)",
    )
    sources.add_argument("--html-column", default="html", metavar="NAME", help="HTML in .jsonl and .parquet (html)")
    sources.add_argument("--url-column", metavar="NAME", help="address in .jsonl and .parquet (url)")
    sources.add_argument("--id-column", metavar="NAME", help="name of the page in .jsonl and .parquet (id)")
    return sources


def run(options: argparse.Namespace) -> int:
    job = job_of(options, options.format or format_of(options.output), options.url)
    return clean(inputs_of(options), job, options.output, handling_of(options))


def inputs_of(options: argparse.Namespace, *, keeps_missing: bool = False) -> Inputs:
    if not options.inputs and not options.from_file:
        raise UsageError("no input: name a page, a folder, or a list with --from-file")
    columns = PageColumns(options.html_column, options.url_column, options.id_column)
    return find_inputs(options.inputs, options.from_file, options.input_format, columns, keeps_missing=keeps_missing)


def job_of(options: argparse.Namespace, format: str, url: str | None = None) -> Job:
    labeler, model = chosen_labeler(options), options.model or "web"
    urls = addresses(Path(options.urls)) if options.urls else {}
    changes, filters = decoding_changes(options), filters_of(options)
    sites = SiteUse(options.site, options.host) if options.site else None
    return Job(
        model,
        format,
        decoding=changes,
        url=url,
        labeler=labeler,
        urls=urls,
        sites=sites,
        filters=filters,
        max_bytes=options.max_bytes,
    )


def handling_of(options: argparse.Namespace) -> Handling:
    limits = Limits(options.timeout, options.max_memory)
    return Handling(options.jobs, limits, options.strict, options.summary, options.quarantine)


def clean(inputs: Inputs, job: Job, output: str = "-", handling: Handling = Handling()) -> int:
    """Clean all inputs into the output and return the exit status."""
    target = output_for(output, job.format, inputs)
    if job.url and inputs.count != 1:
        raise UsageError(f"--url needs exactly one page, got {inputs.count or 'many'}")
    if job.labeler:
        job = replace(job, labeler=job.labeler.prepared(inputs, job.urls))
    damages = list[VictorError]()
    status = clean_pages(undamaged(inputs.pages(job.max_bytes), damages), inputs.count, job, target, handling)
    return FAILED if damages else status


def undamaged(pages: Iterable[Page | VictorError], damages: list[VictorError]) -> Iterator[Page]:
    """The readable pages. Log and collect the errors of damaged files, for the exit status."""
    for page in pages:
        if isinstance(page, VictorError):
            log.error("%s", page)
            damages.append(page)
        else:
            yield page


def clean_pages(
    pages: Iterable[Location | RawPage], total: int | None, job: Job, target: Output, handling: Handling = Handling()
) -> int:
    """Clean pages into the target and return the exit status."""
    counts = Counter[Status]()
    ended = shown(outcomes(pages, job, handling.jobs, handling.limits), total, "pages")
    if handling.quarantine:
        ended = quarantined(ended, Path(handling.quarantine))
    unwritten = target.print(_counted(ended, counts))
    if total != 1:
        log_counts(counts)
    if handling.summary:
        print_text(summary(counts), handling.summary)
    return FAILED if unwritten else status_of(counts, is_strict=handling.is_strict)


def log_counts(counts: Counter[Status]) -> None:
    ended = ", ".join(f"{counts[status]} {status}" for status in get_args(Status) if counts[status])
    log.warning("%d pages: %s", counts.total(), ended)


def summary(counts: Counter[Status]) -> str:
    return json.dumps({"pages": counts.total(), **{status: counts[status] for status in get_args(Status)}}) + "\n"


def _counted(ended: Iterable[Outcome], counts: Counter[Status]) -> Iterator[Outcome]:
    """Log and count each outcome while passing it on."""
    for outcome in ended:
        counts[outcome.status] += 1
        _report(outcome)
        yield outcome


def _report(outcome: Outcome) -> None:
    if outcome.reason:
        level = logging.ERROR if outcome.status in FAILURES else logging.WARNING
        log.log(level, "%s: %s: %s", outcome.path, outcome.status, outcome.reason)
    if outcome.replaced:
        log.warning("%s: not valid %s: replaced %d characters", outcome.path, outcome.encoding, outcome.replaced)


def status_of(counts: Counter[Status], *, is_strict: bool) -> int:
    """Dropped pages are intended, so they are not failures."""
    if not any(counts[status] for status in FAILURES):
        return FINE
    if not any(counts[status] for status in CLEANED):
        return FAILED
    return SOME_PAGES_FAILED if is_strict else FINE
