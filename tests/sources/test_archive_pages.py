"""Pages out of WARC and ARC files: all of them, and a word on whatever is none."""

import gzip
import os
import re
import tracemalloc
import zlib
from collections import Counter

import pytest
from archives import ARC_HEAD, HTML, RECORD_ID, answer, arc, nested, packed, warc, zstandard

from victorpy.errors import VictorError
from victorpy.sources import COLUMNS, SOURCES
from victorpy.sources.http_responses import decoded_body


@pytest.fixture
def read(tmp_path):
    def pages_and_damages(data, name="crawl.warc"):
        path = tmp_path / name
        path.write_bytes(data)
        items = list(SOURCES[name.split(".")[1]].read(str(path)))
        damages = [str(item).removeprefix(f"{path}: ") for item in items if isinstance(item, VictorError)]
        return [item for item in items if not isinstance(item, VictorError)], damages

    return pages_and_damages


@pytest.mark.parametrize("ending", ["", ".gz", ".zst"])
def test_a_warc_gives_its_pages_in_order(read, ending):
    records = [warc(1, kind="warcinfo", block=b"software: ours"), *map(warc, range(2, 5)), warc(5, kind="request")]

    pages, damages = read(packed(records, ending), f"crawl.warc{ending}")

    assert damages == []
    assert [page.url for page in pages] == [f"https://harbour.example/{number}" for number in (2, 3, 4)]
    assert {(page.data, page.charset, page.problem, page.date) for page in pages} == {
        (HTML, "utf-8", "", "2024-05-06T07:00:00Z")
    }
    assert [page.record for page in pages] == [RECORD_ID.format(number) for number in (2, 3, 4)]
    assert pages[0].path.endswith(f"crawl.warc{ending}, record at byte {len(packed(records[:1], ending))}")


@pytest.mark.parametrize("ending", ["", ".gz", ".zst"])
def test_an_arc_gives_its_pages_in_order(read, ending):
    records = [ARC_HEAD, *(arc(f"http://harbour.example/{number}", answer()) for number in range(3))]

    pages, damages = read(packed(records, ending), f"old.arc{ending}")

    assert damages == []
    assert [(page.url, page.data, page.charset, page.date) for page in pages] == [
        (f"http://harbour.example/{number}", HTML, "utf-8", "2006-01-31T12:00:00Z") for number in range(3)
    ]


def chunked(body):
    return b"".join(b"%x\r\n%b\r\n" % (len(part), part) for part in (body[:9], body[9:], b""))


@pytest.mark.parametrize(
    "make", [lambda block: warc(1, block), lambda block: ARC_HEAD + arc("http://x.example/", block)]
)
@pytest.mark.parametrize(
    "block",
    [
        answer(gzip.compress(HTML), Content_Encoding="gzip"),
        answer(zlib.compress(HTML), Content_Encoding="deflate"),
        answer(chunked(HTML), Transfer_Encoding="chunked"),
        answer(chunked(gzip.compress(HTML)), Transfer_Encoding="chunked", Content_Encoding="gzip"),
        answer(HTML, Content_Encoding="gzip"),
        answer(HTML, Transfer_Encoding="chunked"),
        answer(HTML, Content_Encoding="br"),
        answer(HTML, media="application/xhtml+xml; charset='utf-8'"),
        answer(b"%020x\r\n%b\r\n0\r\n\r\n" % (len(HTML), HTML), Transfer_Encoding="chunked"),
        answer(zstandard.compress(HTML), Content_Encoding="\r\n zstd"),
        answer(status="103 Early Hints", body=answer()),
    ],
    ids=[
        "gzip",
        "deflate",
        "chunked",
        "both",
        "no gzip",
        "not chunked",
        "no brotli",
        "xhtml",
        "zeros in a size",
        "folded",
        "early hints",
    ],
)
def test_a_body_is_decoded_as_it_is_whatever_the_headers_say(read, make, block):
    record = make(block)

    pages, damages = read(record, "crawl.warc" if record.startswith(b"WARC") else "crawl.arc")

    assert ([page.data for page in pages], damages) == ([HTML], [])


@pytest.mark.slow
def test_a_body_in_many_small_chunks_takes_little_memory():
    body = b"2\r\nab\r\n" * 100_000 + b"0\r\n\r\n"
    tracemalloc.start()
    try:
        data, _ = decoded_body(body, "chunked", "", len(body))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()

    assert data == b"ab" * 100_000
    assert peak < 2 * len(body)


