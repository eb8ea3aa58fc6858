"""Content management systems by what they leave in pages, and the parts of pages where they put the content.

A future idea of the original: "Recognize common Content Management Systems". The core has the table.
"""

import numpy as np

from victorpy import _core
from victorpy.page.blocks import Page, once_per_page
from victorpy.page.elements import Flags, Ints


@once_per_page
def system_number(page: Page) -> int:
    """The number of the page's system, from 1; 0 if it is not known."""
    return page.core.content_system()


def system(page: Page) -> Ints:
    return np.full(len(page), system_number(page), np.int32)


@once_per_page
def is_content_of_system(page: Page) -> Flags:
    """Is the block where the page's system puts the main content?"""
    number = system_number(page)
    if not number:
        return np.zeros(len(page), np.bool_)
    _, content = _core.CONTENT_SYSTEMS[number - 1]
    found = [page.core.selected(_core.Selector(part.strip()))[0] for part in content.split(",")]
    inside: Flags = np.any([np.frombuffer(blocks, np.bool_) for blocks in found], axis=0)
    return inside
