"""victor clean"""

import argparse
import logging
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import get_args

from victorpy.batch import FAILURES, Job, Outcome, SiteUse, outcomes
from victorpy.cleaned import Status
from victorpy.commands.filters import add_filters, filters_of
from victorpy.commands.options import (
    add_decoding,
    add_jobs,
    add_labeler,
    chosen_labeler,
    decoding_changes,
)
from victorpy.commands.outputs import Text, output_for
from victorpy.crawls import addresses
from victorpy.errors import UsageError
from victorpy.exits import FAILED, FINE, SOME_PAGES_FAILED
from victorpy.formats import FORMATS
from victorpy.labelers.site import Site
from victorpy.progress import shown
from victorpy.siblings import with_references
from victorpy.sources import find_pages

log = logging.getLogger("victorpy")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("inputs", nargs="+", metavar="INPUT", help="a page, a folder of pages, or - for standard input")
    parser.add_argument("-m", "--model", help="name or folder of a model (web)")
    parser.add_argument("-f", "--format", default="cleaneval", choices=sorted(FORMATS), help="how to print (cleaneval)")
    parser.add_argument(
        "-o", "--output", default="-", metavar="PATH", help="a file, a folder, or - for standard output"
    )
    parser.add_argument("-u", "--url", help="the address of the page, where there is one input")
    add_labeler(parser)
    add_filters(parser)
    add_jobs(parser)
    parser.add_argument("--strict", action="store_true", help="exit with status 3 if any page failed")
    add_decoding(parser)


def run(options: argparse.Namespace) -> int:
    labeler, model = chosen_labeler(options), options.model or "web"
    urls = addresses(Path(options.urls)) if options.urls else {}
    changes, filters = decoding_changes(options), filters_of(options)
    sites = SiteUse(options.site, options.host) if options.site else None
    job = Job(model, options.format, changes, options.url, labeler, urls, sites, filters)
    return clean(options.inputs, job, options.output, options.jobs, is_strict=options.strict)


def clean(inputs: Sequence[str], job: Job, output: str = "-", jobs: int = 1, *, is_strict: bool = False) -> int:
    """Cleans all inputs into the output, and returns the exit status."""
    pages = find_pages(inputs)
    target = output_for(output, job.format, inputs, pages)
    if job.url and len(pages) > 1:
        raise UsageError(f"--url is for one page, and there are {len(pages)}")
    cleaner = job.cleaner()  # before any page is read: a model's trouble is not the pages'
    if isinstance(job.labeler, Site):
        job = replace(job, labeler=with_references(job.labeler, pages, cleaner.markup, job.urls))
    counts = Counter[str]()
    ended = shown(outcomes(pages, job, jobs), len(pages), "pages")
    unwritten = target.print(_texts(ended, counts))
    if len(pages) > 1:
        summary = ", ".join(f"{counts[status]} {status}" for status in get_args(Status) if counts[status])
        log.warning("%d pages: %s", counts.total(), summary)
    return FAILED if unwritten else _status(counts, is_strict=is_strict)


def _texts(ended: Iterable[Outcome], counts: Counter[str]) -> Iterator[Text]:
    """The texts of the pages that have one; of each page is told, and counted, how it ended."""
    for outcome in ended:
        counts[outcome.status] += 1
        _report(outcome)
        if outcome.text or outcome.status not in FAILURES:
            yield Text(outcome.id, outcome.text)


def _report(outcome: Outcome) -> None:
    if outcome.reason:
        level = logging.ERROR if outcome.status in FAILURES else logging.WARNING
        log.log(level, "%s: %s: %s", outcome.path, outcome.status, outcome.reason)
    if outcome.replaced:
        log.warning("%s: what is not %s was replaced, %d times", outcome.path, outcome.encoding, outcome.replaced)


def _status(counts: Counter[str], *, is_strict: bool) -> int:
    failed = sum(counts[status] for status in FAILURES)
    if failed == counts.total():
        return FAILED
    return SOME_PAGES_FAILED if failed and is_strict else FINE
