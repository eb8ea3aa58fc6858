import gzip
import io
import random
import zlib

import pytest

from victorpy.sources.gzip_members import Member, Members, next_member

TEXTS = [b"one\ntwo\n", b"", b"x" * 300_000 + b"\nthe last"]
PACKED = [gzip.compress(text, mtime=0) for text in TEXTS]


def members(data):
    return Members(io.BytesIO(data))


def lines(stream):
    return list(iter(lambda: stream.readline(1 << 20), b""))


def test_members_are_taken_as_they_stand():
    stream = members(b"".join(PACKED))

    assert [stream.take(1_000_000) for _ in range(4)] == [*map(Member, PACKED, TEXTS), None]
    assert stream.read(9) == b""


def test_a_large_member_is_read_as_a_stream():
    stream = members(b"".join(PACKED[::-1]))

    assert stream.take(1_000) is None
    assert lines(stream)[1:] == [b"the lastone\n", b"two\n"]


def test_what_was_given_back_is_read_again():
    stream = members(b"".join(PACKED[:2] * 2))
    taken = stream.take(100)
    stream.give_back(taken.data)

    assert stream.readline(100) == b"one\n"
    assert stream.take(100) is None
    assert stream.read(100) == b"two\n"
    assert stream.take(100) == Member(PACKED[1], b"")


def test_a_member_can_be_taken_behind_one_that_was_read_to_its_end():
    stream = members(PACKED[0] + PACKED[0])
    stream.readline(100)
    stream.skip(b"one")
    stream.skip(b"two\n")

    assert stream.take(100) == Member(PACKED[0], TEXTS[0])


def test_lines_are_those_of_all_members_together():
    texts = [b"a\nb", b"c\n\n", b"d" * 200_000, b"\ne"]

    stream = members(b"".join(map(gzip.compress, texts)))

    assert lines(stream) == b"".join(texts).splitlines(keepends=True)


def test_zeros_behind_a_member_are_nothing():
    stream = members(PACKED[0] + bytes(100_000) + PACKED[0] + bytes(9))

    assert [stream.take(100) for _ in range(3)] == [Member(PACKED[0], TEXTS[0])] * 2 + [None]


@pytest.mark.parametrize("data", [PACKED[0][:-3], PACKED[2][: len(PACKED[2]) // 2]])
def test_what_is_cut_off_is_an_error(data):
    with pytest.raises(EOFError):
        members(data).take(1_000_000)
    with pytest.raises(EOFError):
        lines(members(data))


def test_what_is_no_member_is_an_error():
    stream = members(PACKED[0] + b"something else")
    stream.take(100)

    with pytest.raises(zlib.error):
        stream.take(100)


def test_a_member_can_be_found_by_what_it_holds():
    chance = random.Random(7)
    file = io.BytesIO(chance.randbytes((1 << 20) - 5) + PACKED[0] + b"\x1f\x8b\x08" * 9 + PACKED[2] + PACKED[0])
    first = (1 << 20) - 5

    assert next_member(file, 0, lambda data: data == TEXTS[0]) == first
    assert next_member(file, first + 1, lambda data: data == TEXTS[0]) == len(file.getvalue()) - len(PACKED[0])
    assert next_member(file, 0, lambda data: data == b"nothing") is None


@pytest.mark.slow
def test_a_bomb_takes_no_memory():
    stream = members(gzip.compress(bytes(1 << 28)))

    assert stream.take(1_000) is None
    assert len(stream.read(1 << 30)) < 100_000
