"""Fetches those inputs that are addresses. Without addresses nothing of the fetcher is imported."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from victorpy.fetching.fetch_settings import FetchSettings
from victorpy.sources import Found, Location

if TYPE_CHECKING:
    from victorpy.fetching.rendering import RenderSettings


@dataclass(frozen=True)
class Fetching:
    """How inputs become pages: addresses are fetched, and with `rendering` a browser runs the scripts of all pages.

    `keep_warc` names an archive of all that is fetched.
    """

    settings: FetchSettings
    keep_warc: str | None = None
    rendering: "RenderSettings | None" = None


def with_fetched(pages: Iterable[Found], fetching: Fetching | None) -> Iterator[Found]:
    """All pages in their order, and in the place of addresses what was fetched."""
    if not fetching:
        return iter(pages)
    found = _with_fetched(pages, fetching)
    return _with_rendered(found, fetching.rendering) if fetching.rendering else found


def _with_rendered(pages: Iterable[Found], settings: "RenderSettings") -> Iterator[Found]:
    from victorpy.fetching.rendering import with_rendered  # noqa: PLC0415

    return with_rendered(pages, settings)


def _with_fetched(pages: Iterable[Found], fetching: Fetching) -> Iterator[Found]:
    found = iter(pages)
    for page in found:
        if isinstance(page, Location) and page.is_address:
            yield from _fetched(chain([page], found), fetching)
            return
        yield page


def _fetched(pages: Iterable[Found], fetching: Fetching) -> Iterator[Found]:
    from victorpy.fetching import fetched_pages  # noqa: PLC0415
    from victorpy.fetching.crawl_archive import CrawlArchive  # noqa: PLC0415
    from victorpy.fetching.fetcher import Fetcher  # noqa: PLC0415

    archive = CrawlArchive(fetching.keep_warc, fetching.settings) if fetching.keep_warc else None
    yield from fetched_pages.with_fetched(pages, Fetcher(fetching.settings, archive))
