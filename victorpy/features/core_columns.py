"""The features that the core computes, any number of them in one pass."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from victorpy import _core
from victorpy.features.feature_rows import Table
from victorpy.page.blocks import Page

NAMES = tuple(_core.COLUMNS)

# The columns that depend on tags and text alone: not on names of classes, addresses of links, or the head of the page.
OF_TAGS_AND_TEXT = tuple(name for name in NAMES if name.split(".")[0] not in {"near", "link", "said", "picture"})


@dataclass(frozen=True)
class CoreFeature:
    """One column of the core as a feature."""

    name: str

    def __call__(self, page: Page) -> Table:
        row: Table = core_rows(page, [self.name])[0]
        return row


def core_rows(page: Page, names: Sequence[str]) -> Table:
    """A row for each of the named features, with a column for each block."""
    rows = np.frombuffer(_plan(tuple(names)).matrix(page.core), np.float32)
    return rows.reshape(len(names), len(page))


@lru_cache
def _plan(names: tuple[str, ...]) -> _core.Plan:
    return _core.Plan(names)


CORE_FEATURES = {name: CoreFeature(name) for name in NAMES}