def test_answers_that_are_no_pages_are_counted(read, caplog):
    records = [
        warc(1, answer(b"\x89PNG", "image/png")),
        warc(2, answer(status="404 Not Found")),
        warc(3),
        warc(4, answer(b"body {}", media="")),
        warc(5, answer(b"<!DOCTYPE html>" + HTML, media="")),
    ]

    pages, _ = read(b"".join(records))

    assert [page.url[-1] for page in pages] == ["3", "5"]
    assert "crawl.warc: 3 records skipped: 1 HTTP status 404, 2 not HTML" in caplog.text


def test_revisits_and_truncated_records_are_named(read):
    records = [
        warc(1, answer(b""), "revisit", WARC_Refers_To="<urn:uuid:earlier>"),
        warc(2, WARC_Truncated="length"),
    ]

    pages, damages = read(b"".join(records))

    assert [(page.data, page.problem) for page in pages] == [
        (None, "a revisit: its content is that of an earlier record (<urn:uuid:earlier>)"),
        (HTML, "truncated by the crawler (length)"),
    ]
    assert damages == []


@pytest.mark.parametrize("ending", ["", ".gz", ".zst"])
@pytest.mark.parametrize("share", [0.1, 0.3, 0.5, 0.7, 0.9])
def test_of_a_file_that_is_cut_off_the_pages_before_are_kept(read, ending, share):
    records = [warc(number) for number in range(3)]
    whole, last = packed(records[:2], ending), packed(records[2:], ending)

    pages, damages = read(whole + last[: int(share * len(last))], f"crawl.warc{ending}")

    assert [page.data for page in pages[:2]] == [HTML] * 2
    assert len(damages) == 1
    assert "byte" in damages[0]


@pytest.mark.parametrize("ending", ["", ".gz", ".zst"])
@pytest.mark.parametrize("share", [0.6, 0.9])
def test_of_an_arc_that_is_cut_off_the_pages_before_are_kept(read, ending, share):
    records = [ARC_HEAD, *(arc(f"http://harbour.example/{number}", answer()) for number in range(3))]
    whole, last = packed(records[:3], ending), packed(records[3:], ending)

    pages, damages = read(whole + last[: int(share * len(last))], f"old.arc{ending}")

    assert [page.data for page in pages[:2]] == [HTML] * 2
    assert len(damages) == 1
    assert "record" in damages[0]


@pytest.mark.parametrize("kept", [0.05, 0.5, 0.95])
def test_a_member_cut_short_in_the_middle_costs_only_itself(read, kept):
    members = [gzip.compress(warc(number), mtime=0) for number in range(6)]
    cut = members[2][: int(kept * len(members[2]))]

    pages, (damage,) = read(b"".join([*members[:2], cut, *members[3:]]), "crawl.warc.gz")

    assert [page.url[-1] for page in pages if page.url[-1] != "2"] == ["0", "1", "3", "4", "5"]
    assert "damaged" in damage
    assert f"byte {len(members[0])} (https://harbour.example/1)" in damage or "harbour.example/2" in damage


def test_every_damage_gives_an_error(read):
    members = [gzip.compress(warc(number), mtime=0) for number in range(7)]
    members[0], members[4] = members[0][:100], members[4][:100]

    pages, damages = read(b"".join(members), "crawl.warc.gz")

    assert [page.url[-1] for page in pages if not page.problem] == ["1", "2", "3", "5", "6"]
    assert ["byte 0" in damages[0], "harbour.example" in damages[1], len(damages)] == [True, True, 2]


@pytest.mark.parametrize("broken", [0, 1, 3, 5])
@pytest.mark.parametrize("way", [lambda member: member[:90], lambda member: member[:-8] + bytes(8)])
def test_a_damaged_member_of_an_arc_costs_only_itself(read, broken, way):
    records = [ARC_HEAD, *(arc(f"http://harbour.example/{number}", answer()) for number in range(1, 6))]
    members = [gzip.compress(record, mtime=0) for record in records]
    members[broken] = way(members[broken])

    pages, (damage,) = read(b"".join(members), "old.arc.gz")

    read_whole = [int(page.url[-1]) for page in pages if not page.problem]
    assert [number for number in range(1, 6) if number != broken] == [n for n in read_whole if n != broken]
    assert "beginning" in damage or f"record {broken}" in damage or f"record {broken + 1}" in damage


