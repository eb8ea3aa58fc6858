"""How much of a text is inside links, in characters."""

import numpy as np

from victorpy.features.tags import are_inside
from victorpy.page.blocks import Page, once_per_page
from victorpy.page.elements import Ints


@once_per_page
def linked_upto(page: Page) -> Ints:
    """How many characters inside links come before each place of the page's text, and before its end."""
    runs = page.runs
    begins = page.starts[runs.block] + runs.start
    steps = np.zeros(len(page.text) + 1, np.int8)
    is_linked = are_inside("a", page, runs.element)
    # Between two blocks is a line end, which is in no link.
    is_last = np.append(runs.block[1:] != runs.block[:-1], True)
    ends = np.append(begins[1:], len(page.text)) - np.append(is_last[:-1], False)
    np.add.at(steps, begins[is_linked], 1)
    np.add.at(steps, ends[is_linked], -1)
    inside = np.cumsum(steps, dtype=np.int32)
    upto: Ints = np.append(0, np.cumsum(inside[:-1]))
    return upto


@once_per_page
def linked_characters(page: Page) -> Ints:
    """How many characters of each block are inside links."""
    upto = linked_upto(page)
    counts: Ints = upto[page.starts + page.lengths] - upto[page.starts]
    return counts
