"""victor metadata"""

import argparse
import json
import logging
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from victorpy.cli.commands.clean import add_inputs, inputs_of
from victorpy.cli.fetch_options import add_fetching, fetching_of
from victorpy.cli.shared_options import add_addresses, add_jobs
from victorpy.errors import UsageError, VictorError
from victorpy.foundation.exit_codes import FAILED
from victorpy.foundation.progress import shown
from victorpy.models.defaults import DEFAULT_MODEL
from victorpy.output.cleaned import CLEANED, FAILURES, Status, printable_value
from victorpy.output.destination import write_lines_to
from victorpy.output.escapes import in_one_line, printable
from victorpy.output.outcome import Outcome
from victorpy.page.metadata import FIELD_NAMES, Metadata
from victorpy.pipeline.batch import SAFE, Job, outcomes
from victorpy.pipeline.clean_inputs import status_of, undamaged
from victorpy.pipeline.fetching_inputs import with_fetched
from victorpy.sources import Inputs, Location, RawPage
from victorpy.sources.addresses import addresses

log = logging.getLogger("victorpy")

# The language of the text, which only filters detect.
_FIELDS = tuple(name for name in FIELD_NAMES if name != "language")
_WIDTH = max(map(len, _FIELDS))


def arguments(parser: argparse.ArgumentParser) -> None:
    add_addresses(add_inputs(parser))
    add_fetching(parser)
    parser.add_argument("--evidence", action="store_true", help="print the place where each fact was found")
    parser.add_argument("--table", action="store_true", help="print a table for people, not JSON lines")
    parser.add_argument("-o", "--output", default="-", metavar="FILE", help="write to this file (-: standard output)")
    add_jobs(parser)


def run(options: argparse.Namespace) -> int:
    inputs = inputs_of(options)
    if options.url and inputs.count != 1:
        raise UsageError(f"--url needs exactly one page, got {inputs.count or 'many'}")
    urls = addresses(Path(options.urls)) if options.urls else {}
    job = Job(DEFAULT_MODEL, "text", url=options.url, urls=urls, has_metadata=True)
    damages, counts = list[VictorError](), Counter[Status]()
    printed = _table if options.table else _line
    ended = _counted(_outcomes(inputs, job, options, damages), counts)
    write_lines_to(options.output, (printed(outcome, has_evidence=options.evidence) for outcome in ended))
    return FAILED if damages else status_of(counts, is_strict=False)


def _outcomes(inputs: Inputs, job: Job, options: argparse.Namespace, damages: list[VictorError]) -> Iterator[Outcome]:
    found = with_fetched(inputs.pages(job.max_bytes), fetching_of(options, job.max_bytes))
    pages: Iterator[Location | RawPage] = undamaged(found, damages)
    return shown(outcomes(pages, job, options.jobs, SAFE), inputs.count, "pages")


def _counted(ended: Iterator[Outcome], counts: Counter[Status]) -> Iterator[Outcome]:
    for outcome in ended:
        counts[outcome.status] += 1
        if outcome.status in FAILURES:
            log.error("%s: %s: %s", outcome.path, outcome.status, outcome.reason)
        yield outcome


def _line(outcome: Outcome, *, has_evidence: bool) -> str:
    record = {"id": printable(outcome.id), **_status(outcome), **_facts(outcome.metadata)}
    if has_evidence:
        record["evidence"] = {name: printable(place) for name, place in outcome.metadata.evidence.items()}
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n"


def _status(outcome: Outcome) -> dict[str, str]:
    # A page without text may have metadata.
    is_fine = outcome.status in CLEANED
    return {"status": "ok" if is_fine else outcome.status, "reason": "" if is_fine else printable(outcome.reason)}


def _facts(metadata: Metadata) -> dict[str, Any]:
    values = metadata.values()
    return {name: printable_value(values[name]) for name in _FIELDS}


def _table(outcome: Outcome, *, has_evidence: bool) -> str:
    """A line for each fact that was found, under the name of the page."""
    metadata = outcome.metadata
    lines = [in_one_line(outcome.path or outcome.id)]
    for name, value in metadata.known().items():
        evidence = f"  ({in_one_line(place)})" if has_evidence and (place := metadata.evidence.get(name)) else ""
        lines.append(f"  {name:{_WIDTH}}  {in_one_line(value)}{evidence}")
    return "\n".join([*lines, "\n"])