@pytest.mark.parametrize(
    ("kind", "whole"), [("warc", warc(1)), ("arc", arc("http://harbour.example/1", answer()))], ids=["warc", "arc"]
)
def test_records_within_records_that_break_off_far_behind_are_not_all_tried(read, kind, whole):
    length = b"%d" % len(answer())
    data = nested(whole.replace(length, b"99999999", 1), 32)
    large = gzip.compress(
        whole.replace(length, b"%d" % (len(answer()) + 200_000)).replace(HTML, HTML + os.urandom(200_000))
    )

    pages, damages = read(data + large + gzip.compress(whole), f"crawl.{kind}.gz")

    assert pages[-1].data == HTML
    assert len(damages) < 400 < data.count(HTML) / 10


@pytest.mark.parametrize("ending", ["", ".gz"])
@pytest.mark.parametrize(
    ("header", "is_read"),
    [
        (b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n" + b"X-Padding: quay\r\n" * 20_000, True),
        (b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n" + b"X-Padding: quay\r\n" * 100_000, False),
        (b"HTTP/1.1 200 OK\r\n" + bytes(2_000_000), False),
    ],
    ids=["long", "too long", "no lines"],
)
def test_an_answer_without_a_readable_header_costs_no_other_page(read, ending, header, is_read):
    records = [warc(1), warc(2, header + b"\r\n" + HTML), warc(3)]

    pages, damages = read(packed(records, ending), f"crawl.warc{ending}")

    assert damages == []
    assert [page.data for page in pages] == [HTML, HTML if is_read else None, HTML]
    assert is_read or pages[1].problem == "its HTTP header is longer than 1,048,576 bytes"


@pytest.mark.parametrize("name", ["crawl.warc", "crawl.warc.gz", "crawl.warc.zst", "old.arc", "old.arc.gz"])
@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "the file is empty"),
        (b"<html>" * 300, "not a WARC or ARC record, at byte 0"),
        (bytes(range(256)) * 9, "not a WARC or ARC record, at byte [01]"),
    ],
    ids=["empty", "HTML", "binary"],
)
def test_what_is_no_archive_says_so(read, name, data, said):
    pages, (damage,) = read(data, name)

    assert pages == []
    assert re.search(said, damage)


def test_a_status_of_thousands_of_digits_is_ignored(read):
    records = (arc("http://x.example/", answer(status="9" * 5_000)), arc("http://x.example/2", HTML))

    pages, damages = read(b"".join([ARC_HEAD, *records]), "crawl.arc")

    assert [page.data for page in pages] == [HTML, HTML]
    assert damages == []


def test_a_body_beyond_the_limit_is_not_taken(tmp_path):
    path = tmp_path / "crawl.warc"
    bomb = answer(gzip.compress(b"x" * 5_000_000), Content_Encoding="gzip")
    path.write_bytes(warc(1, bomb) + warc(2, answer(b"x" * 20_000)) + warc(3))

    pages = list(SOURCES["warc"].read(str(path), max_bytes=10_000))

    assert [(page.data, page.problem) for page in pages] == [
        (None, "larger than 10,000 bytes"),
        (None, "larger than 10,000 bytes"),
        (HTML, ""),
    ]


EMPTY = gzip.compress(b"", mtime=0)


def flipped(data, place):
    return data[:place] + bytes([data[place] ^ 0x5A]) + data[place + 1 :]


def numbers(pages):
    return "".join(page.url[-1] for page in pages if page.data)


def test_an_empty_gzip_member_ends_no_archive(read):
    pages, damages = read(packed([warc(1)], ".gz") + EMPTY + packed([warc(2)], ".gz") + EMPTY, "crawl.warc.gz")

    assert (numbers(pages), damages) == ("12", [])


def test_records_may_go_on_over_gzip_blocks(read):
    data = b"".join(warc(number, answer(HTML + os.urandom(3_000).hex().encode())) for number in range(5))
    blocks = packed([data[place : place + 1_000] for place in range(0, len(data), 1_000)], ".gz") + EMPTY

    pages, damages = read(blocks + blocks, "crawl.warc.gz")

    assert (numbers(pages), damages) == ("0123401234", [])


@pytest.mark.parametrize("ending", ["", ".gz", ".zst"])
@pytest.mark.parametrize(
    "change",
    [
        lambda record: re.sub(rb"WARC-Record-ID: .*\r\n", b"", record),
        lambda record: record.replace(b"\r\n", b"\n"),
        lambda record: record.replace(b"response", b"Response", 1),
        lambda record: re.sub(rb"(WARC-Target-URI): (.*)\r", rb"\1: <\2>\r", record),
        lambda record: record.replace(b"WARC/1.0", b"WARC/0.18"),
    ],
    ids=["no id", "LF", "type", "angle brackets", "version"],
)
def test_an_odd_record_is_read_like_others(read, ending, change):
    odd = change(warc(2))
    block = odd[odd.index(b"HTTP/") :].rstrip(b"\r\n")
    odd = re.sub(rb"Content-Length: \d+", b"Content-Length: %d" % len(block), odd)

    pages, damages = read(packed([warc(1), odd, warc(3)], ending), f"crawl.warc{ending}")

    assert (numbers(pages), damages) == ("123", [])
    assert len({page.id for page in pages}) == 3


