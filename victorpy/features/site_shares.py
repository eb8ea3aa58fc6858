"""How many other pages of the site have the same block; -1 if the site is unknown."""

from collections.abc import Callable

import numpy as np

from victorpy.features.feature_rows import Table
from victorpy.page.blocks import Page, SiteCounts
from victorpy.page.elements import Ints


def pages(page: Page) -> Table:
    return np.full(len(page), page.site_counts.pages if page.site_counts else 0, np.float32)


def text_share(page: Page) -> Table:
    return _share(page, lambda counts: counts.texts)


def path_share(page: Page) -> Table:
    return _share(page, lambda counts: counts.paths)


def _share(page: Page, counts: Callable[[SiteCounts], Ints]) -> Table:
    if page.site_counts is None or not page.site_counts.pages:
        return np.full(len(page), -1, np.float32)
    return (counts(page.site_counts) / page.site_counts.pages).astype(np.float32)
