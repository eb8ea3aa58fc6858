"""Matches the names of elements: the classes, ids and properties that sites give to the parts of a page."""

import re
from collections.abc import Sequence
from fnmatch import translate
from functools import lru_cache

import numpy as np

from victorpy.page.blocks import Page
from victorpy.page.elements import Flags

# The attributes that hold names.
_NAMING = ("class", "id", "itemprop", "itemtype", "rel", "data-testid")


def named(page: Page, patterns: Sequence[str]) -> Flags:
    """For each element: does any of its names match one of these shell-style patterns?"""
    expression = _expression(tuple(patterns))
    marks = np.zeros(len(page.elements.tags), np.bool_)
    for attribute in _NAMING:
        values = page.attributes[attribute]
        matches = {value: _matches(attribute, value, expression) for value in set(filter(None, values))}
        marks |= np.fromiter(
            (value is not None and matches.get(value, False) for value in values), np.bool_, len(marks)
        )
    return marks


@lru_cache
def _expression(patterns: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(map(translate, patterns)) or r"(?!)")


def _matches(attribute: str, value: str, expression: re.Pattern[str]) -> bool:
    """Compares names in lower case. In the address of a schema, only the last part counts."""
    names = value.lower().split()
    return any(map(expression.match, (name.rpartition("/")[2] for name in names) if attribute == "itemtype" else names))
