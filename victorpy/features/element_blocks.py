"""The blocks inside each element."""

from typing import NamedTuple

import numpy as np

from victorpy.page.blocks import Page, once_per_page
from victorpy.page.elements import Ints, tag_places


class BlockRanges(NamedTuple):
    """For each element, its blocks: from `first` up to `last`."""

    first: Ints
    last: Ints


@once_per_page
def blocks_in_elements(page: Page) -> BlockRanges:
    opening, closing = tag_places(page.elements)
    places = page.runs.place.take(page.first_runs)
    # How many blocks begin before each tag.
    before = np.bincount(places, minlength=2 * len(opening) + 1).cumsum()
    return BlockRanges(before.take(opening), before.take(closing))
