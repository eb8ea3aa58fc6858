"""Features that are computed together, as the rows of one table."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from victorpy.page.blocks import Page
from victorpy.page.elements import Floats

Table = NDArray[np.float32]


@dataclass(frozen=True)
class FeatureRow:
    """One row of a table that is computed once per page."""

    table: Callable[[Page], Table]
    number: int

    def __call__(self, page: Page) -> Table:
        row: Table = self.table(page)[self.number]
        return row


def feature_rows(names: Iterable[str], table: Callable[[Page], Table]) -> dict[str, FeatureRow]:
    """The rows of a table as features with these names."""
    return {name: FeatureRow(table, number) for number, name in enumerate(names)}


def share(part: Any, whole: Any) -> Floats:
    shares: Floats = np.asarray(part) / np.maximum(whole, 1)
    return shares
