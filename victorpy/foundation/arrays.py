"""Files of plain arrays, never of pickles. The digest of a file is kept in the card beside it."""

import io
import lzma
import zlib
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from tokenize import TokenError
from typing import Any, NamedTuple
from zipfile import BadZipFile, ZipFile, ZipInfo

import numpy as np
from numpy.typing import NDArray

from victorpy.errors import VictorError
from victorpy.foundation.paired_files import paired_data

Arrays = dict[str, NDArray[Any]]

# An altered file may make zipfile ask for a password, or numpy for too much memory. Numpy reads the header of an array
# with Python's tokenizer, and types with its parser.
ARRAY_ERRORS = (
    *(ValueError, KeyError, TypeError, EOFError, OSError, RuntimeError, OverflowError, MemoryError),
    *(zlib.error, lzma.LZMAError, BadZipFile, TokenError, SyntaxError),
)

# A small file can unpack to a thousand times its size.
MAX_UNPACKED = 2 << 30


def packed(arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """The content of a file of arrays; equal arrays give equal bytes."""
    # numpy 1 has no option allow_pickle here, and would save it as an array.
    if objects := [name for name, array in arrays.items() if array.dtype.hasobject]:
        raise ValueError(f"not plain arrays: {', '.join(objects)}")
    size = sum(array.nbytes for array in arrays.values())
    if size > MAX_UNPACKED:
        raise VictorError(f"the arrays take {size:,} bytes, and only {MAX_UNPACKED:,} could be read again")
    save: Callable[..., None] = np.savez_compressed
    file = io.BytesIO()
    save(file, **arrays)
    return file.getvalue()


class ArrayFile(NamedTuple):
    """The card beside a file of arrays, and what errors call them: `what` of `of`."""

    card: str
    what: str
    of: str


def read_arrays(path: Path, digest: str, names: Collection[str], file: ArrayFile) -> Arrays:
    """The arrays of a file whose digest is in the card; no others than these."""
    try:
        content = paired_data(path, digest)
    except OSError as error:
        raise VictorError(f"cannot be read: {error.strerror}", path) from error
    if content is None:
        raise VictorError(f"the {file.what} do not match {file.card} beside them: the file was changed", path)
    try:
        with ZipFile(io.BytesIO(content)) as archive:
            check_directory(archive, {f"{name}{_SUFFIX}" for name in names})
            return {entry.filename.removesuffix(_SUFFIX): array_in(archive, entry) for entry in archive.infolist()}
    except ARRAY_ERRORS as error:
        raise VictorError(f"not the {file.what} of {file.of}: {error}", path) from error


_SUFFIX = ".npy"


def check_directory(archive: ZipFile, names: Collection[str]) -> None:
    """Refuse other files, and more than is read at once, before anything is unpacked."""
    found = [entry.filename for entry in archive.infolist()]
    for number, name in enumerate(found):
        if name not in names:
            raise ValueError(f"'{name}' does not belong there")
        if name in found[:number]:
            raise ValueError(f"'{name}' is there twice")
    # Nothing unpacks to more than the directory says.
    size = sum(entry.file_size for entry in archive.infolist())
    if size > MAX_UNPACKED:
        raise ValueError(f"it would unpack to {size:,} bytes, more than {MAX_UNPACKED:,}")


def array_in(archive: ZipFile, entry: str | ZipInfo) -> NDArray[Any]:
    with archive.open(entry) as content:
        array: NDArray[Any] = np.lib.format.read_array(content, allow_pickle=False)
    # The core reads rows, and a file may hold columns.
    return np.asarray(array, order="C")


def are_figures(*arrays: NDArray[Any]) -> bool:
    """Are all values finite floats?"""
    return all(array.dtype.kind == "f" and bool(np.isfinite(array).all()) for array in arrays)


def are_numbers(*arrays: NDArray[Any]) -> bool:
    """Are all values integers?"""
    return all(array.dtype.kind in "iu" for array in arrays)
