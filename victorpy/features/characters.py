"""The text of a page as code points with their Unicode traits."""

from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from victorpy.page.blocks import Page, once_per_page
from victorpy.page.elements import Flags, Ints

# The traits of a character, one bit each.
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
# Letters of scripts without spaces between words.
SOLID = 1 << 10

# The rows of `counts`.
COUNTED = (LETTER, DIGIT, PUNCTUATION, WHITE)

Codes = NDArray[np.unsignedinteger[Any]]
Traits = NDArray[np.uint16]
Known = TypeVar("Known", bound=np.generic)

# Pieces of this size stay in the processor's cache, and limit the memory that a huge page needs.
PIECE = 1 << 15


class Characters(NamedTuple):
    """The text of the page, with a line end added before and after it: every character has two neighbours."""

    codes: Codes
    traits: Traits
    begins: Ints
    ends: Ints

    def are(self, trait: int) -> Flags:
        marked: Flags = (self.traits & np.uint16(trait)) != 0
        return marked


class Piece(NamedTuple):
    """A piece of a long array, and the stretches that overlap it, with their begins and ends inside the piece."""

    place: slice
    stretches: slice
    begins: Ints
    ends: Ints


def pieces(count: int, begins: Ints, ends: Ints) -> Iterator[Piece]:
    """Cuts an array, and its ascending stretches, into pieces of bounded size."""
    if count <= PIECE:
        yield Piece(slice(None), slice(None), begins, ends)
        return
    starts = np.arange(0, count, PIECE, dtype=np.int32)
    firsts = np.searchsorted(ends, starts, side="right").tolist()
    lasts = np.searchsorted(begins, starts + np.int32(PIECE)).tolist()
    for start, first, last in zip(starts.tolist(), firsts, lasts, strict=True):
        near = (np.clip(borders[first:last] - start, 0, PIECE) for borders in (begins, ends))
        yield Piece(slice(start, start + PIECE), slice(first, last), *near)


@cache
def table() -> Traits:
    """The traits of each code point. The data file stores runs of equal traits."""
    with files("victorpy.features").joinpath("characters.npz").open("rb") as file, np.load(file) as stretches:
        return np.repeat(stretches["traits"], stretches["lengths"])


@once_per_page
def characters(page: Page) -> Characters:
    codes = _codes("\n".join(["", *page.texts, ""]))
    begins = page.starts + np.int32(1)
    return Characters(codes, looked_up(table(), codes), begins, begins + page.lengths)


def looked_up(table: NDArray[Known], codes: Codes) -> NDArray[Known]:
    """The table's value for each code; codes beyond its end get the last value."""
    if len(codes) <= PIECE:
        return table.take(codes, mode="clip")
    found = np.empty(len(codes), table.dtype)
    for start in range(0, len(codes), PIECE):
        found[start : start + PIECE] = table.take(codes[start : start + PIECE], mode="clip")
    return found


def counts_from(places: Ints, begins: Ints) -> Ints:
    """How many of the ascending places lie between each of the ascending begins and the next."""
    before = np.empty(len(begins) + 1, np.int32)
    before[:-1] = places.searchsorted(begins)
    before[-1] = len(places)
    counts: Ints = before[1:] - before[:-1]
    return counts


def _codes(text: str) -> Codes:
    """The code points, in as few bytes as possible."""
    if text.isascii():
        return np.frombuffer(text.encode("ascii"), np.uint8)
    narrow = text.encode("utf-16-le", "surrogatepass")
    if len(narrow) == 2 * len(text):
        return np.frombuffer(narrow, "<u2")
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4")


@once_per_page
def counts(page: Page) -> Ints:
    """How many characters of each block have a trait, with a row for each trait in `COUNTED`."""
    text = characters(page)
    return counted(text.traits, _FIELDS, text.begins, text.ends)


def packed_fields(counted: tuple[int, ...]) -> NDArray[np.uint64]:
    """Four numbers of 16 bits for each combination of traits. A piece is too short for them to overflow."""
    traits = np.arange(2 * SOLID, dtype=np.uint16)
    flags = (
        (traits & np.uint16(trait) != 0).astype(np.uint64) << shift
        for trait, shift in zip(counted, _SHIFTS, strict=True)
    )
    fields: NDArray[np.uint64] = np.bitwise_or.reduce(list(flags))
    return fields


_SHIFTS = np.arange(0, 64, 16, dtype=np.uint64)[:, None]
_FIELDS = packed_fields(COUNTED)


def counted(values: Codes, fields: NDArray[np.uint64], begins: Ints, ends: Ints) -> Ints:
    """The sums of four fields over each stretch of values; `fields` maps a value to its fields."""
    totals = np.zeros((len(_SHIFTS), len(begins)), np.int32)
    sums = np.zeros(min(len(values), PIECE) + 1, np.uint64)
    for piece in pieces(len(values), begins, ends):
        found = fields.take(values[piece.place])
        np.cumsum(found, out=sums[1 : len(found) + 1])
        packed = sums.take(piece.ends) - sums.take(piece.begins)
        totals[:, piece.stretches] += (packed >> _SHIFTS & np.uint64(0xFFFF)).astype(np.int32)
    return totals
