"""Functions with the same bits on every machine, by the core: those of numpy and of libm depend on the CPU."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from victorpy import _core


def exponentials(values: ArrayLike) -> NDArray[Any]:
    given = np.asarray(values, np.float64)
    return np.frombuffer(_core.exponentials(given.tobytes())).reshape(given.shape)


def logarithms(values: ArrayLike) -> NDArray[Any]:
    """Of normal numbers above 0."""
    given = np.asarray(values, np.float64)
    return np.frombuffer(_core.logarithms(given.tobytes())).reshape(given.shape)
