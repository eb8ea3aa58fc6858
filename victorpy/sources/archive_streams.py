"""The unpacked bytes of a web archive. A unit is a gzip member, a Zstandard frame, or what is not packed."""

import os
import re
import zlib
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from typing import IO, Any

from victorpy.foundation.compression import (
    GZIP_MAGIC,
    SKIPPABLE,
    STREAM_ERRORS,
    ZSTD_MAGIC,
    DamagedError,
    unpacked_up_to_damage,
    zstd_problem,
)
from victorpy.foundation.optional import isal_zlib, zstandard
from victorpy.sources.archive_heads import LONGEST_LOOK, begins_record, next_head

GZIP, ZSTD, PLAIN = "gzip", "zstd", "plain"

_STEP = 1 << 16
# A step of gzip unpacks to so much at most.
_MOST = 1 << 20
# Four bytes may unpack to 128 kB, so one step of this size unpacks to 32 MB at most.
_ZSTD_STEP = 1 << 10

DICTIONARY = b"\x5d\x2a\x4d\x18"
_LARGEST_DICTIONARY = 1 << 25
_LONGEST_MAGIC = 8
_STARTS = {GZIP: re.compile(rb"\x1f\x8b\x08"), ZSTD: re.compile(re.escape(ZSTD_MAGIC) + b"|" + re.escape(DICTIONARY))}
_BLANK = re.compile(rb"[\r\n\t \0]*")

_PIECE = 1 << 20
# A possible unit is checked by unpacking so many of its bytes. Zstandard unpacks only whole blocks.
_HEAD = {GZIP: 1 << 10, ZSTD: (1 << 17) + (1 << 10)}
_LOOK = 1 << 12
# A hostile unit may contain the beginnings of thousands of others that all end in the same distant damage.
_OFTEN, _FREELY = 4, 1 << 26
# Of a damaged member, so much is unpacked again to find the very byte of the damage.
_FARTHEST = 1 << 26


@cache
def _inflate() -> Any:
    """ISA-L unpacks twice as fast as zlib."""
    return isal_zlib() or zlib


class _Gzip:
    """A gzip member."""

    def __init__(self) -> None:
        self._unpacker: Any = _inflate().decompressobj(zlib.MAX_WBITS | 16)
        self.is_over, self.rest = False, b""

    def unpacked(self, packed: bytes) -> bytes:
        try:
            piece: bytes = self._unpacker.decompress(packed, _MOST)
        except _inflate().error as error:
            raise zlib.error("damaged gzip") from error
        self.is_over = self._unpacker.eof
        self.rest = self._unpacker.unused_data if self.is_over else self._unpacker.unconsumed_tail
        return piece


class _Zstd:
    """A Zstandard frame."""

    def __init__(self, unpacker: Any):
        self._unpacker, self._stream = unpacker, unpacker.decompressobj()
        self.is_over, self.rest, self._is_begun = False, b"", False

    def unpacked(self, packed: bytes) -> bytes:
        is_first, self._is_begun = not self._is_begun, True
        try:
            if is_first and (end := _end_of_small_frame(packed)):
                self.is_over, self.rest = True, packed[end:]
                whole: bytes = self._unpacker.decompress(packed[:end])
                return whole
            piece: bytes = self._stream.decompress(packed[:_ZSTD_STEP])
        except zstandard().ZstdError as error:
            self.is_over = False
            raise DamagedError(zstd_problem(error) or "damaged Zstandard") from error
        self.is_over = self._stream.eof
        self.rest = (self._stream.unused_data if self.is_over else b"") + packed[_ZSTD_STEP:]
        return piece


def _end_of_small_frame(packed: bytes) -> int:
    """Where the frame ends, if it is here and says that it unpacks to no more than a step of gzip does; else 0."""
    try:
        found = zstandard().get_frame_parameters(packed)
        place: int = zstandard().frame_header_size(packed)
    except zstandard().ZstdError:
        return 0
    if not 0 < found.content_size <= _MOST:
        return 0
    is_last = False
    while not is_last and place + 3 <= len(packed):
        header = int.from_bytes(packed[place : place + 3], "little")
        is_last, is_repeated = bool(header & 1), header >> 1 & 3 == 1
        place += 3 + (1 if is_repeated else header >> 3)
    place += 4 * found.has_checksum
    return place if is_last and place <= len(packed) else 0


