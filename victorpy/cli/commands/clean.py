"""victor clean"""

import argparse
import logging
from dataclasses import replace
from pathlib import Path

from victorpy.cli.fetch_options import add_fetching, fetching_of
from victorpy.cli.filter_options import add_filters, filters_of
from victorpy.cli.option_numbers import at_least_1
from victorpy.cli.selector_options import add_selectors, selection_of
from victorpy.cli.shared_options import (
    Options,
    add_decoding,
    add_format_options,
    add_jobs,
    add_labeler,
    add_seconds,
    chosen_labeler,
    decoding_changes,
    format_options,
)
from victorpy.errors import UsageError
from victorpy.foundation.processes import Limits
from victorpy.models.defaults import DEFAULT_MODEL
from victorpy.output.destination import format_of
from victorpy.output.formats import FORMATS
from victorpy.pipeline.batch import MAX_BYTES, SAFE, Job, SiteUse
from victorpy.pipeline.clean_inputs import Handling, clean_inputs
from victorpy.sources import SINGLE, SOURCES, Inputs, PageColumns, find_inputs
from victorpy.sources.addresses import addresses

log = logging.getLogger("victorpy")

MOST_USED = ("--format", "--output", "--url", "--scope", "--bias", "--keep", "--drop", "--model")
EXAMPLES = """\
examples:
  victor clean page.html -f markdown                print the text of a page as Markdown
  victor clean pages/ -o texts/                     write a text for each page of a folder
  victor clean crawl.warc.gz -o pages.jsonl.gz      write all pages of an archive into one file
  curl -s https://example.org/ | victor clean -     clean what another program prints"""


def arguments(parser: argparse.ArgumentParser) -> None:
    add_inputs(parser)
    add_fetching(parser)
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
    add_format_options(output)
    output.add_argument("--summary", metavar="FILE", help="write the number of pages with each status, as JSON")
    output.add_argument("--quarantine", metavar="FILE", help="write the failed pages, for victor retry")
    add_labeling(parser)


def add_labeling(parser: argparse.ArgumentParser) -> None:
    """The options of labelers and filters, and the limits for each page."""
    labeling = parser.add_argument_group("labeling")
    labeling.add_argument("-m", "--model", help="name or folder of a model (web)")
    add_labeler(labeling)
    add_decoding(labeling)
    add_selectors(parser.add_argument_group("selectors"))
    add_filters(parser.add_argument_group("filters"))
    add_limits(parser.add_argument_group("processes and limits"))


def add_limits(parser: Options) -> None:
    add_jobs(parser)
    add_seconds(parser, "--timeout", SAFE.seconds, "stop a page that takes longer")
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


def add_inputs(parser: argparse.ArgumentParser) -> Options:
    """The pages, and the group of options that say how they are read."""
    parser.add_argument(
        "inputs",
        nargs="*",
        metavar="INPUT",
        help="a page, its address (https://…), a folder, a pattern,"
        " a file of many pages (.warc, .arc, .jsonl, .parquet), or - (standard input)",
    )
    sources = add_sources(parser, takes_addresses=True)
    sources.add_argument("-u", "--url", help="the address of the page, if there is only one")
    return sources


def add_sources(parser: argparse.ArgumentParser, *, takes_addresses: bool = False) -> Options:
    sources = parser.add_argument_group("input")
    listed = (
        "paths or addresses, one line each: PATH<TAB>URL or URL"
        if takes_addresses
        else "paths, one line each: PATH<TAB>URL"
    )
    sources.add_argument("--from-file", action="append", default=[], metavar="LIST", help=f"a file of {listed}")
    sources.add_argument(
        "--input-format",
        choices=sorted([*SINGLE, *SOURCES]),
        metavar="FORMAT",
        help=f"{', '.join(sorted([*SINGLE, *SOURCES]))} (from the names of the inputs)",
    )
    sources.add_argument("--html-column", default="html", metavar="NAME", help="HTML in .jsonl and .parquet (html)")
    sources.add_argument("--url-column", metavar="NAME", help="address in .jsonl and .parquet (url)")
    sources.add_argument("--id-column", metavar="NAME", help="name of the page in .jsonl and .parquet (id)")
    return sources


def run(options: argparse.Namespace) -> int:
    job = job_of(options, options.format or format_of(options.output), options.url)
    handling = replace(handling_of(options), fetching=fetching_of(options, options.max_bytes))
    return clean_inputs(inputs_of(options), job, options.output, handling)


def inputs_of(options: argparse.Namespace) -> Inputs:
    if not options.inputs and not options.from_file:
        raise UsageError("no input: name a page, its address, a folder, or a list with --from-file")
    columns = PageColumns(options.html_column, options.url_column, options.id_column)
    inputs = find_inputs(options.inputs, options.from_file, options.input_format, columns, takes_addresses=True)
    return inputs if options.input_format else inputs.with_known_stdin()


def job_of(options: argparse.Namespace, format: str, url: str | None = None) -> Job:
    labeler, model = chosen_labeler(options), options.model or DEFAULT_MODEL
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
        options=format_options(options),
        selection=selection_of(options),
        comments=options.comments,
        max_bytes=options.max_bytes,
    )


def handling_of(options: argparse.Namespace, *, counts_bytes: bool = False) -> Handling:
    limits = Limits(options.timeout, options.max_memory)
    return Handling(options.jobs, limits, options.strict, options.summary, options.quarantine, counts_bytes)
