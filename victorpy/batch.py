"""Many pages: each ends in exactly one outcome, and is written as soon as its turn comes."""

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import tee
from typing import Any, NamedTuple

from victorpy.cleaned import Status
from victorpy.cleaner import Cleaner, load, without_text
from victorpy.formats import FORMATS, RECORDS
from victorpy.sandbox import Crash, results
from victorpy.sources import STDIN, Location, RawPage, read_page

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


@dataclass(frozen=True)
class Job:
    """What to do with every page; small enough to be sent to a child process."""

    model: str
    format: str
    decoding: Mapping[str, Any] = field(default_factory=dict)
    url: str | None = None

    def worker(self) -> Callable[[Location | RawPage], Outcome]:
        """Loads the model and gives the function that cleans a page with it."""
        return partial(_outcome, self, load(self.model, **self.decoding))


def outcomes(pages: Iterable[Location | RawPage], job: Job, jobs: int = 1) -> Iterator[Outcome]:
    """The outcome of every page, in order."""
    if jobs == 1:
        yield from map(job.worker(), pages)
        return
    # Standard input is the parent's alone.
    at_hand = (read_page(page) if isinstance(page, Location) and page.path == STDIN else page for page in pages)
    under_way, tasks = tee(at_hand)
    for location, result in zip(under_way, results(job.worker, tasks, jobs), strict=True):
        yield _failed(job, location, "crashed", result.reason) if isinstance(result, Crash) else result


def _outcome(job: Job, cleaner: Cleaner, location: Location | RawPage) -> Outcome:
    page = location if isinstance(location, RawPage) else read_page(location)
    if page.data is None:
        return _failed(job, location, "unreadable", page.problem)
    try:
        cleaned = cleaner.clean(page.data, url=page.url or job.url, id=page.id, charset=page.charset)
        text = FORMATS[job.format](cleaned)
    except Exception as error:
        # Our fault, and one to report; but a run of a million pages does not end for the sake of one.
        log.info("%s", page.path, exc_info=True)
        return _failed(job, location, "crashed", f"{type(error).__name__}: {error}")
    if cleaned.status in FAILURES:
        return _failed(job, location, cleaned.status, cleaned.reason)
    reason = "; ".join(filter(None, (cleaned.reason, page.problem)))
    return Outcome(page.id, page.path, cleaned.status, reason, text, cleaned.encoding, cleaned.replaced)


def _failed(job: Job, location: Location | RawPage, status: Status, reason: str) -> Outcome:
    """Programs that read records get one for every page; people get a message."""
    text = (
        FORMATS[job.format](without_text(location.id, location.url or job.url, status, reason))
        if job.format in RECORDS
        else ""
    )
    return Outcome(location.id, location.path, status, reason, text)
