"""Gzip files of which members can be taken as they stand; the rest is read as a stream."""

import zlib
from collections.abc import Callable, Iterator
from typing import IO, Any, NamedTuple

_STEP = 1 << 16

_MAGIC = b"\x1f\x8b\x08"
_PIECE = 1 << 20
# Of what may be a member, so much is unpacked to see what it holds, and into so much.
_HEAD, _LOOK = 1 << 10, 1 << 12
# Members may be made that hold the beginnings of thousands of others, which all break off at one place far behind.
_OFTEN, _FREELY = 4, 1 << 26


class MemberSearch:
    """Looks, behind each damage of a file, for the member to go on with, in time by the size of the file."""

    def __init__(self, file: IO[bytes], is_start: Callable[[bytes], bool]):
        self._file, self._is_wanted = file, is_start
        self._furthest, self._again = 0, 0

    def behind(self, begun: int) -> int | None:
        """Where it begins, after the one that had `begun` there was read up to a damage.

        That is within what was read, because a damage shows late; unless too much was read again already."""
        reached = self._file.tell()
        self._again += max(0, min(reached, self._furthest) - begun)
        self._furthest = max(self._furthest, reached)
        is_too_much = self._again > _OFTEN * max(begun, _FREELY)
        return next_member(self._file, reached if is_too_much else begun + 1, self._is_wanted)


def next_member(file: IO[bytes], start: int, is_start: Callable[[bytes], bool]) -> int | None:
    """Where, from there on, a member begins whose first bytes are wanted."""
    return next((place for place, packed in _heads(file, start) if is_start(_first_of(packed))), None)


def _first_of(packed: bytes) -> bytes:
    try:
        return zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(packed, _LOOK)
    except zlib.error:
        return b""


def _heads(file: IO[bytes], start: int) -> Iterator[tuple[int, bytes]]:
    """Where members may begin, and how."""
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
    """A whole member."""

    packed: bytes
    data: bytes


class Members:
    """A gzip file, from its beginning to its end."""

    def __init__(self, file: IO[bytes]):
        self._file, self._rest = file, b""
        self._unpacker: Any = None
        # Where in the file the member stands that was begun last.
        self.begun = 0
        self._data, self._place = b"", 0

    def take(self, most: int) -> Member | None:
        """The member that begins here, if one does, and if it does not hold more."""
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
        """What was just taken is to be read as a stream."""
        self._data, self._place = data, 0

    def skip(self, expected: bytes) -> None:
        """Passes over this, if it is what comes next in the member; at its end, its checksum is held against it."""
        while len(self._data) - self._place < len(expected) and self._has_more():
            pass
        if self._data.startswith(expected, self._place):
            self._place += len(expected)
        if self._place == len(self._data):
            self._has_more()

    def read(self, size: int) -> bytes:
        """Not more than so much, and nothing only at the end."""
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
        """Unpacks more, or says that there is no more."""
        found = self._has_more()
        while not found and self._begins():
            found = self._has_more()
        return found

    def _has_more(self) -> bool:
        """Unpacks more of the member that was begun, or says that it has ended."""
        while self._is_within():
            _, piece = self._step(_STEP)
            if piece:
                self._data, self._place = self._data[self._place :] + piece, 0
                return True
        return False

    def _is_within(self) -> bool:
        return self._unpacker is not None and not self._unpacker.eof

    def _begins(self) -> bool:
        """Does a member begin here? Zeros may stand between two of them, and at the end."""
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
        """What was taken of the file, and what it held."""
        given = self._rest or self._file.read(_STEP)
        piece = self._unpacker.decompress(given, most)
        if not given and not piece:
            raise EOFError("the gzip stream is cut off")
        self._rest = self._unpacker.unused_data if self._unpacker.eof else self._unpacker.unconsumed_tail
        return given[: len(given) - len(self._rest)], piece
