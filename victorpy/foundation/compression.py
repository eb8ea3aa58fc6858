"""Streams that are gzip or Zstandard: known by their content when read, by their name when written."""

import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, cast

from victorpy.foundation.optional import zstandard

SUFFIXES = (".gz", ".zst")

_GZIP = b"\x1f\x8b"
_ZSTD = b"\x28\xb5\x2f\xfd"
_STEP = 1 << 16
# Four bytes may hold 128 kB: of so few bytes at once no more than 32 MB come out.
_ZSTD_STEP = 1 << 10

# Higher levels double the time, which one process spends for all, and save a twentieth of the size.
_GZIP_LEVEL, _ZSTD_LEVEL = 4, 3

# All that a damaged stream may raise when it is read.
STREAM_ERRORS = (OSError, EOFError, zlib.error)


class DamagedError(OSError):
    """A stream that is not what it began as, or ends before its end."""


def bare_name(path: str) -> str:
    """The name in lower case, without the ending that speaks of compression."""
    name = Path(path).name.lower()
    return next((name.removesuffix(suffix) for suffix in SUFFIXES if name.endswith(suffix)), name)


def unpacked(file: IO[bytes]) -> IO[bytes]:
    """What a stream holds; the file must be able to seek."""
    head = file.read(4)
    file.seek(0)
    if head.startswith(_GZIP):
        return cast("IO[bytes]", gzip.GzipFile(fileobj=file))
    if head == _ZSTD:
        return io.BufferedReader(_ZstdReader(file), _STEP)
    return file


class _ZstdReader(io.RawIOBase):
    """Frame after frame; a frame that is cut off is an error, which zstandard's own reader keeps to itself."""

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
            raise DamagedError("the Zstandard stream is damaged") from error
        self._rest = self._current.unused_data if self._current.eof else b""
        if self._current.eof:
            self._current = None
        return found


def packed_alone(data: bytes, path: str) -> bytes:
    """A gzip member or a Zstandard frame of its own, as the name says; else the data as they are."""
    if path.lower().endswith(".gz"):
        return gzip.compress(data, 6, mtime=0)
    return cast("bytes", zstandard().compress(data, 9)) if path.lower().endswith(".zst") else data


@contextmanager
def packing(file: IO[bytes], path: str) -> Iterator[IO[bytes]]:
    """The same file, or one that packs what is written into it, as the name says."""
    if path.lower().endswith(".gz"):
        # Neither time nor name: the same texts give the same bytes.
        with gzip.GzipFile("", "wb", _GZIP_LEVEL, file, mtime=0) as packer:
            yield cast("IO[bytes]", packer)
    elif path.lower().endswith(".zst"):
        with zstandard().ZstdCompressor(level=_ZSTD_LEVEL).stream_writer(file, closefd=False) as packer:
            yield packer
    else:
        yield file
