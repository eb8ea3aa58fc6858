"""Gzip and Zstandard streams. Reading goes by the content, writing by the name."""

import gzip
import io
import re
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, cast

from victorpy.foundation.optional import zstandard

SUFFIXES = (".gz", ".zst")

# With what each kind of packed data begins.
GZIP_MAGIC, ZSTD_MAGIC = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
# Frames without content. pzstd begins with one.
SKIPPABLE = re.compile(rb"[\x50-\x5f]\x2a\x4d\x18")
_STEP = 1 << 16
# Four bytes may unpack to 128 kB, so one step of this size unpacks to 32 MB at most.
_ZSTD_STEP = 1 << 10

# Higher levels double the time of the one process that packs, and save 5 % of the size.
_GZIP_LEVEL, _ZSTD_LEVEL = 4, 3

# Smaller and smaller steps find the very byte of a damage.
_STEPS = (1 << 14, 1 << 8, 1)
_ZSTD_REASONS = {
    "Dictionary mismatch": "packed by Zstandard with a dictionary that is not in the file, or damaged",
    "too much memory": "packed by Zstandard with a window of more than 128 MB (pack it without --long), or damaged",
}

# What reading a damaged stream may raise.
STREAM_ERRORS = (OSError, EOFError, zlib.error)


class DamagedError(OSError):
    """A damaged stream, or one that ends too early."""


def bare_name(path: str) -> str:
    """The file name in lower case, without .gz or .zst."""
    name = Path(path).name.lower()
    return next((name.removesuffix(suffix) for suffix in SUFFIXES if name.endswith(suffix)), name)


def unpacked(file: IO[bytes]) -> IO[bytes]:
    """The unpacked stream of a file that can seek."""
    head = file.read(4)
    file.seek(0)
    if head.startswith(GZIP_MAGIC):
        return cast("IO[bytes]", gzip.GzipFile(fileobj=file))
    if head == ZSTD_MAGIC or SKIPPABLE.match(head):
        return io.BufferedReader(_ZstdReader(file), _STEP)
    return file


class _ZstdReader(io.RawIOBase):
    """Reads all frames. Unlike zstandard's own reader, it raises an error if a frame is cut off."""

    def __init__(self, file: IO[bytes]):
        self._file, self._frame, self._rest = file, zstandard().ZstdDecompressor(), b""
        self._unpacked = memoryview(b"")
        self._current: Any = None

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._unpacked:
            packed = self._rest or self._file.read(_ZSTD_STEP)
            if not packed:
                if self._current:
                    raise DamagedError("the Zstandard stream is cut off")
                return 0
            self._unpacked = memoryview(self._next(packed))
        size = min(len(buffer), len(self._unpacked))
        buffer[:size], self._unpacked = self._unpacked[:size], self._unpacked[size:]
        return size

    def _next(self, packed: bytes) -> bytes:
        self._current = self._current or self._frame.decompressobj()
        try:
            found: bytes = self._current.decompress(packed)
        except zstandard().ZstdError as error:
            raise DamagedError(zstd_problem(error) or "the Zstandard stream is damaged") from error
        self._rest = self._current.unused_data if self._current.eof else b""
        if self._current.eof:
            self._current = None
        return found


def zstd_problem(error: Exception) -> str:
    """Why a frame cannot be unpacked that need not be damaged, by the library's message; else nothing."""
    return next((problem for words, problem in _ZSTD_REASONS.items() if words in str(error)), "")


def unpacked_up_to_damage(unpacker: Any, packed: bytes, steps: Sequence[int] = _STEPS) -> Iterator[bytes]:
    """What a damaged stream unpacks to. Steps become smaller, because an error loses the output of its step."""
    for place in range(0, len(packed), steps[0]):
        piece = packed[place : place + steps[0]]
        before = unpacker.copy() if steps[1:] else None
        try:
            yield unpacker.decompress(piece)
        except zlib.error:
            if before:
                yield from unpacked_up_to_damage(before, piece, steps[1:])
            return


def packed_alone(data: bytes, path: str) -> bytes:
    """The data as one gzip member or Zstandard frame, by the ending of the path; else as they are."""
    if path.lower().endswith(".gz"):
        return gzip.compress(data, 6, mtime=0)
    return cast("bytes", zstandard().compress(data, 9)) if path.lower().endswith(".zst") else data


@contextmanager
def packing(file: IO[bytes], path: str) -> Iterator[IO[bytes]]:
    """A file that packs what is written to it, by the ending of the path."""
    if path.lower().endswith(".gz"):
        # Without time and name, equal texts give equal bytes.
        with gzip.GzipFile("", "wb", _GZIP_LEVEL, file, mtime=0) as packer:
            yield cast("IO[bytes]", packer)
    elif path.lower().endswith(".zst"):
        with zstandard().ZstdCompressor(level=_ZSTD_LEVEL).stream_writer(file, closefd=False) as packer:
            yield packer
    else:
        yield file
