"""Many pages: each ends in exactly one outcome, and is written as soon as its turn comes."""

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

from victorpy.cleaned import Status
from victorpy.cleaner import Cleaner, load, untrained, without_text
from victorpy.crawls import address_of
from victorpy.formats import FORMATS, RECORDS
from victorpy.labelers import Labeler
from victorpy.labelers.filters import Filter
from victorpy.sandbox import Crash, results
from victorpy.sources import STDIN, Location, read_page

log = logging.getLogger("victorpy")

FAILURES: tuple[Status, ...] = ("undecodable", "unreadable", "crashed")


class Outcome(NamedTuple):
    """How a page ended: the formatted text, or the reason why there is none."""

    id: str
    path: str
    status: Status
    reason: str = ""
    text: str = ""
    encoding: str = ""
    replaced: int = 0


class SiteUse(NamedTuple):
    """A file of what is known of sites, and the host of pages without an address."""

    path: str
    host: str | None = None


@dataclass(frozen=True)
class Job:
    """What to do with every page; small enough to be sent to a child process."""

    model: str
    format: str
    decoding: Mapping[str, Any] = field(default_factory=dict)
    url: str | None = None
    labeler: Labeler | None = None
    urls: Mapping[str, str] = field(default_factory=dict)
    sites: SiteUse | None = None
    filters: tuple[Filter, ...] = ()

    def worker(self) -> Callable[[Location], Outcome]:
        """Makes the cleaner, and gives the function that cleans a page with it."""
        return partial(_outcome, self, self.cleaner())

    def cleaner(self) -> Cleaner:
        """The model, unless there is a labeler, and behind it what drops some of what it keeps."""
        cleaner = untrained(self.labeler) if self.labeler else load(self.model, **self.decoding)
        cleaner = cleaner.filtered(*self.filters)
        return cleaner.on_sites(*self.sites) if self.sites else cleaner


def outcomes(locations: Sequence[Location], job: Job, jobs: int = 1) -> Iterator[Outcome]:
    """The outcome of every page, in order."""
    # Standard input is the parent's alone.
    jobs = 1 if any(location.path == STDIN for location in locations) else min(jobs, len(locations))
    if jobs == 1:
        yield from map(job.worker(), locations)
        return
    for location, result in zip(locations, results(job.worker, locations, jobs), strict=True):
        yield _failed(job, location, "crashed", result.reason) if isinstance(result, Crash) else result


def _outcome(job: Job, cleaner: Cleaner, location: Location) -> Outcome:
    page = read_page(location)
    if page.data is None:
        return _failed(job, location, "unreadable", page.problem)
    try:
        cleaned = cleaner.clean(page.data, job.url or address_of(location, job.urls), page.id)
        text = FORMATS[job.format](cleaned)
    except Exception as error:
        # Our fault, and one to report; but a run of a million pages does not end for the sake of one.
        log.info("%s", page.path, exc_info=True)
        return _failed(job, location, "crashed", f"{type(error).__name__}: {error}")
    if cleaned.status in FAILURES:
        return _failed(job, location, cleaned.status, cleaned.reason)
    reason = "; ".join(filter(None, (cleaned.reason, page.problem)))
    return Outcome(page.id, page.path, cleaned.status, reason, text, cleaned.encoding, cleaned.replaced)


def _failed(job: Job, location: Location, status: Status, reason: str) -> Outcome:
    """Programs that read records get one for every page; people get a message."""
    text = FORMATS[job.format](without_text(location.id, job.url, status, reason)) if job.format in RECORDS else ""
    return Outcome(location.id, location.path, status, reason, text)
