"""The features of a page as one table: bucketed as a config says, or as plain figures for networks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from victorpy.features import Feature, features
from victorpy.features.buckets import Bucketing, Codes
from victorpy.features.core_columns import CORE_FEATURES, core_rows
from victorpy.features.feature_rows import Table
from victorpy.page.blocks import Page
from victorpy.page.markup import STANDARD, Markup


@dataclass(frozen=True, eq=False)
class Columns:
    """The features that a config uses, in order, with the bucketing of each."""

    names: tuple[str, ...]
    bucketings: tuple[Bucketing, ...]
    regexp: Mapping[str, Sequence[str]] = field(default_factory=dict)
    markup: Markup = STANDARD
    functions: tuple[Feature, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "functions", tuple(features(self.names, self.regexp, self.markup).values()))

    def codes(self, page: Page) -> Codes:
        """A row for each feature, with a code for each block."""
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
    """The columns of these features, with the buckets of a config."""
    return Columns(tuple(names), tuple(buckets[name] for name in names), regexp, markup)


def matrix(page: Page, names: Sequence[str], regexp: Mapping[str, Sequence[str]] = {}) -> Table:
    """A row for each feature with its unbucketed values, and a column for each block."""
    native = [name for name in names if name in CORE_FEATURES]
    if len(native) == len(names):
        return core_rows(page, native)
    found = features(names, regexp, page.markup)
    table = np.empty((len(names), len(page)), np.float32)
    rows = iter(core_rows(page, native))
    for row, name in zip(table, names, strict=True):
        row[:] = next(rows) if name in CORE_FEATURES else found[name](page)
    return table