@pytest.mark.parametrize("place", [0, 1, 3, 60])
@pytest.mark.parametrize("broken", [0, 2])
def test_a_damaged_byte_of_a_member_costs_its_record(read, broken, place):
    members = [gzip.compress(warc(number), mtime=0) for number in range(5)]
    begin = sum(map(len, members[:broken]))
    members[broken] = flipped(members[broken], place)

    pages, (damage,) = read(b"".join(members), "crawl.warc.gz")

    assert numbers(page for page in pages if not page.problem) == "01234".replace(str(broken), "")
    assert f"byte {begin}" in damage


@pytest.mark.parametrize("ending", ["", ".gz", ".zst"])
@pytest.mark.parametrize("length", ["100000000", "300", "60", "-1", "many", "9" * 400])
def test_a_wrong_length_costs_no_other_record_and_is_reported(read, ending, length):
    wrong = re.sub(rb"Content-Length: \d+", f"Content-Length: {length}".encode(), warc(2))

    pages, (damage,) = read(packed([warc(1), wrong, warc(3)], ending), f"crawl.warc{ending}")

    assert [page.url[-1] for page in pages] == ["1", "2", "3"]
    assert [bool(page.problem) for page in pages] == [False, True, False]
    assert "record 2 at byte" in damage


@pytest.mark.parametrize("junk", [b"nothing\r\n" * 9, warc(2)[:150], b"nothing!" + warc(2)[8:]])
def test_in_a_plain_archive_reading_goes_on_after_damage(read, junk):
    pages, (damage,) = read(warc(1) + junk + warc(3))

    assert numbers(pages) == "13"
    assert f"byte {len(warc(1))}" in damage


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (answer(zlib.compress(HTML * 99)[:-30], Content_Encoding="deflate"), "deflate is cut off"),
        (answer(gzip.compress(HTML * 99)[:-30], Content_Encoding="gzip"), "gzip is cut off"),
        (answer(chunked(HTML)[:-30], Transfer_Encoding="chunked"), "its chunks are cut off"),
        (answer(b"5\r\n<p>ab\r\nzz\r\ncdef", Transfer_Encoding="chunked"), "its chunks are damaged"),
        (answer(os.urandom(99), Content_Encoding="harbour"), "packed as harbour, which is not supported"),
    ],
)
def test_a_damaged_body_is_read_up_to_its_damage_and_reported(read, data, problem):
    (page,), _ = read(warc(1, data))

    assert page.data
    assert problem in page.problem


def test_lines_of_http_may_end_in_lf_and_encodings_may_be_several(read):
    several = answer(zstandard.compress(gzip.compress(HTML)), Content_Encoding="gzip, zstd")
    bare = answer(gzip.compress(HTML), Content_Encoding="gzip").replace(b"\r\n", b"\n", 3)

    pages, _ = read(warc(1, several) + warc(2, bare))

    assert [page.data for page in pages] == [HTML, HTML]


@pytest.mark.parametrize("line", [b"\r\nHTTP/1.1 200 OK", b"HTTP 200 OK", b"ICY 200 OK", b":status: 200"])
def test_the_first_line_of_http_is_no_text(read, line):
    (page,), _ = read(warc(1, answer().replace(b"HTTP/1.1 200 OK", line)))

    assert page.data == HTML


@pytest.mark.parametrize("media", ["", "html", "text/html charset=utf-8", "text/html, text/html", "*/*"])
def test_without_a_type_that_says_something_the_page_is_looked_into(read, media):
    html = b"<title>Quay</title>" + HTML
    sound, other = answer(gzip.compress(html), media=media), answer(gzip.compress(b"a: b"), media=media)

    pages, damages = read(warc(1, sound) + warc(2, other))

    assert ([page.data for page in pages], damages) == ([html], [])


def test_a_page_that_begins_like_a_last_chunk_is_not_lost(read):
    (page,), _ = read(warc(1, answer(b"0\n" + HTML, Transfer_Encoding="chunked")))

    assert page.data == b"0\n" + HTML


