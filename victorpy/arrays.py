"""Files of plain arrays: what may be wrong with them, and what they may hold."""

import lzma
import zlib
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

# A file that was altered may ask zipfile for a password, or numpy for more memory than there is.
TROUBLE = (
    *(ValueError, KeyError, TypeError, EOFError, OSError, RuntimeError, OverflowError, MemoryError),
    *(zlib.error, lzma.LZMAError, BadZipFile),
)


def are_figures(*arrays: NDArray[Any]) -> bool:
    """Floats, each of them a number."""
    return all(array.dtype.kind == "f" and bool(np.isfinite(array).all()) for array in arrays)


def are_numbers(*arrays: NDArray[Any]) -> bool:
    """Whole ones."""
    return all(array.dtype.kind in "iu" for array in arrays)
