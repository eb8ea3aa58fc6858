"""Blocks that stand in the same place of the page's pattern: those with the same tags from the root down."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from victorpy.blocks import Page, once_per_page, tag_events
from victorpy.features.letters import letters, share
from victorpy.features.rows import Table

_MIXER = np.uint64(0x9E3779B97F4A7C15)
_POWERS = np.multiply.accumulate(np.array([1, *[0xD1342543DE82EF95] * 4096], np.uint64))

_OF_PATH = ("blocks", "letters", "link-share", "letters-per-block", "page-share", "sentence-ends", "longest")
_PATHS = ("path", "parent-path")

NAMES = tuple(f"{path}.{name}" for path in _PATHS for name in _OF_PATH)


@once_per_page
def path_hashes(page: Page) -> NDArray[np.uint64]:
    """Of each element a number for the tags from the root down: what an element adds, it takes back at its end."""
    elements = page.elements
    events = tag_events(elements)
    numbers = np.abs(events) - 1
    added = (elements.codes.astype(np.uint64) + np.uint64(1)) * _MIXER * _POWERS.take(elements.depths, mode="clip")
    signed = added.take(numbers)
    np.negative(signed, out=signed, where=events < 0)
    opens = 2 * np.arange(len(elements.depths)) - elements.depths
    hashes: NDArray[np.uint64] = np.cumsum(signed, dtype=np.uint64).take(opens)
    return hashes


@once_per_page
def paths(page: Page) -> Table:
    hashes = path_hashes(page)
    elements = page.element, page.elements.parents.take(page.element)
    return np.concatenate([_of_groups(page, hashes.take(found)) for found in elements])


def _of_groups(page: Page, keys: NDArray[Any]) -> Table:
    found = letters(page)
    _, groups, counts = np.unique(keys, return_inverse=True, return_counts=True)
    text, linked, ends = (
        np.bincount(groups, values, len(counts)) for values in (found.letters, found.linked, found.ends)
    )
    longest = np.zeros(len(counts), np.float32)
    np.maximum.at(longest, groups, found.letters)
    figures = [counts, text, share(linked, text), text / np.maximum(counts, 1), share(text, text.sum()), ends, longest]
    return np.array(figures, np.float32).take(groups, axis=1)