@pytest.mark.parametrize(
    "body", [gzip.compress(HTML)[:-8] + bytes(8), zlib.compress(HTML)[:-4] + bytes(4)], ids=["gzip", "deflate"]
)
def test_a_wrong_checksum_costs_no_text(read, body):
    (page,), _ = read(warc(1, answer(body, Content_Encoding="gzip" if body[0] == 0x1F else "deflate")))

    assert page.data == HTML
    assert "damaged" in page.problem


def skippable(data, number=0, more=0):
    return bytes([0x50 + number]) + b"\x2a\x4d\x18" + (len(data) + more).to_bytes(4, "little") + data


def with_dictionary(number, texts):
    """A dictionary, and records packed with it."""
    dictionary = zstandard.train_dictionary(2_048, [warc(other) for other in range(texts)], dict_id=texts)
    packer = zstandard.ZstdCompressor(dict_data=dictionary)
    return [skippable(dictionary.as_bytes(), 13), packer.compress(warc(number)), packer.compress(warc(number + 1))]


def test_zstandard_frames_may_share_a_dictionary(read):
    pages, damages = read(b"".join(with_dictionary(1, 500) + with_dictionary(3, 600)), "crawl.warc.zst")

    assert (numbers(pages), damages) == ("1234", [])


def test_damage_before_another_dictionary_costs_its_record_only(read):
    first, second = with_dictionary(1, 500), with_dictionary(3, 600)

    pages, damages = read(b"".join([*first[:2], flipped(first[2], 20), *second]), "crawl.warc.zst")

    assert (numbers(pages), len(damages)) == ("134", 1)


def test_a_damaged_frame_between_large_ones_costs_its_record_only(read):
    frames = [packed([warc(number, answer(HTML + os.urandom(150_000).hex().encode()))], ".zst") for number in range(4)]

    pages, damages = read(b"".join([frames[0], flipped(frames[1], 0), *frames[2:]]), "crawl.warc.zst")

    assert (numbers(pages), len(damages)) == ("023", 1)


def test_a_byte_of_junk_between_the_members_of_a_record_costs_no_other(read):
    data = b"".join(warc(number) for number in range(5))
    blocks = [packed([data[place : place + 90]], ".gz") for place in range(0, len(data), 90)]
    blocks[data.index(warc(2)) // 90 + 1] = b"\x1f"

    pages, damages = read(b"".join(blocks), "crawl.warc.gz")

    assert set("0134") <= set(numbers(pages))
    assert len(damages) == 1


def test_a_damaged_dictionary_costs_the_records_that_need_it(read):
    dictionary, *rest = with_dictionary(1, 500)

    pages, (damage,) = read(flipped(dictionary, 30) + b"".join(rest) + packed([warc(3)], ".zst"), "crawl.warc.zst")

    assert numbers(pages) == "3"
    assert "the dictionary of Zstandard is damaged, at byte 0" in damage


@pytest.mark.parametrize("more", [9, 1 << 30])
def test_a_frame_to_skip_that_is_too_long_costs_no_record(read, more):
    before, after = packed([warc(1)], ".zst"), packed([warc(2), warc(3)], ".zst")

    pages, (damage,) = read(before + skippable(b"x", more=more) + after, "crawl.warc.zst")

    assert numbers(pages) == "123"
    assert f"at byte {len(before)}" in damage


def test_there_may_be_many_frames_to_skip(read):
    pages, damages = read(skippable(b"") * 3_000 + packed([warc(1)], ".zst"), "crawl.warc.zst")

    assert (numbers(pages), damages) == ("1", [])


def test_a_window_that_is_too_large_is_named(read):
    wide = zstandard.ZstdCompressor(compression_params=zstandard.ZstdCompressionParameters(window_log=30))
    stream = wide.compressobj()

    pages, (damage,) = read(packed([warc(1)], ".zst") + stream.compress(warc(2)) + stream.flush(), "crawl.warc.zst")

    assert numbers(pages) == "1"
    assert "a window of more than 128 MB (pack it without --long)" in damage


def test_records_without_pages_are_counted(tmp_path):
    path, skipped = tmp_path / "crawl.warc", Counter()
    records = [warc(0, b"a: b", "warcinfo"), warc(1), warc(2, b"GET /", "request"), warc(3, answer(status="404 No"))]
    path.write_bytes(b"".join([*records, warc(4, b"x", "continuation")]))

    pages = [*SOURCES["warc"].read(str(path), COLUMNS, 1_000_000, skipped)]

    assert len(pages) == 1
    assert skipped == {"warcinfo record": 1, "request record": 1, "HTTP status 404": 1, "continuation record": 1}
