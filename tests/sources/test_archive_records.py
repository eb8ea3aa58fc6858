"""Records as they stand in WARC and ARC files."""

import gzip
import os
from contextlib import suppress
from io import BytesIO

import pytest
from archives import ARC_HEAD, answer, arc, fastwarc, nested, packed, warc, zstandard

from victorpy.sources.archive_records import DamageError, IncompleteError, records


@pytest.fixture
def read(tmp_path):
    def records_and_damage(data, name="crawl.warc"):
        path = tmp_path / name
        path.write_bytes(data)
        found, damages = [], []
        for record in records(str(path), is_copied=True):
            if isinstance(record, DamageError):
                damages.append(str(record).removeprefix(f"{path}: "))
                continue
            with suppress(IncompleteError):
                found.append((record.kind, record.url, b"".join(record.pieces())))
        return found, "\n".join(damages)

    return records_and_damage


STRANGE = (
    b"WARC/1.1\r\nwarc-type:  request\r\nX-Folded: a\r\n\tb\r\nWARC-Target-URI: http://a.example/\xff\r\n"
    b"Content-Length: 3\r\n\r\n\r\n\x00\r\n\r\n"
)


@pytest.mark.parametrize("ending", ["", ".gz", ".zst"])
def test_records_are_byte_for_byte_as_they_stand(read, ending):
    whole = [warc(1, kind="warcinfo", block=b"ours"), warc(2), STRANGE, warc(3, b""), warc(4, answer(b"x" * 200_000))]

    found, damage = read(packed(whole, ending), f"crawl.warc{ending}")

    assert not damage
    assert [record for _, _, record in found] == whole
    assert [kind for kind, _, _ in found] == ["warcinfo", "response", "request", "response", "response"]
    assert found[2][1] == "http://a.example/\N{REPLACEMENT CHARACTER}"


@pytest.mark.parametrize(
    "members",
    [
        [warc(1) + warc(2), warc(3)],
        [warc(1), warc(2)[:100], warc(2)[100:] + warc(3)],
        [warc(1), warc(2) + b"\r\n", warc(3)[:-2]],
        [warc(1), b"", warc(2), warc(3)],
    ],
    ids=["two in one", "one in two", "other white space", "an empty one"],
)
def test_records_need_not_have_gzip_members_of_their_own(read, members):
    found, damage = read(packed(members, ".gz"), "x.warc.gz")

    assert ([record for _, _, record in found], damage) == ([warc(1), warc(2), warc(3)], "")


def test_a_gzip_member_that_holds_one_record_is_there_as_it_is(tmp_path):
    large = warc(3, answer(bytes(2_000_000)))
    members = [gzip.compress(record) for record in (warc(1), warc(2) * 2, large, warc(4))]
    path = tmp_path / "x.warc.gz"
    path.write_bytes(b"".join(members))

    assert [record.packed for record in records(str(path), is_copied=True)] == [members[0], b"", b"", b"", members[3]]


def test_a_zstandard_frame_is_no_gzip_member(tmp_path):
    path = tmp_path / "x.warc.zst"
    path.write_bytes(packed([warc(1), warc(2)], ".zst"))

    found = [(record.packed, b"".join(record.pieces())) for record in records(str(path), is_copied=True)]

    assert found == [(b"", warc(1)), (b"", warc(2))]


@pytest.mark.parametrize("ending", ["", ".gz"])
def test_arc_records_become_warc_records(read, ending):
    pages = [
        arc("http://harbour.example/", answer()),
        arc("http://harbour.example/map.png", b"\x89PNG", "image/png"),
        arc("http://harbour.example/nothing", b""),
    ]

    found, damage = read(packed([ARC_HEAD, *pages], ending), f"old.arc{ending}")

    assert (found[0][0], damage) == ("filedesc", "")
    read_again = list(
        fastwarc.ArchiveIterator(BytesIO(b"".join(record for _, _, record in found[1:])), parse_http=False)
    )
    assert [dict(record.headers)["WARC-Type"] for record in read_again] == ["response", "resource", "resource"]
    headers = read_again[0].headers
    assert headers["WARC-Target-URI"] == "http://harbour.example/"
    assert headers["WARC-Date"] == "2006-01-31T12:00:00Z"
    assert headers["WARC-IP-Address"] == "127.0.0.1"
    assert len({record.record_id for record in read_again}) == 3
    assert b"image/png" in found[2][2]
    assert answer() in found[1][2]


def test_an_arc_record_of_a_very_long_address_becomes_one_that_can_be_read(read):
    long = arc(f"http://harbour.example/{'x' * 40_000}", answer())

    found, _ = read(ARC_HEAD + long + arc("http://harbour.example/2", answer()))

    assert found[1][1] == long.split()[0].decode()
    read_again = fastwarc.ArchiveIterator(BytesIO(b"".join(record for _, _, record in found[1:])))
    assert [record.headers["WARC-Target-URI"][:11] for record in read_again] == ["urn:sha256:", "http://harb"]


