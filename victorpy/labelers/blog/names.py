"""What the names of elements say: the classes, ids and properties that sites give to the parts of a page."""

import re
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import translate
from functools import lru_cache

import numpy as np

from victorpy.blocks import Flags, Page


def named(page: Page, patterns: Sequence[str]) -> Flags:
    """For every element: does any of its names match one of these, written as for file names?"""
    expression = _expression(tuple(patterns))
    known: dict[str, bool] = {}
    marks = np.zeros(len(page.elements.tags), np.bool_)
    for number, attributes in enumerate(page.attributes):
        for name in _names(attributes):
            if name not in known:
                known[name] = expression.match(name) is not None
            if known[name]:
                marks[number] = True
                break
    return marks


@lru_cache
def _expression(patterns: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(map(translate, patterns)) or r"(?!)")


def _names(attributes: Mapping[str, str]) -> Iterator[str]:
    """In small letters; of a schema's address only its last part."""
    for attribute, value in attributes.items():
        if attribute != "datetime":
            for name in value.lower().split():
                yield name.rpartition("/")[2] if attribute == "itemtype" else name
