"""The text of a page as code points, each with what Unicode says of it."""

from functools import cache
from importlib.resources import files
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from victorpy.blocks import Flags, Ints, Page, once_per_page

# What is known of a character: a bit each.
LETTER = 1 << 0
DIGIT = 1 << 1
PUNCTUATION = 1 << 2
WHITE = 1 << 3
LOWER = 1 << 4
TERMINAL = 1 << 5
OPENING = 1 << 6
CLOSING = 1 << 7
SIGN = 1 << 8
MARK = 1 << 9
# Letters of scripts that put no spaces between words.
SOLID = 1 << 10

Traits = NDArray[np.uint16]


class Characters(NamedTuple):
    """The text of the page with a line end before and behind it, so that every character has two neighbours."""

    codes: NDArray[np.uint32]
    traits: Traits
    begins: Ints
    ends: Ints

    def are(self, trait: int) -> Flags:
        marked: Flags = (self.traits & np.uint16(trait)) != 0
        return marked


@cache
def table() -> Traits:
    """The traits of every code point, kept in the data file as stretches of equals."""
    with files("victorpy.features").joinpath("characters.npz").open("rb") as file, np.load(file) as stretches:
        return np.repeat(stretches["traits"], stretches["lengths"])


@once_per_page
def characters(page: Page) -> Characters:
    codes = np.frombuffer(f"\n{page.text}\n".encode("utf-32-le", "surrogatepass"), "<u4")
    begins = page.starts + np.int32(1)
    return Characters(codes, table().take(codes.view("<i4")), begins, begins + page.lengths)


@once_per_page
def count_before(page: Page, trait: int) -> Ints:
    """At every place, and behind the last: how many characters before it have the trait."""
    marked = characters(page).are(trait)
    counts = np.zeros(len(marked) + 1, np.int32)
    np.cumsum(marked, dtype=np.int32, out=counts[1:])
    return counts


@once_per_page
def counts(page: Page, trait: int) -> Ints:
    """How many characters of each block have the trait."""
    before, text = count_before(page, trait), characters(page)
    return before[text.ends] - before[text.begins]
