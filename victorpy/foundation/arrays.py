"""Files of plain arrays, never of pickles. The digest of a file is kept in the card beside it."""

import io
import lzma
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from tokenize import TokenError
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from victorpy.errors import VictorError
from victorpy.foundation.paired_files import paired_data

Arrays = dict[str, NDArray[Any]]

# An altered file may make zipfile ask for a password, or numpy for too much memory. Numpy reads the header of an array
# with Python's tokenizer.
ARRAY_ERRORS = (
    *(ValueError, KeyError, TypeError, EOFError, OSError, RuntimeError, OverflowError, MemoryError),
    *(zlib.error, lzma.LZMAError, BadZipFile, TokenError),
)


def packed(arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """The content of a file of arrays; equal arrays give equal bytes."""
    # numpy 1 has no option allow_pickle here, and would save it as an array.
    if objects := [name for name, array in arrays.items() if array.dtype.hasobject]:
        raise ValueError(f"not plain arrays: {', '.join(objects)}")
    save: Callable[..., None] = np.savez_compressed
    file = io.BytesIO()
    save(file, **arrays)
    return file.getvalue()


def read_arrays(path: Path, digest: str, card: str, what: str, of: str) -> Arrays:
    """The arrays of a file whose digest is in the card; errors call them `what` of `of`."""
    try:
        content = paired_data(path, digest)
    except OSError as error:
        raise VictorError(f"cannot be read: {error.strerror}", path) from error
    if content is None:
        raise VictorError(f"the {what} do not match {card} beside them: the file was changed", path)
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as file:
            return {name: _array(name, found) for name, found in file.items()}
    except ARRAY_ERRORS as error:
        raise VictorError(f"not the {what} of {of}: {error}", path) from error


def _array(name: str, found: Any) -> NDArray[Any]:
    """Refuse what numpy returns as bytes, because it is not an array."""
    if not isinstance(found, np.ndarray):
        raise TypeError(f"'{name}' is not an array")
    return found


def are_figures(*arrays: NDArray[Any]) -> bool:
    """Are all values finite floats?"""
    return all(array.dtype.kind == "f" and bool(np.isfinite(array).all()) for array in arrays)


def are_numbers(*arrays: NDArray[Any]) -> bool:
    """Are all values integers?"""
    return all(array.dtype.kind in "iu" for array in arrays)
