"""Finds the first of a list of regular expressions that matches a block."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from victorpy.errors import VictorError
from victorpy.features.characters import Codes, characters, looked_up
from victorpy.page.blocks import Page, once_per_page
from victorpy.page.elements import Flags, Ints


@dataclass(frozen=True)
class _Expression:
    """A match begins with consecutive characters that match the `firsts`, one each."""

    pattern: re.Pattern[str]
    firsts: tuple[str, ...]


@dataclass(frozen=True)
class Expressions:
    """The number of the first expression that matches anywhere in a block; 0 if none does."""

    expressions: tuple[_Expression, ...]

    def __call__(self, page: Page) -> NDArray[np.uint8]:
        texts, numbers = page.texts, [0] * len(page)
        for number, expression in enumerate(self.expressions, start=1):
            search = expression.pattern.search
            # Searching the page at once would cross the borders of blocks, where \A, \Z and (?<!\s) would fail.
            for block in _holders(page, *expression.firsts):
                if not numbers[block] and search(texts[block]):
                    numbers[block] = number
        return np.array(numbers, np.uint8)


def expressions(name: str, sources: Sequence[str]) -> Expressions:
    return Expressions(tuple(_expression(name, source) for source in sources))


def _expression(name: str, source: str) -> _Expression:
    try:
        return _Expression(re.compile(source), tuple(_firsts(source)))
    except re.error as error:
        raise VictorError(f"regexp.{name}: not a regular expression: {source!r}: {error}") from error


# What matches one character: a literal, an escaped sign or class, a set.
_CLASSES = "dDwWsS"
_ONE = re.compile(rf"[^\\.^$*+?{{}}()\[\]|]|\\(?:[{_CLASSES}]|[^\w\s])|\[\^?\]?(?:\\.|[^\\\]])*\]", re.DOTALL)
_WITHOUT_WIDTH = re.compile(r"(?:\^|\\[AbB])*")
_REPEATED, _OPTIONAL = re.compile(r"\+|\{[1-9]"), re.compile(r"[*?{]")


def _firsts(source: str) -> Iterator[str]:
    """The expressions for the first characters of a match, as far as they are simple to find."""
    one = None if _has_alternatives(source) else _one(source, 0)
    while one:
        is_repeated = _REPEATED.match(source, one.end())
        if not is_repeated and _OPTIONAL.match(source, one.end()):
            return
        yield one[0]
        one = None if is_repeated else _one(source, one.end())


def _one(source: str, place: int) -> re.Match[str] | None:
    skipped = _WITHOUT_WIDTH.match(source, place)
    return _ONE.match(source, skipped.end() if skipped else place)


def _has_alternatives(source: str) -> bool:
    """Is the whole expression `this|that`? Python rejects such an expression as the first half of a condition."""
    try:
        re.compile(f"()(?(1){source}|)")
    except re.error:
        return True
    return False


@once_per_page
def _holders(page: Page, *firsts: str) -> list[int]:
    """The blocks that contain these characters in a row."""
    if not firsts:
        return list(range(len(page)))
    text = characters(page)
    places = _places(page, firsts[0])
    for step, first in enumerate(firsts[1:], start=1):
        if not len(places):
            return []
        places = places[_are(text.codes.take(places + step, mode="clip"), first)]
    # The line end before the text is in no block.
    found = np.bincount(text.begins.searchsorted(places, side="right"), minlength=len(page) + 1)[1:]
    holders: list[int] = np.flatnonzero(found).tolist()
    return holders


@once_per_page
def _places(page: Page, first: str) -> Ints:
    """The places of matching characters."""
    return np.flatnonzero(_are(characters(page).codes, first))


def _are(codes: Codes, first: str) -> Flags:
    literal = first.removeprefix("\\")
    if len(literal) == 1 and (literal == first or literal not in _CLASSES):
        equal: Flags = codes == ord(literal)
        return equal
    return looked_up(_members(first), codes)


@cache
def _first_plane() -> str:
    return "".join(map(chr, range(1 << 16)))


@cache
def _members(first: str) -> Flags:
    """Which code points match. All from 2**16 on share the last entry, which counts as a match."""
    members = np.zeros((1 << 16) + 1, np.bool_)
    members[[found.start() for found in re.finditer(first, _first_plane())]] = True
    members[-1] = True
    return members
