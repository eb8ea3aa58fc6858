"""Finds the pages of each site among the inputs, and the page that the others are compared with."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import islice

import numpy as np

from victorpy.errors import UsageError
from victorpy.foundation.hosts import site_of
from victorpy.labelers.page_differences import distinct_texts
from victorpy.page.blocks import Page
from victorpy.page.markup import Markup
from victorpy.page.segment import segment
from victorpy.sources import STDIN, Location, find_pages
from victorpy.sources.addresses import address_of
from victorpy.sources.decoded_pages import decoded_page

# So many pages of a large site are enough to find the one most like the others.
_ENOUGH = 64


def by_likeness(pages: Sequence[Page]) -> list[int]:
    """The pages by how much they share with the others, most first: Dice's coefficient of the texts, summed."""
    texts = [distinct_texts(page) for page in pages]
    known = np.unique(np.concatenate(texts))
    has = np.zeros((len(pages), len(known)), np.float32)
    for row, of_page in zip(has, texts, strict=True):
        row[np.searchsorted(known, of_page)] = 1
    sizes = has.sum(axis=1)
    likenesses = 2 * (has @ has.T) / np.maximum(sizes[:, None] + sizes, 1)
    return [*np.argsort(-likenesses.sum(axis=1), kind="stable").tolist()]


def by_median_size(pages: Sequence[Page]) -> list[int]:
    """The page of median size first, as WC Cleaner chose it; then the nearest to it in the order of sizes."""
    order = sorted(range(len(pages)), key=lambda number: len(pages[number].text))
    middle = (len(order) - 1) // 2
    return [order[place] for place in sorted(range(len(order)), key=lambda place: abs(place - middle))]


ORDERS: Mapping[str, Callable[[Sequence[Page]], list[int]]] = {"alike": by_likeness, "median": by_median_size}


def references(pages: Sequence[Page], order: str) -> tuple[Page, ...]:
    """The page to compare the others with, and a second page with other texts to compare the first one with."""
    ordered = [pages[number] for number in ORDERS[order](pages)] if pages else []
    seconds = (page for page in ordered[1:] if page.texts != ordered[0].texts)
    return (*ordered[:1], *islice(seconds, 1))


def references_by_site(
    locations: Sequence[Location], order: str, markup: Markup, urls: Mapping[str, str]
) -> dict[str | None, tuple[Page, ...]]:
    """The references of each site that has several pages; pages of unknown site count as one site.

    Standard input can be read only once, so it is no reference.
    """
    groups = defaultdict(list)
    for location in locations:
        if location.path != STDIN:
            url = address_of(location, urls) or _address_in(location)
            groups[site_of(url, location.id)].append((location, url))
    return {site: references([*_some_pages(group, markup)], order) for site, group in groups.items() if len(group) > 1}


_WRAPPER = "<text"


def _address_in(location: Location) -> str | None:
    """The address that CLEANEVAL's wrapper around a page names."""
    html = decoded_page(location).html or ""
    is_wrapped = html.lstrip()[: len(_WRAPPER)].lower() == _WRAPPER
    return segment(html).url if is_wrapped else None


def _some_pages(group: Sequence[tuple[Location, str | None]], markup: Markup) -> Iterator[Page]:
    """Pages of a site, evenly spread over it; pages that cannot be read are left out."""
    for location, url in group[:: -(-len(group) // _ENOUGH)]:
        page = decoded_page(location._replace(url=url)).page(markup)
        if page is not None and len(page):
            yield page


@cache
def given_reference(path: str, markup: Markup) -> Page:
    found = find_pages([path])
    page = decoded_page(found[0]).page(markup) if len(found) == 1 else None
    if page is None:
        raise UsageError(f"not a page, so it cannot be a reference; {', '.join(ORDERS)} choose one", path)
    return page
