"""What all integrations share: a text and its facts for each page, cleaned in this process."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from victorpy.errors import UsageError, VictorError, suggestion
from victorpy.fetching.fetch_settings import FetchSettings
from victorpy.foundation.processes import Limits
from victorpy.output.cleaned import CLEANED
from victorpy.output.escapes import printable
from victorpy.output.formats import BUNDLED, FORMATS
from victorpy.pipeline.cleaner import Cleaner, Html, load
from victorpy.pipeline.fetching_inputs import Fetching, with_fetched
from victorpy.sources import Location, RawPage, find_inputs, read_page

_LEFT_OUT = frozenset({"url", "html_title"})


class CleanedDocument(NamedTuple):
    """The text of a page in one format, and what is known of the page: `source`, `status` and its metadata."""

    text: str
    facts: dict[str, str]

    @property
    def is_cleaned(self) -> bool:
        return self.facts["status"] in CLEANED

    @property
    def problem(self) -> str:
        return f"{self.facts['status']}: {self.facts.get('reason', '')}"


@dataclass(frozen=True, kw_only=True)
class DocumentCleaner:
    """How pages become documents. `decoding` has options such as `bias` and `scope`; a page may take `seconds`."""

    model: str = "web"
    format: str = "markdown"
    decoding: Mapping[str, Any] = field(default_factory=dict)
    seconds: float = 60.0

    def __post_init__(self) -> None:
        known = sorted(FORMATS.keys() - BUNDLED)
        if self.format not in known:
            hint = suggestion(self.format, known)
            raise UsageError(f"no format '{self.format}' (known: {', '.join(known)}){hint}")

    @cached_property
    def cleaner(self) -> Cleaner:
        return load(self.model, **self.decoding)

    def cleaned(self, page: RawPage) -> CleanedDocument:
        """The document of a page, whatever is in it."""
        source = page.url or page.path
        if page.data is None:
            return _without_text(source, "dropped" if page.is_too_large else "unreadable", page.problem)
        return self.document(page.data, page.url, source, page.charset, is_xml=page.is_xml)

    def document(
        self, html: Html, url: str | None, source: str = "", charset: str | None = None, *, is_xml: bool = False
    ) -> CleanedDocument:
        limits = Limits(seconds=self.seconds)
        cleaned = self.cleaner.clean(html, url, source, charset, is_xml=is_xml, limits=limits)
        if cleaned.status not in CLEANED:
            return _without_text(source, cleaned.status, cleaned.reason)
        known = {name: value for name, value in cleaned.metadata.known().items() if name not in _LEFT_OUT}
        facts = _printable({"source": source, **known, "status": cleaned.status, "reason": cleaned.reason})
        return CleanedDocument(printable(FORMATS[self.format](cleaned)), facts)


def _without_text(source: str, status: str, reason: str) -> CleanedDocument:
    return CleanedDocument("", _printable({"source": source, "status": status, "reason": reason}))


def _printable(facts: Mapping[str, str]) -> dict[str, str]:
    """The facts that are known."""
    return {name: printable(value) for name, value in facts.items() if value}


def raw_pages(inputs: Iterable[str], settings: FetchSettings) -> Iterator[RawPage | VictorError]:
    """The pages of files, folders, archives and addresses, and errors for what is damaged."""
    found = find_inputs(list(inputs), takes_addresses=True)
    for page in with_fetched(found.pages(settings.max_bytes), Fetching(settings)):
        yield read_page(page, settings.max_bytes) if isinstance(page, Location) else page
