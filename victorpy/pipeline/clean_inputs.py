"""Clean many inputs into one destination, with a count of all statuses and an exit status."""

import logging
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar, get_args

from victorpy.errors import UsageError, VictorError
from victorpy.foundation.exit_codes import FAILED, FINE, SOME_PAGES_FAILED
from victorpy.foundation.processes import Limits
from victorpy.foundation.progress import shown
from victorpy.output.cleaned import CLEANED, FAILURES, Status
from victorpy.output.destination import Destination, destination_for, write_text_to
from victorpy.output.outcome import Outcome
from victorpy.pipeline.batch import SAFE, Job, outcomes
from victorpy.pipeline.fetching_inputs import Fetching, with_fetched
from victorpy.sources import Inputs, Location, RawPage

log = logging.getLogger("victorpy")

InputPage = TypeVar("InputPage", Location, RawPage, Location | RawPage)


@dataclass(frozen=True)
class Handling:
    """Processes and limits; files for the summary and the failed pages, if any; and the rule for the exit status.

    With `counts_bytes`, the bytes that were read and written are reported. `fetching` says how addresses are fetched.
    """

    jobs: int = 1
    limits: Limits = SAFE
    is_strict: bool = False
    summary: str | None = None
    quarantine: str | None = None
    counts_bytes: bool = False
    fetching: Fetching | None = None


@dataclass
class Sizes:
    """The bytes of the pages that were cleaned, and those of their texts."""

    read: int = 0
    written: int = 0

    def added(self, ended: Iterable[Outcome]) -> Iterator[Outcome]:
        for outcome in ended:
            self.read += outcome.size
            self.written += len(outcome.text.encode("utf-8", "replace"))
            yield outcome

    def __str__(self) -> str:
        share = 1 - self.written / self.read if self.read else 0.0
        saved = f": {share:.0%} saved" if share > 0 else ""
        return f"{self.read:,} bytes read, {self.written:,} written{saved}"


def clean_inputs(inputs: Inputs, job: Job, output: str = "-", handling: Handling = Handling()) -> int:
    """Clean all inputs into the output and return the exit status."""
    target = destination_for(output, job.format, inputs, job.options)
    if job.url and inputs.count != 1:
        raise UsageError(f"--url needs exactly one page, got {inputs.count or 'many'}")
    if job.labeler:
        job = replace(job, labeler=job.labeler.prepared(inputs, job.urls))
    damages = list[VictorError]()
    pages = with_fetched(inputs.pages(job.max_bytes), handling.fetching)
    status = clean_pages(undamaged(pages, damages), inputs.count, job, target, handling)
    return FAILED if damages else status


def undamaged(pages: Iterable[InputPage | VictorError], damages: list[VictorError]) -> Iterator[InputPage]:
    """The readable pages. Log and collect the errors of damaged files, for the exit status."""
    for page in pages:
        if isinstance(page, VictorError):
            log.error("%s", page)
            damages.append(page)
        else:
            yield page


def clean_pages(
    pages: Iterable[Location | RawPage],
    total: int | None,
    job: Job,
    target: Destination,
    handling: Handling = Handling(),
) -> int:
    """Clean pages into the target and return the exit status."""
    counts, fallbacks, sizes = Counter[Status](), Counter[str](), Sizes()
    ended = shown(outcomes(pages, job, handling.jobs, handling.limits), total, "pages")
    if handling.quarantine:
        from victorpy.output.quarantine import quarantined  # noqa: PLC0415

        ended = quarantined(ended, Path(handling.quarantine))
    unwritten = target.write(sizes.added(_counted(ended, counts, fallbacks)))
    if total != 1:
        log_counts(counts, fallbacks)
    if handling.counts_bytes:
        log.warning("%s", sizes)
    if handling.summary:
        write_text_to(handling.summary, summary(counts, fallbacks))
    return FAILED if unwritten else status_of(counts, is_strict=handling.is_strict)


def log_counts(counts: Counter[Status], fallbacks: Counter[str]) -> None:
    ended = ", ".join(f"{counts[status]} {status}" for status in get_args(Status) if counts[status])
    fell_back = "".join(f"; {count} by the fallback '{name}'" for name, count in sorted(fallbacks.items()))
    count = counts.total()
    log.warning("%d page%s: %s%s", count, "s" * (count != 1), ended or "none was found", fell_back)


def summary(counts: Counter[Status], fallbacks: Counter[str]) -> str:
    """The number of pages with each status, and of those cleaned by each fallback if any, as a line of JSON."""
    import json  # noqa: PLC0415

    statuses = {status: counts[status] for status in get_args(Status)}
    fell_back = {"fallbacks": dict(sorted(fallbacks.items()))} if fallbacks else {}
    return json.dumps({"pages": counts.total(), **statuses, **fell_back}) + "\n"


def _counted(ended: Iterable[Outcome], counts: Counter[Status], fallbacks: Counter[str]) -> Iterator[Outcome]:
    """Log and count each outcome while passing it on."""
    for outcome in ended:
        counts[outcome.status] += 1
        if outcome.fallback:
            fallbacks[outcome.fallback] += 1
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
