"""victor clean"""

import argparse
import logging
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import get_args

from victorpy import models
from victorpy.batch import FAILURES, Job, Outcome, outcomes
from victorpy.cleaned import Status
from victorpy.commands.options import add_decoding, add_jobs, decoding_changes
from victorpy.commands.outputs import Text, format_of, output_for
from victorpy.errors import UsageError, VictorError
from victorpy.exits import FAILED, FINE, SOME_PAGES_FAILED
from victorpy.formats import FORMATS
from victorpy.progress import shown
from victorpy.sources import SOURCES, Columns, Inputs, Location, RawPage, find_inputs

log = logging.getLogger("victorpy")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "inputs",
        nargs="*",
        metavar="INPUT",
        help="a page, a folder, a pattern, a file of many pages (.warc, .arc, .jsonl, .parquet), or -",
    )
    parser.add_argument("-m", "--model", default="web", help="name or folder of a model (web)")
    parser.add_argument(
        "-f", "--format", choices=sorted(FORMATS), help="how to print (as the output is named; else cleaneval)"
    )
    parser.add_argument(
        "-o", "--output", default="-", metavar="PATH", help="a file, a folder, or - for standard output"
    )
    parser.add_argument("-u", "--url", help="the address of the page, where there is one input")
    _add_sources(parser)
    add_jobs(parser)
    parser.add_argument("--strict", action="store_true", help="exit with status 3 if any page failed")
    add_decoding(parser)


def _add_sources(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--from-file", action="append", default=[], metavar="LIST", help="a file of paths, a line each; PATH<TAB>URL"
    )
    parser.add_argument("--input-format", choices=sorted(["html", *SOURCES]), help="what the inputs are (by name)")
    parser.add_argument("--html-column", default="html", metavar="NAME", help="of .jsonl and .parquet (html)")
    parser.add_argument("--url-column", metavar="NAME", help="the same for the address (url)")
    parser.add_argument("--id-column", metavar="NAME", help="the same for the name of the page (id)")


def run(options: argparse.Namespace) -> int:
    if not options.inputs and not options.from_file:
        raise UsageError("nothing to clean: name a page, a folder, or a list with --from-file")
    columns = Columns(options.html_column, options.url_column, options.id_column)
    inputs = find_inputs(options.inputs, options.from_file, options.input_format, columns)
    format = options.format or format_of(options.output)
    job = Job(options.model, format, decoding_changes(options), options.url)
    return clean(inputs, job, options.output, options.jobs, is_strict=options.strict)


def clean(inputs: Inputs, job: Job, output: str = "-", jobs: int = 1, *, is_strict: bool = False) -> int:
    """Cleans all inputs into the output, and returns the exit status."""
    count = inputs.count
    target = output_for(output, job.format, inputs)
    if job.url and count != 1:
        raise UsageError(f"--url is for one page, and there are {count or 'many'}")
    models.load(job.model)  # before any page is read: its trouble is not the pages'
    counts, damages = Counter[str](), list[VictorError]()
    ended = outcomes(_undamaged(inputs, damages), job, jobs if count is None else max(1, min(jobs, count)))
    unwritten = target.print(_texts(shown(ended, count, "pages"), counts))
    if count != 1:
        summary = ", ".join(f"{counts[status]} {status}" for status in get_args(Status) if counts[status])
        log.warning("%d pages: %s", counts.total(), summary)
    return FAILED if unwritten or damages else _status(counts, is_strict=is_strict)


def _undamaged(inputs: Inputs, damages: list[VictorError]) -> Iterator[Location | RawPage]:
    """All pages that there are; what could not be read of a file is told, and kept for the exit status."""
    for page in inputs.pages():
        if isinstance(page, VictorError):
            log.error("%s", page)
            damages.append(page)
        else:
            yield page


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
    if failed and failed == counts.total():
        return FAILED
    return SOME_PAGES_FAILED if failed and is_strict else FINE
