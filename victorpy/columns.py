"""Page → codes: every feature that a config uses, bucketed, as one table; or the raw figures, as trees take them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np

from victorpy.blocks import Page
from victorpy.buckets import Bucketing, Codes
from victorpy.features import Feature, features
from victorpy.features.rows import Row, Table
from victorpy.markup import STANDARD, Markup


@dataclass(frozen=True, eq=False)
class Columns:
    """The features in use, in order, with the bucketing of each."""

    names: tuple[str, ...]
    bucketings: tuple[Bucketing, ...]
    regexp: Mapping[str, Sequence[str]] = field(default_factory=dict)
    markup: Markup = STANDARD
    functions: tuple[Feature, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "functions", tuple(features(self.names, self.regexp, self.markup).values()))

    def codes(self, page: Page) -> Codes:
        """A row for each feature, a code for each block."""
        table = np.empty((len(self.names), len(page)), np.uint8)
        for row, (function, bucketing) in enumerate(zip(self.functions, self.bucketings, strict=True)):
            table[row] = bucketing.codes(function(page))
        return table


def columns(
    names: Sequence[str],
    buckets: Mapping[str, Bucketing],
    regexp: Mapping[str, Sequence[str]],
    markup: Markup,
) -> Columns:
    """The columns of these features, as a config buckets them."""
    return Columns(tuple(names), tuple(buckets[name] for name in names), regexp, markup)


def matrix(page: Page, names: Sequence[str], regexp: Mapping[str, Sequence[str]] = {}) -> Table:
    """A row for each of these features, with its values as they are, a column for each block."""
    expressions = tuple((name, tuple(sources)) for name, sources in regexp.items())
    matrix = np.empty((len(names), len(page)), np.float32)
    for place, source, rows in _sources(tuple(names), expressions, page.markup):
        matrix[place] = source(page)[rows]
    return matrix


@lru_cache
def _sources(
    names: tuple[str, ...], expressions: tuple[tuple[str, tuple[str, ...]], ...], markup: Markup
) -> list[tuple[slice, Feature, Any]]:
    """Which rows come from where: rows of one table that stand side by side are taken at once."""
    found = features(names, dict(expressions), markup)
    sources: list[tuple[slice, Feature, Any]] = []
    for begin, name in enumerate(names):
        feature, place = found[name], slice(begin, begin + 1)
        if not isinstance(feature, Row):
            sources.append((place, feature, ...))
        elif sources and sources[-1][1] is feature.table:
            before, _, rows = sources.pop()
            sources.append((slice(before.start, place.stop), feature.table, [*rows, feature.number]))
        else:
            sources.append((place, feature.table, [feature.number]))
    return [(place, source, _as_slice(rows)) for place, source, rows in sources]


def _as_slice(rows: Any) -> Any:
    """Rows that follow each other need not be gathered first."""
    follow = isinstance(rows, list) and rows == [*range(rows[0], rows[0] + len(rows))]
    return slice(rows[0], rows[0] + len(rows)) if follow else rows
