"""Cleans many pages. Each has exactly one outcome, which comes as soon as it is its turn."""

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from dataclasses import KW_ONLY, dataclass, field, replace
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING, Any

from victorpy.foundation.processes import Crash, Limits, mapped
from victorpy.labelers import Untrained
from victorpy.output.cleaned import CLEANED, Status
from victorpy.output.format_options import DEFAULT_OPTIONS, FormatOptions
from victorpy.output.formats import RECORDS, WITH_METADATA, printer
from victorpy.output.outcome import Outcome
from victorpy.page.metadata import Metadata
from victorpy.pipeline.cleaner import Cleaner, load, untrained, without_text
from victorpy.sources import STDIN, Location, RawPage, read_page, too_large
from victorpy.sources.addresses import address_of

if TYPE_CHECKING:
    from victorpy.labelers.filters import Filter
    from victorpy.labelers.selection import Selection

MAX_BYTES = 32_000_000
SAFE = Limits(seconds=60.0, megabytes=2_000)


@dataclass(frozen=True)
class SiteUse:
    """A file of site counts, and the host of pages without an address."""

    path: str
    host: str | None = None


@dataclass(frozen=True)
class Job:
    """What to do with every page. It is small enough to be sent to a child process.

    With `has_metadata`, outcomes carry the metadata found in the page, even if the format does not print them.
    """

    model: str
    format: str
    _: KW_ONLY
    decoding: Mapping[str, Any] = field(default_factory=dict)
    url: str | None = None
    labeler: Untrained | None = None
    urls: Mapping[str, str] = field(default_factory=dict)
    sites: SiteUse | None = None
    filters: "tuple[Filter, ...]" = ()
    options: FormatOptions = DEFAULT_OPTIONS
    selection: "Selection | None" = None
    comments: str | None = None
    max_bytes: int = MAX_BYTES
    has_metadata: bool = False

    def worker(self) -> Callable[[Location | RawPage], Outcome]:
        """The function that cleans a page. The model and the format are loaded now, not in each child process."""
        printer(self.format, self.options)
        return partial(_outcome, self, self.cleaner())

    def cleaner(self) -> Cleaner:
        """The cleaner of the labeler, or else of the model, with the filters and selectors."""
        cleaner = untrained(self.labeler) if self.labeler else load(self.model, **self.decoding)
        cleaner = cleaner.filtered(*self.filters).selected_by(self.selection).with_comments(self.comments)
        return cleaner.on_sites(self.sites.path, self.sites.host) if self.sites else cleaner


def outcomes(
    pages: Iterable[Location | RawPage], job: Job, jobs: int = 1, limits: Limits | None = None
) -> Generator[Outcome, None, None]:
    """The outcome of every page, in order. With limits, or with several jobs, child processes do the work."""
    # Before any page is read: an error of the model is not an error of a page.
    return _outcomes(job.worker(), pages, job, jobs, limits)


def _outcomes(
    worker: Callable[[Location | RawPage], Outcome],
    pages: Iterable[Location | RawPage],
    job: Job,
    jobs: int,
    limits: Limits | None,
) -> Generator[Outcome, None, None]:
    # Only the parent process can read standard input.
    at_hand = (_read(page, job) if page.path == STDIN else page for page in pages)
    for page, result in mapped(worker, at_hand, jobs, limits):
        outcome = _outcome_of(job, page, result)
        if isinstance(page, RawPage) and outcome.status not in CLEANED:
            outcome = replace(outcome, raw=page)
        yield outcome


class Workshop:
    """Cleans pages that come in batches. The model and its child process are kept for the next batch."""

    def __init__(self, job: Job, limits: Limits | None = SAFE):
        self._job = job
        self._mapped = _mapper(job.worker(), limits)
        self._lock = Lock()

    def outcomes(self, pages: Iterable[RawPage]) -> list[Outcome]:
        """The outcome of every page, in order. Only one thread works at a time."""
        with self._lock:
            return [_outcome_of(self._job, page, result) for page, result in self._mapped(pages)]


def _mapper(
    worker: Callable[[Location | RawPage], Outcome], limits: Limits | None
) -> Callable[[Iterable[Location | RawPage]], Iterator[tuple[Location | RawPage, Outcome | Crash]]]:
    if limits is None:
        return partial(mapped, worker)
    from victorpy.foundation.processes.crew import Crew  # noqa: PLC0415

    return Crew(worker, limits=limits).mapped


def _outcome_of(job: Job, page: Location | RawPage, result: Outcome | Crash) -> Outcome:
    return failed_outcome(job, page, result.status, result.reason) if isinstance(result, Crash) else result


def _read(page: Location | RawPage, job: Job) -> RawPage:
    return page if isinstance(page, RawPage) else read_page(page, job.max_bytes)


def _outcome(job: Job, cleaner: Cleaner, task: Location | RawPage) -> Outcome:
    page = _read(task, job)
    if page.is_too_large or len(page.data or b"") > job.max_bytes:
        return failed_outcome(job, page, "dropped", page.problem or too_large(job.max_bytes))
    if page.data is None:
        return failed_outcome(job, page, "unreadable", page.problem)
    cleaned = cleaner.clean(_html_of(page, page.data), _url(job, page), page.id, page.charset, is_xml=page.is_xml)
    if cleaned.status not in CLEANED:
        return failed_outcome(job, page, cleaned.status, cleaned.reason, cleaned.page.metadata.language)
    return Outcome(
        id=page.id,
        path=page.path,
        status=cleaned.status,
        reason="; ".join(filter(None, (cleaned.reason, page.problem))),
        fallback=cleaned.fallback,
        text=printer(job.format, job.options)(cleaned),
        columns={} if job.format in RECORDS else cleaned.columns(job.options.other_columns, job.options.without),
        encoding=cleaned.encoding,
        replaced=cleaned.replaced,
        metadata=cleaned.metadata if job.has_metadata or job.format in WITH_METADATA else cleaned.page.metadata,
        confidence=cleaned.confidence,
        record=page.record,
        date=page.date,
        size=len(page.data),
        is_text=page.is_text,
    )


def _html_of(page: RawPage, data: bytes) -> str | bytes:
    if not page.is_text:
        return data
    from victorpy.page.plain_text import html_of  # noqa: PLC0415

    return html_of(data, page.charset)


def _url(job: Job, page: Location | RawPage) -> str | None:
    return job.url or address_of(page, job.urls)


def failed_outcome(
    job: Job, page: Location | RawPage, status: Status, reason: str, language: str | None = None
) -> Outcome:
    """The outcome of a page without text. Formats for programs have a record even of such a page."""
    metadata = Metadata(url=_url(job, page), language=language)
    print_record = printer(job.format, job.options) if job.format in RECORDS else None
    text = print_record(without_text(page.id, metadata, status, reason)) if print_record else ""
    record, date = (page.record, page.date) if isinstance(page, RawPage) else ("", "")
    return Outcome(
        id=page.id,
        path=page.path,
        status=status,
        reason=reason,
        text=text,
        metadata=metadata,
        record=record,
        date=date,
        is_text=page.is_text,
    )
