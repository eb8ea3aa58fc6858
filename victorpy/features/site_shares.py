"""What other pages of the same site hold as well; -1 where nothing is known of the site."""

from collections.abc import Callable

import numpy as np

from victorpy.features.table_rows import Table
from victorpy.page.blocks import Page, Seen
from victorpy.page.elements import Ints


def pages(page: Page) -> Table:
    return np.full(len(page), page.seen.pages if page.seen else 0, np.float32)


def text_share(page: Page) -> Table:
    return _share(page, lambda seen: seen.texts)


def path_share(page: Page) -> Table:
    return _share(page, lambda seen: seen.paths)


def _share(page: Page, counts: Callable[[Seen], Ints]) -> Table:
    if page.seen is None or not page.seen.pages:
        return np.full(len(page), -1, np.float32)
    return (counts(page.seen) / page.seen.pages).astype(np.float32)
