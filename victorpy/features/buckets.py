"""Values → few small codes, as the config says."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from victorpy.errors import VictorError

Codes = NDArray[np.uint8]

# A share such as 0.29 times 100 lies a rounding error under 29.
_ROUNDING = 1e-9


_LARGEST_TABLE = 1 << 15


@dataclass(frozen=True)
class Bucketing:
    """Either the largest of the listed values that is ≤ x, or a share cut into `scale` + 1 steps."""

    values: tuple[float, ...] = ()
    scale: int = 0

    def __post_init__(self) -> None:
        if bool(self.values) == bool(self.scale):
            raise VictorError("a bucketing takes either 'values' or 'scale'")
        if self.scale < 0 or self.count > 255:
            raise VictorError("a bucketing has from 1 to 255 steps")
        if any(a >= b for a, b in zip(self.values, self.values[1:], strict=False)):
            raise VictorError(f"values go up from one to the next, unlike {list(self.values)}")

    @property
    def count(self) -> int:
        return len(self.values) or self.scale + 1

    def codes(self, column: ArrayLike) -> Codes:
        """The bucket of every value; one below the first listed value goes to the first bucket."""
        if self.scale:
            steps = np.asarray(column) * self.scale + _ROUNDING
            return np.minimum(np.maximum(steps, 0), self.scale).astype(np.uint8)
        if self._table is not None and isinstance(column, np.ndarray) and np.can_cast(column.dtype, np.intp):
            return self._table.take(column, mode="clip")
        return self._borders.searchsorted(column, side="right").astype(np.uint8)

    @cached_property
    def _borders(self) -> NDArray[np.float64]:
        """Where a bucket ends and the next one begins."""
        return np.array(self.values[1:], np.float64)

    @cached_property
    def _table(self) -> Codes | None:
        """The code of every whole number up to the last border, which tells sooner than a search, if it is small."""
        last = max(int(self.values[-1]), 0)
        if last > _LARGEST_TABLE or any(border <= 0 for border in self.values[1:]):
            return None
        return self._borders.searchsorted(np.arange(last + 2), side="right").astype(np.uint8)

    def names(self) -> Iterable[str]:
        """What each code stands for."""
        return [f"{value:g}" for value in self.values] or [f"{step / self.scale:.3g}" for step in range(self.count)]
