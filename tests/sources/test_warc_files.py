"""Pages out of WARC and ARC files: all of them, and a word on whatever is none."""

import gzip
import os
import re
import tracemalloc
import zlib

import pytest
from archives import ARC_HEAD, HTML, RECORD_ID, answer, arc, nested, packed, warc

from victorpy.errors import VictorError
from victorpy.sources import SOURCES
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
    ],
    ids=["gzip", "deflate", "chunked", "both", "no gzip", "not chunked", "no brotli", "xhtml"],
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
    assert "crawl.warc: 3 responses skipped: 1 HTTP status 404, 2 not HTML" in caplog.text


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

    assert [page.url[-1] for page in pages] == ["1", "2", "3", "5", "6"]
    assert ["beginning" in damages[0], "harbour.example" in damages[1], len(damages)] == [True, True, 2]


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
        (bytes(2_000_000), False),
    ],
    ids=["long", "too long", "none"],
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
        (b"<html>" * 300, "not an? W?ARC record"),
        (bytes(range(256)) * 9, "not an? W?ARC record"),
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
