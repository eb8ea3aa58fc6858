"""Pages of a site cleaned against one another: finds the pages of each site, and its reference pages."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from victorpy.errors import UsageError
from victorpy.labelers import Labeler, Labeling
from victorpy.labelers.site import WAYS, Against, Site, references
from victorpy.labelers.site_counts import page_of, site_of
from victorpy.page.blocks import Page
from victorpy.page.markup import Markup
from victorpy.sources import Location, find_pages, read_page
from victorpy.sources.addresses import address_of

# Of a large site so many pages tell which is most like the others.
_ENOUGH = 64


@dataclass(frozen=True)
class Siblings:
    """A labeler for each site; pages whose site is unknown are taken for one site."""

    options: Site
    labelers: Mapping[str | None, Labeler]

    def labeling(self, page: Page) -> Labeling:
        return self.labelers.get(site_of(page.url, page.id), self.options).labeling(page)


def with_references(
    options: Site, locations: Sequence[Location], markup: Markup, urls: Mapping[str, str] = {}
) -> Labeler:
    """The labeler after it has been shown the pages that it is to clean."""
    if options.reference not in WAYS:
        return Against(options, (_given(options.reference, markup),))
    groups = defaultdict(list)
    for location in locations:
        url = address_of(location, urls)
        groups[site_of(url, location.id)].append((location, url))
    found = {
        site: Against(options, references([*_pages(group, markup)], options.reference))
        for site, group in groups.items()
        if len(group) > 1
    }
    return Siblings(options, found)


def _pages(group: Sequence[tuple[Location, str | None]], markup: Markup) -> Iterator[Page]:
    """Some of the pages, evenly spread; those that cannot be read are no references."""
    for location, url in group[:: -(-len(group) // _ENOUGH)]:
        page = page_of(read_page(location)._replace(url=url), markup)
        if page is not None and len(page):
            yield page


def _given(path: str, markup: Markup) -> Page:
    found = find_pages([path])
    page = page_of(read_page(found[0]), markup) if len(found) == 1 else None
    if page is None:
        raise UsageError(f"no page to be a reference; {', '.join(WAYS)} find one", path)
    return page
