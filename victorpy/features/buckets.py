"""Puts values into a few buckets, as the config says."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from victorpy.errors import VictorError

Codes = NDArray[np.uint8]

# A share such as 0.29 times 100 is a rounding error less than 29.
_ROUNDING = 1e-9


_LARGEST_TABLE = 1 << 15


@dataclass(frozen=True)
class Bucketing:
    """The bucket of x is either the largest listed value that is ≤ x, or one of `scale` + 1 equal steps of a share."""

    values: tuple[float, ...] = ()
    scale: int = 0

    def __post_init__(self) -> None:
        if bool(self.values) == bool(self.scale):
            raise VictorError("expected either 'values' or 'scale'")
        if self.scale < 0 or self.count > 255:
            raise VictorError("expected 1 to 255 buckets")
        if any(a >= b for a, b in zip(self.values, self.values[1:], strict=False)):
            raise VictorError(f"expected ascending values, got {list(self.values)}")

    @property
    def count(self) -> int:
        return len(self.values) or self.scale + 1

    def codes(self, column: ArrayLike) -> Codes:
        """The bucket of each value. A value below the first listed one goes to the first bucket."""
        if self.scale:
            steps = np.asarray(column) * self.scale + _ROUNDING
            return np.minimum(np.maximum(steps, 0), self.scale).astype(np.uint8)
        if self._table is not None and isinstance(column, np.ndarray) and np.can_cast(column.dtype, np.intp):
            return self._table.take(column, mode="clip")
        return self._borders.searchsorted(column, side="right").astype(np.uint8)

    @cached_property
    def _borders(self) -> NDArray[np.float64]:
        """The values at which the next bucket begins."""
        return np.array(self.values[1:], np.float64)

    @cached_property
    def _table(self) -> Codes | None:
        """The code of each whole number up to the last border: faster than a search, if the table is small."""
        last = max(int(self.values[-1]), 0)
        if last > _LARGEST_TABLE or any(border <= 0 for border in self.values[1:]):
            return None
        return self._borders.searchsorted(np.arange(last + 2), side="right").astype(np.uint8)

    def names(self) -> Iterable[str]:
        """The name of each bucket."""
        return [f"{value:g}" for value in self.values] or [f"{step / self.scale:.3g}" for step in range(self.count)]
