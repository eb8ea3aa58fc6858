"""Features that are computed together: the rows of one table."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from victorpy.blocks import Page

Table = NDArray[np.float32]


@dataclass(frozen=True)
class Row:
    """One feature of many; the table is computed once for a page."""

    table: Callable[[Page], Table]
    number: int

    def __call__(self, page: Page) -> Table:
        row: Table = self.table(page)[self.number]
        return row


class Groups(NamedTuple):
    """Things with equal keys: where in `order` each group begins, how many things it has, and the group of each."""

    order: NDArray[np.intp]
    begins: NDArray[np.intp]
    sizes: NDArray[np.intp]
    numbers: NDArray[np.intp]


def grouped(keys: NDArray[Any]) -> Groups:
    # As np.unique does, in a third of its time for some hundred keys.
    order = keys.argsort()
    ordered = keys.take(order)
    is_new = np.ones(len(keys), np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=is_new[1:])
    numbers = np.empty(len(keys), np.intp)
    numbers[order] = is_new.cumsum() - 1
    return Groups(order, is_new.nonzero()[0], np.bincount(numbers), numbers)


def twins(keys: NDArray[Any]) -> NDArray[np.intp]:
    """How many of the keys equal each."""
    groups = grouped(keys.ravel())
    return groups.sizes.take(groups.numbers).reshape(keys.shape)


def rows(names: Iterable[str], table: Callable[[Page], Table]) -> dict[str, Row]:
    """The rows of a table as features of these names."""
    return {name: Row(table, number) for number, name in enumerate(names)}