class _Plain:
    """Bytes that are not packed, up to the end of the file."""

    is_over, rest = False, b""

    def unpacked(self, packed: bytes) -> bytes:
        return packed


class ArchiveStream:
    """Reads units into a buffer. A record may go on in the next unit, if that one does not begin with a record."""

    def __init__(self, file: IO[bytes]):
        self._file = file
        self._size = file.seek(0, os.SEEK_END)
        self._rest, self._dictionary = b"", b""
        self._unpacker: Any = None
        self._unit: _Gzip | _Zstd | _Plain | None = None
        self._error: Exception | None = None
        # The first bytes of the unit behind the buffer, if it begins with a record.
        self._next = b""
        # How far the file was read, and how many bytes were read again.
        self._furthest, self._again = 0, 0
        self.data, self.place = b"", 0
        # How many bytes stood before the buffer, and the units in it: where they begin, and their offsets.
        self._passed, self._units = 0, deque[tuple[int, int]]()
        # The offsets of the last unit, and of its end if it is over.
        self._begun = self._end = 0
        # How many bytes of the last unit were unpacked.
        self._produced = 0
        self.kind = self._kind_of_file()
        self.open(0)

    def open(self, offset: int) -> None:
        """Go on with the unit that begins there."""
        self._file.seek(offset)
        self._rest, self._unit, self._error, self._next = b"", None, None, b""
        self._begun = offset
        self._clear()

    def _clear(self) -> None:
        self._passed, self.data, self.place = 0, b"", 0
        self._units = deque([(0, self._begun)])

    @property
    def unit(self) -> tuple[int, int]:
        """The offset of the unit in the file, and how many of its bytes have been read."""
        at = self._passed + self.place
        while len(self._units) > 1 and self._units[1][0] <= at:
            self._units.popleft()
        start, offset = self._units[0]
        return offset, at - start

    @property
    def last_unit(self) -> int:
        """The offset of the unit that was begun last."""
        return self.offset if self.is_plain else self._begun

    @property
    def offset(self) -> int:
        """The offset of what comes next. In a packed unit it is that of the unit."""
        begun, passed = self.unit
        return begun + passed if self.is_plain else begun

    @property
    def is_plain(self) -> bool:
        return not self._next and isinstance(self._unit, _Plain)

    @property
    def is_foreign(self) -> bool:
        """Is this not packed, in a packed archive?"""
        return self.is_plain and self.kind != PLAIN

    def is_junk(self) -> bool:
        """Is this not packed, in a packed archive, and no record either?"""
        self.holds(LONGEST_LOOK)
        return self.is_foreign and not begins_record(self.data[self.place :])

    # Reading

    def has_record(self) -> bool:
        """Go to the next byte that is not blank, also in later units; False at the end of the file."""
        while True:
            blank = _BLANK.match(self.data, self.place)
            self.place = blank.end() if blank else self.place
            if self.place < len(self.data):
                if not self._is_unit_in_plain():
                    return True
                self.open(self.offset)
            if not self.more() and not self._begin_next():
                return False

    def holds(self, size: int) -> bool:
        """Are there so many bytes in this and the following units of the record? They are then in the buffer.

        A damage is raised by `check`.
        """
        held = len(self.data) - self.place
        if held >= size:
            return True
        pieces = [self.data[self.place :]]
        self._passed, self.place = self._passed + self.place, 0
        with suppress(*STREAM_ERRORS):
            while held < size and (piece := self._piece() or self._joined(held)):
                pieces.append(piece)
                held += len(piece)
        self.data = b"".join(pieces)
        return held >= size

    def starts_with(self, expected: bytes) -> bool:
        return self.holds(len(expected)) and self.data.startswith(expected, self.place)

    def check(self) -> None:
        """Raise the error that reading on has."""
        if self._error and not self._next:
            raise self._error

    def more(self) -> bool:
        """Unpack more of this unit; False at its end."""
        if not (piece := self._piece()):
            return False
        self._passed += self.place
        self.data, self.place = self.data[self.place :] + piece, 0
        return True

    def pieces(self, size: int, largest: int) -> Iterator[bytes]:
        """So many bytes, or those up to a damage or the end of the record. All but the last are equally large."""
        while size:
            self.holds(min(size, largest))
            piece = self.data[self.place : self.place + min(size, largest)]
            if not piece:
                return
            self.place += len(piece)
            size -= len(piece)
            yield piece

    def peek(self, distance: int, size: int) -> bytes | None:
        """At most so many bytes from the place that is so far away; None if the units of the record end before it."""
        if self.is_plain and len(self.data) - self.place < distance + size:
            return self._peek_in_file(distance, size)
        place = self.place + distance
        if self.holds(distance + 4) and self.is_over(self.data[self.place + distance :][:4], distance):
            return self.data[self.place + distance :]
        is_all = self.holds(distance + size)
        place = self.place + distance
        if not is_all:
            self.check()
        return self.data[place : place + size] if place <= len(self.data) else None

    def _peek_in_file(self, distance: int, size: int) -> bytes | None:
        place, offset = self._file.tell(), self.offset + distance
        self._file.seek(offset)
        found = self._file.read(size)
        self._file.seek(place)
        return found if offset <= self._size else None

    def is_over(self, rest: bytes, distance: int = 0) -> bool:
        """Does this unit end after this rest? The checksum of the unit is then verified."""
        place = self.place + distance
        if self._next or len(self.data) - place != len(rest) or not self.data.endswith(rest):
            return False
        return bool(self._unit and self._unit.is_over) and len(self._units) == 1

    def is_last(self) -> bool:
        """Has the file been read to its end?"""
        return not self._next and not self._rest and self._file.tell() >= self._size

    @property
    def position(self) -> int:
        """How many bytes stand before this place. It counts on over the units of a record."""
        return self._passed + self.place

    def go_back(self, unit: tuple[int, int]) -> bool:
        """Go to what `unit` was. Packed units are unpacked again, which is refused if that was done too often."""
        begun, passed = unit
        at = next((start + passed for start, offset in self._units if offset == begun), -1)
        if self._passed <= at <= self._passed + len(self.data):
            self.place = at - self._passed
            return True
        if self.is_plain and at >= 0:
            self._file.seek(begun + passed)
            self._rest, self._passed, self.data, self.place = b"", passed, b"", 0
            return True
        return self._may_read_again(begun) and self._opens_within(begun, passed)

    def _opens_within(self, begun: int, passed: int) -> bool:
        self.open(begun)
        self._begin_unit()
        while self._passed + len(self.data) < passed:
            self.place = len(self.data)
            if not self.holds(1):
                return False
        self.place = passed - self._passed
        return True

    def packed_member(self, begun: int) -> bytes:
        """The unit that begins there and is over, if it is a gzip member: a frame may need a dictionary."""
        if not isinstance(self._unit, _Gzip):
            return b""
        place = self._file.tell()
        self._file.seek(begun)
        unit = self._file.read(self._end - begun)
        self._file.seek(place)
        return unit

    # Damage

    def finds_head(self) -> bool:
        """Go to the next beginning of a record in this and the following units of a record; False at their end."""
        while True:
            is_whole = self.holds(len(self.data) - self.place + 1)
            end = len(self.data) - LONGEST_LOOK if is_whole else len(self.data)
            found = next_head(self.data, self.place, end)
            self.place = found if found >= 0 else max(self.place, end)
            if found >= 0:
                return True
            if not is_whole:
                self.check()
                return False

    def finds_unit(self) -> bool:
        """Go to the next unit of the archive's kind; False if there is none."""
        if self.kind == PLAIN:
            return False
        start = self._begun + 1 if self._may_read_again(self._begun) else max(self._raw_place(), self._begun + 1)
        found = next(self._units_from(start), None)
        if found is None:
            return False
        self.open(found)
        return True

    def goes_on(self) -> bool:
        """Go to the next unit; False at the end of the file."""
        self.place = len(self.data)
        while self.more():
            self.place = len(self.data)
        return self._begin_next()

    def _may_read_again(self, begun: int) -> bool:
        """Time stays linear in the size of the file: all in all, so much is read again."""
        reached = self._raw_place()
        self._again += max(0, min(reached, self._furthest) - begun)
        self._furthest = max(self._furthest, reached)
        return self._has_patience(begun)

    def _has_patience(self, begun: int) -> bool:
        return self._again <= _OFTEN * max(begun, _FREELY)

    def _units_from(self, start: int) -> Iterator[int]:
        """The offsets of possible units, and of dictionaries."""
        head = _HEAD[self.kind]
        self._file.seek(start)
        held, is_last = b"", False
        while not is_last:
            piece = self._file.read(_PIECE)
            is_last = len(piece) < _PIECE
            held += piece
            end = len(held) if is_last else len(held) - head
            for found in _STARTS[self.kind].finditer(held):
                place = found.start()
                if place < end and self._may_begin(start + place, held[place : place + head]):
                    yield start + place
            start, held = start + end, held[end:]

    def _may_begin(self, offset: int, packed: bytes) -> bool:
        if packed.startswith(DICTIONARY):
            return self._is_skippable(offset, packed)
        return bool(self._beginning(packed, self.kind))

    def _beginning(self, packed: bytes, kind: str) -> bytes:
        """What the first bytes of a unit unpack to, or nothing."""
        try:
            if kind == GZIP:
                return zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(packed, _LOOK)
            return self._beginning_of_frame(packed)
        except STREAM_ERRORS:
            return b""

    def _beginning_of_frame(self, packed: bytes) -> bytes:
        """What its first block unpacks to. All in all, so much is tried as may be read again."""
        frame, piece = _Zstd(self._zstd_unpacker()), b""
        for place in range(0, len(packed), _ZSTD_STEP):
            piece = frame.unpacked(packed[place : place + _ZSTD_STEP])
            self._again += _ZSTD_STEP if place else 0
            if piece or frame.is_over or not self._has_patience(self._begun):
                break
        return piece

    # Units

    def _kind_of_file(self) -> str:
        """By its first bytes; if these are damaged, by the first unit that begins with a record."""
        self._file.seek(0)
        head = self._file.read(_PIECE).lstrip(b"\r\n \0")
        kind = _kind_of(head)
        plain = next_head(head, 0, len(head))
        if kind != PLAIN or plain == 0:
            return kind
        for packing in (GZIP, ZSTD):
            for found in _STARTS[packing].finditer(head, 0, plain if plain > 0 else len(head)):
                if begins_record(self._beginning(head[found.start() :][: _HEAD[ZSTD]], packing)):
                    return packing
        return PLAIN

    def _is_unit_in_plain(self) -> bool:
        """Does a packed unit begin here, behind records that are not packed?"""
        if self.data[self.place] not in b"\x1f\x28" or not self.is_plain or not self.unit[1]:
            return False
        self.holds(4)
        return _kind_of(self.data[self.place : self.place + 4]) != PLAIN

    def _begin_next(self) -> bool:
        """Begin the next unit; False at the end of the file."""
        if self._next:
            found, self._next = self._next, b""
        elif self._begin_unit():
            found = b""
        else:
            return False
        self._clear()
        self.data = found
        return True

    def _begin_unit(self) -> bool:
        """Begin the unit that stands here. Zeros may stand before it, and Zstandard frames to skip."""
        while self._has_rest():
            self._begun, self._error, self._produced = self._raw_place(), None, 0
            if not SKIPPABLE.match(self._rest) or len(self._rest) < _LONGEST_MAGIC:
                self._unit = self._unit_here()
                return True
            self._pass_over_frame()
        return False

    def _has_rest(self) -> bool:
        while len(self._rest.lstrip(b"\0")) < _LONGEST_MAGIC and (piece := self._file.read(_STEP)):
            self._rest = self._rest.lstrip(b"\0") + piece
        self._rest = self._rest.lstrip(b"\0")
        return bool(self._rest)

    def _unit_here(self) -> _Gzip | _Zstd | _Plain:
        kind = _kind_of(self._rest)
        if kind == ZSTD and len(self._rest) < _STEP:
            self._rest += self._file.read(_STEP)
        return _Gzip() if kind == GZIP else _Zstd(self._zstd_unpacker()) if kind == ZSTD else _Plain()

    def _zstd_unpacker(self) -> Any:
        if self._unpacker is None:
            given = {"dict_data": zstandard().ZstdCompressionDict(self._dictionary)} if self._dictionary else {}
            self._unpacker = zstandard().ZstdDecompressor(**given)
        return self._unpacker

    def _pass_over_frame(self) -> None:
        """A frame to skip. One kind holds the dictionary of all others, which may be packed itself."""
        if not self._is_skippable(self._begun, self._rest):
            raise DamagedError("damaged Zstandard: it ends within a frame to skip")
        end = _end_of_skippable(self._rest)
        if self._rest.startswith(DICTIONARY) and end <= _LARGEST_DICTIONARY:
            self._file.seek(self._begun + _LONGEST_MAGIC)
            self._take_dictionary(self._file.read(end - _LONGEST_MAGIC))
            self._rest = b""
        elif end < len(self._rest):
            self._rest = self._rest[end:]
        else:
            self._file.seek(self._begun + end)
            self._rest = b""

    def _is_skippable(self, offset: int, packed: bytes) -> bool:
        """Is it followed by the end of the file, or by what an archive may go on with?"""
        end = _end_of_skippable(packed)
        following = packed[end:][:4]
        if len(following) < len(DICTIONARY):
            place = self._file.tell()
            self._file.seek(offset + end)
            following = self._file.read(len(DICTIONARY))
            self._file.seek(place)
        is_known = begins_unit(following) or following.strip(b"\r\n\0") in (b"", b"WARC")
        return is_known and offset + end <= self._size

    def _take_dictionary(self, data: bytes) -> None:
        self._dictionary, self._unpacker = b"", None
        try:
            self._dictionary = _unpacked_dictionary(data)
            self._zstd_unpacker()
        except zstandard().ZstdError as error:
            self._dictionary = b""
            raise DamagedError("the dictionary of Zstandard is damaged") from error

    def _raw_place(self) -> int:
        return self._file.tell() - len(self._rest)

    def _piece(self) -> bytes:
        """More of this unit, and none at its end."""
        unit = self._unit
        if self._error:
            raise self._error
        while unit and not unit.is_over and not self._next:
            packed = self._rest or self._file.read(_STEP)
            try:
                piece = unit.unpacked(packed)
            except STREAM_ERRORS as error:
                self._error = error
                return self._saved() or self._piece()
            self._rest = unit.rest
            if unit.is_over:
                self._end = self._raw_place()
            if piece:
                self._produced += len(piece)
                return piece
            if not packed:
                if isinstance(unit, _Plain):
                    return b""
                raise EOFError(f"the {self.kind} stream is cut off")
        return b""

    def _saved(self) -> bytes:
        """What of a damaged member can be unpacked up to the damaged byte."""
        done = self._produced
        if not isinstance(self._unit, _Gzip) or done > _FARTHEST or not self._may_read_again(self._begun):
            return b""
        place, saved = self._file.tell(), bytearray()
        self._file.seek(self._begun)
        packed = self._file.read(place - self._begun)
        for piece in unpacked_up_to_damage(zlib.decompressobj(zlib.MAX_WBITS | 16), packed):
            saved += piece
        self._file.seek(place)
        self._produced = max(done, len(saved))
        return bytes(saved[done:])

    def _joined(self, held: int) -> bytes:
        """The first bytes of the next unit, if the record goes on in it. An error of that unit comes later."""
        kind = type(self._unit)
        while not self._next and self._unit and kind is not _Plain and self._begin_unit():
            head = self._looked_at()
            if type(self._unit) is not kind or self._error or begins_record(head):
                self._next = head or b"\0"
                return b""
            if head:
                self._units.append((self._passed + held, self._begun))
                return head
        return b""

    def _looked_at(self) -> bytes:
        """The first bytes of a unit. Its damage is noticed when it is read on."""
        head = b""
        with suppress(*STREAM_ERRORS):
            while len(head) < LONGEST_LOOK and (piece := self._piece()):
                head += piece
        return head


def _unpacked_dictionary(data: bytes) -> bytes:
    if not data.startswith(ZSTD_MAGIC):
        return data
    return bytes(zstandard().ZstdDecompressor().decompress(data, max_output_size=_LARGEST_DICTIONARY))


def _end_of_skippable(packed: bytes) -> int:
    return _LONGEST_MAGIC + int.from_bytes(packed[4:_LONGEST_MAGIC], "little")


def begins_unit(data: bytes) -> bool:
    return _kind_of(data) != PLAIN


def _kind_of(data: bytes) -> str:
    if data.startswith(GZIP_MAGIC):
        return GZIP
    return ZSTD if data.startswith(ZSTD_MAGIC) or SKIPPABLE.match(data) else PLAIN
