"""Gzip files whose members can be taken as they are; the rest is read as a stream."""

import zlib
from collections.abc import Callable, Iterator
from typing import IO, Any, NamedTuple

_STEP = 1 << 16

_MAGIC = b"\x1f\x8b\x08"
_PIECE = 1 << 20
# A possible member is checked by unpacking so many of its bytes to so many others.
_HEAD, _LOOK = 1 << 10, 1 << 12
# A hostile member may contain the beginnings of thousands of others that all end in the same distant damage.
_OFTEN, _FREELY = 4, 1 << 26


class MemberSearch:
    """Finds the next member after a damage. The time is linear in the size of the file."""

    def __init__(self, file: IO[bytes], is_start: Callable[[bytes], bool]):
        self._file, self._is_wanted = file, is_start
        self._furthest, self._again = 0, 0

    def next_after(self, begun: int) -> int | None:
        """The offset of the next member after the damaged one, which began at `begun`.

        It may be within what was read, because damage is noticed late. If too much was read twice, that is skipped.
        """
        reached = self._file.tell()
        self._again += max(0, min(reached, self._furthest) - begun)
        self._furthest = max(self._furthest, reached)
        is_too_much = self._again > _OFTEN * max(begun, _FREELY)
        return next_member(self._file, reached if is_too_much else begun + 1, self._is_wanted)


def next_member(file: IO[bytes], start: int, is_start: Callable[[bytes], bool]) -> int | None:
    """The offset of the first member, from `start` on, whose content passes `is_start`."""
    return next((place for place, packed in _heads(file, start) if is_start(_first_of(packed))), None)


def _first_of(packed: bytes) -> bytes:
    try:
        return zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(packed, _LOOK)
    except zlib.error:
        return b""


def _heads(file: IO[bytes], start: int) -> Iterator[tuple[int, bytes]]:
    """The offsets where members may begin, and their first bytes."""
    file.seek(start)
    held, is_last = b"", False
    while not is_last:
        piece = file.read(_PIECE)
        is_last = len(piece) < _PIECE
        held += piece
        end = len(held) if is_last else len(held) - _HEAD
        place = held.find(_MAGIC)
        while 0 <= place < end:
            yield start + place, held[place : place + _HEAD]
            place = held.find(_MAGIC, place + 1)
        start, held = start + end, held[end:]


class Member(NamedTuple):
    """A complete member, packed and unpacked."""

    packed: bytes
    data: bytes


class Members:
    """Reads a gzip file member by member, or as a stream."""

    def __init__(self, file: IO[bytes]):
        self._file, self._rest = file, b""
        self._unpacker: Any = None
        # The offset of the member that was begun last.
        self.begun = 0
        self._data, self._place = b"", 0

    def take(self, most: int) -> Member | None:
        """The member that begins here, if there is one and it unpacks to at most so many bytes."""
        if self._place < len(self._data) or self._has_more() or not self._begins():
            return None
        packed, data, size = list[bytes](), list[bytes](), 0
        while not self._unpacker.eof and size <= most:
            taken, piece = self._step(most + 1 - size)
            packed.append(taken)
            data.append(piece)
            size += len(piece)
        if size <= most:
            return Member(b"".join(packed), b"".join(data))
        self.give_back(b"".join(data))
        return None

    def give_back(self, data: bytes) -> None:
        """Let the data of the last member be read as a stream."""
        self._data, self._place = data, 0

    def skip(self, expected: bytes) -> None:
        """Skip these bytes if they come next in the member. At the end of a member its checksum is verified."""
        while len(self._data) - self._place < len(expected) and self._has_more():
            pass
        if self._data.startswith(expected, self._place):
            self._place += len(expected)
        if self._place == len(self._data):
            self._has_more()

    def read(self, size: int) -> bytes:
        """At most so many bytes, and none only at the end."""
        if self._place == len(self._data):
            self._reads_on()
        piece = self._data[self._place : self._place + size]
        self._place += len(piece)
        return piece

    def readline(self, most: int) -> bytes:
        while (end := self._data.find(b"\n", self._place) + 1) == 0 and len(self._data) - self._place < most:
            if not self._reads_on():
                break
        return self.read(min(most, (end or len(self._data)) - self._place)) if self._data else b""

    def _reads_on(self) -> bool:
        """Unpack more, also of later members; False at the end of the file."""
        found = self._has_more()
        while not found and self._begins():
            found = self._has_more()
        return found

    def _has_more(self) -> bool:
        """Unpack more of this member; False at its end."""
        while self._is_within():
            _, piece = self._step(_STEP)
            if piece:
                self._data, self._place = self._data[self._place :] + piece, 0
                return True
        return False

    def _is_within(self) -> bool:
        return self._unpacker is not None and not self._unpacker.eof

    def _begins(self) -> bool:
        """Does a member begin here? Zeros may pad members, and the end of the file."""
        if self._is_within():
            return False
        while not (rest := self._rest.lstrip(b"\0")):
            self._rest = self._file.read(_STEP)
            if not self._rest:
                return False
        self._rest, self._unpacker = rest, zlib.decompressobj(zlib.MAX_WBITS | 16)
        self.begun = self._file.tell() - len(rest)
        return True

    def _step(self, most: int) -> tuple[bytes, bytes]:
        """The bytes taken from the file, and what they unpack to."""
        given = self._rest or self._file.read(_STEP)
        piece = self._unpacker.decompress(given, most)
        if not given and not piece:
            raise EOFError("the gzip stream is cut off")
        self._rest = self._unpacker.unused_data if self._unpacker.eof else self._unpacker.unconsumed_tail
        return given[: len(given) - len(self._rest)], piece
