"""Plain arrays in a file, and the digest by which a card beside it knows them. Never pickle."""

import hashlib
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

Arrays = dict[str, NDArray[Any]]

# A file that was altered may ask zipfile for a password, or numpy for more memory than there is; and numpy reads the
# header of an array with Python's tokenizer.
ARRAY_ERRORS = (
    *(ValueError, KeyError, TypeError, EOFError, OSError, RuntimeError, OverflowError, MemoryError),
    *(zlib.error, lzma.LZMAError, BadZipFile, TokenError),
)


def digest_of(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def packed(arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """The same arrays are the same bytes."""
    # numpy 1 has no allow_pickle for these, and would take it for one of them.
    if objects := [name for name, array in arrays.items() if array.dtype.hasobject]:
        raise ValueError(f"nothing that is plain: {', '.join(objects)}")
    save: Callable[..., None] = np.savez_compressed
    file = io.BytesIO()
    save(file, **arrays)
    return file.getvalue()


def read_arrays(path: Path, digest: str, card: str, what: str, of: str) -> Arrays:
    """Those that the card speaks of, or an error that says what of what they should have been."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise VictorError(f"cannot be read: {error.strerror}", path) from error
    if digest_of(content) != digest:
        raise VictorError(f"these are not the {what} that {card} beside it speaks of: the file was changed", path)
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as file:
            return {name: _array(name, found) for name, found in file.items()}
    except ARRAY_ERRORS as error:
        raise VictorError(f"no {what} of {of}: {error}", path) from error


def _array(name: str, found: Any) -> NDArray[Any]:
    """What numpy does not know for an array it gives as bytes."""
    if not isinstance(found, np.ndarray):
        raise TypeError(f"'{name}' is no array")
    return found


def are_figures(*arrays: NDArray[Any]) -> bool:
    """Floats, each of them a number."""
    return all(array.dtype.kind == "f" and bool(np.isfinite(array).all()) for array in arrays)


def are_numbers(*arrays: NDArray[Any]) -> bool:
    """Whole ones."""
    return all(array.dtype.kind in "iu" for array in arrays)
