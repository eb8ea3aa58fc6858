import gzip
import io

import pytest
from archives import zstandard

from victorpy.sources.archive_streams import ArchiveStream

TEXT = b"WARC/1.0\r\nWARC-Type: response\r\n\r\n" + b"x" * 300_000 + b"\nthe last"


def stream(data):
    return ArchiveStream(io.BytesIO(data))


def content(found):
    """What follows in all units."""
    texts = []
    while found.has_record():
        texts += found.pieces(1 << 40, 50_000)
    return b"".join(texts)


@pytest.mark.parametrize(
    "data",
    [
        TEXT,
        gzip.compress(TEXT),
        zstandard.compress(TEXT),
        gzip.compress(TEXT[:50]) + gzip.compress(TEXT[50:]),
        zstandard.compress(TEXT[:50]) + b"\x55\x2a\x4d\x18\3\0\0\0abc" + zstandard.compress(TEXT[50:]),
        gzip.compress(b"") + gzip.compress(TEXT) + bytes(100_000) + gzip.compress(b""),
    ],
    ids=["plain", "gzip", "Zstandard", "two members", "two frames", "empty members and zeros"],
)
def test_units_are_read_as_one_stream(data):
    assert content(stream(data)) == TEXT


def test_a_unit_that_begins_a_record_ends_the_one_before():
    found = stream(gzip.compress(TEXT) + gzip.compress(TEXT[:200]))
    found.has_record()

    assert b"".join(found.pieces(1 << 40, 50_000)) == TEXT
    assert found.has_record()
    assert found.offset == len(gzip.compress(TEXT))


@pytest.mark.parametrize("pack", [bytes, gzip.compress, zstandard.compress], ids=["plain", "gzip", "Zstandard"])
def test_a_place_can_be_read_again(pack):
    found = stream(pack(TEXT))
    found.has_record()
    next(found.pieces(100, 100))
    place = found.unit
    first = b"".join(found.pieces(250_000, 50_000))

    assert found.go_back(place)
    assert b"".join(found.pieces(250_000, 50_000)) == first == TEXT[100:250_100]


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (gzip.compress(TEXT)[:-3], EOFError),
        (zstandard.compress(TEXT)[:-3], EOFError),
        (gzip.compress(TEXT)[:-8] + bytes(8), Exception),
    ],
    ids=["gzip", "Zstandard", "checksum"],
)
def test_of_a_damaged_unit_what_stands_before_is_read(data, error):
    found = stream(data)
    found.has_record()

    assert b"".join(found.pieces(len(TEXT), 50_000))[:100] == TEXT[:100]
    with pytest.raises(error, match=r"cut off|damaged gzip"):
        found.more()


@pytest.mark.slow
def test_a_bomb_takes_no_memory():
    found = stream(gzip.compress(b"WARC/" + bytes(1 << 28)))
    found.has_record()

    assert max(map(len, found.pieces(1 << 28, 50_000))) == 50_000
    assert len(found.data) < 3_000_000
