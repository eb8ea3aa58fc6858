"""Fetches those inputs that are addresses. Without addresses nothing of the fetcher is imported."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

from victorpy.fetching.fetch_settings import FetchSettings
from victorpy.sources import Found, Location


@dataclass(frozen=True)
class Fetching:
    """How inputs that are addresses become pages."""

    settings: FetchSettings


def with_fetched(pages: Iterable[Found], fetching: Fetching | None) -> Iterator[Found]:
    """All pages in their order, and in the place of addresses what was fetched."""
    found = iter(pages)
    for page in found:
        if fetching and isinstance(page, Location) and page.is_address:
            yield from _fetched(chain([page], found), fetching)
            return
        yield page


def _fetched(pages: Iterable[Found], fetching: Fetching) -> Iterator[Found]:
    from victorpy.fetching import fetched_pages  # noqa: PLC0415
    from victorpy.fetching.fetcher import Fetcher  # noqa: PLC0415

    yield from fetched_pages.with_fetched(pages, Fetcher(fetching.settings))