@pytest.mark.parametrize(
    ("data", "whole", "message"),
    [
        (b"", 0, "no record in it: the file is empty"),
        *(
            (pack(packed([warc(1), warc(2)], ending)), 0, "packed twice: unpack it once, at byte 0; nothing after it")
            for pack in (gzip.compress, zstandard.compress)
            for ending in (".gz", ".zst")
        ),
        (b"hello\n" * 9, 0, "not a WARC or ARC record, at byte 0; nothing after it can be read"),
        (
            warc(1) + warc(2)[:-30],
            1,
            f"the file is cut off, in record 2 at byte {len(warc(1))} (https://harbour.example/2)",
        ),
        (
            warc(1) + b"WARC/1.0\r\nWARC-Ty",
            1,
            f"the file is cut off, at byte {len(warc(1))}, after record 1 at byte 0 (https://harbour.example/1)",
        ),
        (
            zstandard.compress(warc(1)) + zstandard.compress(warc(2))[:-9],
            1,
            f"cut off, at byte {len(zstandard.compress(warc(1)))}, after record 1 at",
        ),
        (packed([warc(1), warc(2)], ".gz")[:-30], 1, "the file is cut off, in record 2"),
        (
            packed([warc(1), warc(2)], ".gz") + b"\x1f\x8bnonsense-----",
            2,
            f"damaged gzip, at byte {len(packed([warc(1), warc(2)], '.gz'))}, after record 2",
        ),
        (
            warc(1) + b"WARC/1.0\r\nContent-Length: many\r\n\r\n",
            1,
            "its Content-Length is missing or no number, in record 2",
        ),
        (ARC_HEAD + arc("http://a.example/", answer())[:-9], 1, "the file is cut off, in record 2"),
    ],
)
def test_damage_is_reported_after_the_complete_records(read, data, whole, message):
    found, damage = read(data)

    assert len(found) == whole
    assert message in damage


def test_a_missing_file_is_damage(tmp_path):
    (damage,) = records(str(tmp_path / "gone.warc"))

    assert "no such file" in str(damage)


LARGE = answer(os.urandom(2_000_000))


@pytest.mark.slow
@pytest.mark.parametrize(
    "make",
    [
        lambda number: warc(number, LARGE if number == 2 else None),
        lambda number: arc(f"http://harbour.example/{number}", LARGE if number == 2 else answer()),
    ],
    ids=["warc", "arc"],
)
@pytest.mark.parametrize("broken", [(0,), (2,), (2, 3), (3, 5), (6,)], ids=str)
@pytest.mark.parametrize("way", ["cut", "flipped", "other checksum"])
def test_a_damaged_member_costs_only_itself(read, make, broken, way):
    members = [gzip.compress(make(number), 1, mtime=0) for number in range(7)]
    for number in broken:
        half = len(members[number]) // 2
        members[number] = {
            "cut": members[number][:half],
            "flipped": members[number][:half] + bytes(20) + members[number][half + 20 :],
            "other checksum": members[number][:-8] + b"\x99" * 4 + members[number][-4:],
        }[way]

    found, damages = read(b"".join(members), "crawl.gz")

    assert [int(url[-1]) for _, url, _ in found] == [number for number in range(7) if number not in broken]
    assert len(damages.splitlines()) == (2 if broken == (3, 5) else 1)


def test_an_error_names_the_damaged_record_and_where_reading_continues(read):
    members = [gzip.compress(warc(number), mtime=0) for number in range(4)]
    begins = [sum(map(len, members[:number])) for number in range(4)]
    members[1] = members[1][:-8] + bytes(8)

    _, damage = read(b"".join(members), "crawl.warc.gz")

    assert damage == (
        f"damaged gzip, in record 2 at byte {begins[1]} (https://harbour.example/1); continues at byte {begins[2]}"
    )


def test_a_length_that_is_too_long_costs_no_other_record(read):
    long = warc(1).replace(b"Content-Length: ", b"Content-Length: 9")

    found, damage = read(packed([warc(0), long, warc(2), warc(3)], ".gz"), "crawl.warc.gz")

    assert [record for _, _, record in found] == [warc(0), warc(2), warc(3)]
    assert "its length should be 9125, but there are 129 bytes, in record 2" in damage


def test_a_header_of_many_blanks_costs_no_other_record(read):
    blanks = warc(1).replace(b"WARC-Date: ", b"WARC-Target-URI: a" + b" " * 500_000 + b"b\r\nWARC-Date: ")

    found, _ = read(packed([blanks, warc(2)], ".gz"), "crawl.warc.gz")

    assert found[-1][2] == warc(2)


def test_records_within_records_that_break_off_far_behind_are_not_all_tried(read):
    long = warc(1).replace(b"Content-Length: ", b"Content-Length: 9999")
    data = nested(long, 32)

    found, damage = read(data + gzip.compress(warc(2, LARGE)) + gzip.compress(warc(3)), "crawl.warc.gz")

    assert found[-1][2] == warc(3)
    assert len(damage.splitlines()) < 400 < data.count(long) / 10
