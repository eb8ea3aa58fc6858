"""Blocks that stand in the same place of the page's pattern: those with the same tags from the root down."""

import numpy as np
from numpy.typing import NDArray

from victorpy.blocks import Page, once_per_page
from victorpy.elements import tag_places
from victorpy.features.letters import letters, share
from victorpy.features.rows import Table, grouped

_MIXER = np.uint64(0x9E3779B97F4A7C15)
_POWERS = np.multiply.accumulate(np.array([1, *[0xD1342543DE82EF95] * 4096], np.uint64))

_OF_PATH = ("blocks", "letters", "link-share", "letters-per-block", "page-share", "sentence-ends", "longest")
_PATHS = ("path", "parent-path")

NAMES = tuple(f"{path}.{name}" for path in _PATHS for name in _OF_PATH)


@once_per_page
def path_hashes(page: Page) -> NDArray[np.uint64]:
    """Of each element a number for the tags from the root down: what an element adds, it takes back at its end."""
    elements = page.elements
    opening, closing = tag_places(elements)
    added = (elements.codes.astype(np.uint64) + np.uint64(1)) * _MIXER * _POWERS.take(elements.depths, mode="clip")
    signed = np.empty(2 * len(added), np.uint64)
    signed[opening], signed[closing] = added, np.negative(added)
    hashes: NDArray[np.uint64] = signed.cumsum().take(opening)
    return hashes


@once_per_page
def paths(page: Page) -> Table:
    groups = grouped(_keys(page).ravel())
    found = letters(page)
    values = np.tile(np.array((found.letters, found.linked, found.ends), np.float64), len(_PATHS))
    ordered = values.take(groups.order, axis=1)
    text, linked, ends = np.add.reduceat(ordered, groups.begins, axis=1)
    longest = np.maximum.reduceat(ordered[0], groups.begins)
    page_share = share(text, values[0, : len(page)].sum())
    figures = groups.sizes, text, share(linked, text), text / groups.sizes, page_share, ends, longest
    of_blocks = np.array(figures, np.float32).take(groups.numbers.reshape(len(_PATHS), -1), axis=1)
    return of_blocks.swapaxes(0, 1).reshape(len(NAMES), len(page))


def _keys(page: Page) -> NDArray[np.uint64]:
    """Of each block its path and that of its parent, which never equal each other."""
    hashes, element = path_hashes(page), page.element
    keys = hashes.take(np.array((element, page.elements.parents.take(element))))
    keys[1] += _MIXER
    return keys
