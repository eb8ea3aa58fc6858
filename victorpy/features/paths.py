"""Identifies elements by their path: the tags from the root down."""

import numpy as np
from numpy.typing import NDArray

from victorpy.foundation.hashing import GOLDEN, SPECTRAL, powers
from victorpy.page.blocks import Page, once_per_page
from victorpy.page.elements import tag_places

_MIXER = np.uint64(GOLDEN)
_POWERS = powers(SPECTRAL, 4096)


@once_per_page
def path_hashes(page: Page) -> NDArray[np.uint64]:
    """A number for each element's path: a running sum, which a tag increases at its start and restores at its end."""
    elements = page.elements
    opening, closing = tag_places(elements)
    added = (elements.codes.astype(np.uint64) + np.uint64(1)) * _MIXER * _POWERS.take(elements.depths, mode="clip")
    signed = np.empty(2 * len(added), np.uint64)
    signed[opening], signed[closing] = added, np.negative(added)
    hashes: NDArray[np.uint64] = signed.cumsum().take(opening)
    return hashes
