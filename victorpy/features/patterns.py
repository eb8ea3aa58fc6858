"""Which of a list of regular expressions matches a block?"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from victorpy.blocks import Flags, Ints, Page, once_per_page
from victorpy.errors import VictorError
from victorpy.features.characters import DIGIT, characters
from victorpy.features.needs import ANY_DIGIT, Chain, Need, need


@dataclass(frozen=True)
class _Expression:
    pattern: re.Pattern[str]
    need: Need

    def may_match(self, page: Page) -> Flags:
        if not self.need:
            return np.ones(len(page), np.bool_)
        holds = np.zeros(len(page), np.bool_)
        for chain in self.need:
            holds[_holders(page, chain)] = True
        return holds


@dataclass(frozen=True)
class Expressions:
    """The number of the first expression that matches anywhere in a block, 0 for none."""

    expressions: tuple[_Expression, ...]

    def __call__(self, page: Page) -> NDArray[np.uint8]:
        texts, numbers = page.texts, np.zeros(len(page), np.uint8)
        for number, expression in enumerate(self.expressions, start=1):
            search = expression.pattern.search
            # A search of the whole page would look past the borders of blocks: \A, \Z and (?<!\s) would fail there.
            possible = np.flatnonzero(expression.may_match(page) & (numbers == 0)).tolist()
            numbers[[block for block in possible if search(texts[block])]] = number
        return numbers


def expressions(name: str, sources: Sequence[str]) -> Expressions:
    return Expressions(tuple(_expression(name, source) for source in sources))


def _expression(name: str, source: str) -> _Expression:
    try:
        return _Expression(re.compile(source), need(source))
    except re.error as error:
        raise VictorError(f"regexp.{name}: {source!r} is no regular expression: {error}") from error


def _holders(page: Page, chain: Chain) -> Ints:
    """The blocks that hold the chain."""
    text = characters(page)
    places = max(len(text.codes) - len(chain) + 1, 0)
    found = np.ones(places, np.bool_)
    for step, choice in enumerate(chain):
        found &= reduce(np.logical_or, (_are(page, character)[step : step + places] for character in choice))
    return np.searchsorted(text.begins, np.flatnonzero(found), side="right") - 1


@once_per_page
def _are(page: Page, character: str) -> Flags:
    text = characters(page)
    return text.are(DIGIT) if character == ANY_DIGIT else text.codes == ord(character)
