"""Files of many pages: what every sink promises, and what a table and an archive hold."""

import gzip
import io

import pytest
from archives import fastwarc, zstandard

from victorpy.output.formats import STREAMED
from victorpy.output.outcome import Outcome
from victorpy.output.sinks import SINKS
from victorpy.page.metadata import Metadata

pyarrow = pytest.importorskip("pyarrow.parquet")

TEXT = "Rain & snow.\nŽluťoučký kůň.\n"
PAGES = [
    Outcome(
        id="a",
        path="x.warc",
        status="ok",
        text=TEXT,
        encoding="utf-8",
        metadata=Metadata(
            url="https://x.example/a", title="A", language="en", authors=("Ann Lee", "Bo Ek"), html_title="A | X"
        ),
        confidence=0.90526312,
        record="urn:uuid:1-2",
        date="2024-05-06T07:00:00Z",
    ),
    Outcome(id="b", path="b.html", status="timeout", reason="took longer than 60 s"),
    Outcome(id="ü c", path="c.html", status="ok", text="third\n"),
    Outcome(id="d", path="d.html", status="empty", reason="no block was kept"),
]


def written(name, outcomes=PAGES, file="out"):
    stream = io.BytesIO()
    with SINKS[name](stream, file) as write:
        for outcome in outcomes:
            write(outcome)
    return stream.getvalue()


def rows(data):
    return pyarrow.read_table(io.BytesIO(data)).to_pylist()


def records(data):
    found = []
    for record in fastwarc.ArchiveIterator(io.BytesIO(data), parse_http=False):
        is_sound = record.verify_block_digest()
        found.append((dict(record.headers), record.reader.read().decode(), is_sound))
    return found


@pytest.mark.parametrize("name", sorted(STREAMED))
@pytest.mark.parametrize("packing", ["", ".gz", ".zst"])
def test_the_same_outcomes_give_the_same_bytes(name, packing):
    assert written(name, file=f"out{packing}") == written(name, file=f"out{packing}")


@pytest.mark.parametrize("name", sorted(STREAMED))
def test_a_file_of_nothing_can_be_read(name):
    data = written(name, [])

    assert rows(data) == [] if name == "parquet" else data == b""


@pytest.mark.parametrize("name", sorted(STREAMED))
def test_what_was_open_when_something_broke_is_closed(name):
    with pytest.raises(KeyError), SINKS[name](io.BytesIO(), "out.gz") as write:
        write(PAGES[0])
        raise KeyError


@pytest.mark.parametrize(("name", "gap"), [("text", "\n"), ("doc", "\n"), ("jsonl", ""), ("vertical", "")])
def test_texts_are_parted_by_an_empty_line_unless_they_show_where_they_end(name, gap):
    assert written(name).decode() == f"{TEXT}{gap}third\n"


def test_a_table_has_a_row_for_every_page():
    found = rows(written("parquet"))

    assert found[0] == {
        "id": "a",
        "url": "https://x.example/a",
        "title": "A",
        "status": "ok",
        "reason": None,
        "encoding": "utf-8",
        "language": "en",
        "authors": ["Ann Lee", "Bo Ek"],
        **dict.fromkeys(("date_published", "date_modified", "site_name", "description", "declared_language")),
        **dict.fromkeys(("canonical_url", "image", "tags", "section", "licence", "page_type", "cms")),
        "html_title": "A | X",
        "confidence": 0.905263,
        "record": "urn:uuid:1-2",
        "date": "2024-05-06T07:00:00Z",
        "text": TEXT,
    }
    assert [(row["id"], row["url"], row["status"], row["text"]) for row in found[1:]] == [
        ("b", None, "timeout", ""),
        ("ü c", None, "ok", "third\n"),
        ("d", None, "empty", ""),
    ]
    assert {(row["language"], row["confidence"]) for row in found[1:]} == {(None, None)}


def test_a_large_table_has_several_row_groups_and_keeps_its_order():
    outcomes = [Outcome(id=str(number), path="x", status="ok", text="x" * (number % 3)) for number in range(25_000)]

    data = written("parquet", outcomes)

    assert pyarrow.ParquetFile(io.BytesIO(data)).num_row_groups == 3
    assert [row["id"] for row in rows(data)] == [outcome.id for outcome in outcomes]


def test_a_table_takes_what_is_no_text():
    assert (
        rows(written("parquet", [Outcome(id="\ud800", path="x", status="ok", text="a\x00b\ud800\n")]))[0]["text"]
        == "ab\ufffd\n"
    )


@pytest.mark.parametrize("packing", ["", ".gz", ".zst"])
def test_an_archive_has_a_conversion_record_for_every_text(packing):
    first, second = records(written("warc", file=f"out.warc{packing}"))

    headers, text, is_sound = first
    assert (text, is_sound) == (TEXT, True)
    assert headers["WARC-Type"] == "conversion"
    assert headers["WARC-Target-URI"] == "https://x.example/a"
    assert headers["WARC-Refers-To"] == "<urn:uuid:1-2>"
    assert headers["WARC-Date"] == "2024-05-06T07:00:00Z"
    assert headers["Content-Type"] == "text/plain"
    assert second[0]["WARC-Target-URI"] == "urn:x-page:ü%20c"
    assert "WARC-Refers-To" not in second[0]
    assert first[0]["WARC-Record-ID"] != second[0]["WARC-Record-ID"]


def test_records_are_packed_one_by_one():
    data = written("warc", file="out.warc.gz")

    assert data == b"".join(gzip.compress(record, 6, mtime=0) for record in written_alone())
    assert written("warc", file="out.warc.zst") == b"".join(zstandard.compress(record, 9) for record in written_alone())


def written_alone():
    return [written("warc", [page]) for page in (PAGES[0], PAGES[2])]


def test_an_address_adds_no_headers():
    evil = Outcome(
        id="e\r\nX: y",
        path="x",
        status="ok",
        text="t\n",
        metadata=Metadata(url="https://x.example/\r\nWARC-Type: response\r\n\r\nä b"),
    )

    headers, text, _ = records(written("warc", [evil]))[0]

    assert headers["WARC-Type"] == "conversion"
    assert headers["WARC-Target-URI"] == "https://x.example/%20WARC-Type:%20response%20ä%20b"
    assert text == "t\n"


@pytest.mark.parametrize("length", [7_900, 32_000, 1_000_000])
def test_records_of_very_long_addresses_can_be_read(length):
    long = Outcome(
        id="l",
        path="x",
        status="ok",
        text=TEXT,
        metadata=Metadata(url="ü" * (length // 2)),
        record="r" * length,
        date="1" * length,
    )

    (headers, text, _), (after, *_) = records(written("warc", [long, PAGES[0]]))

    assert (text, after["WARC-Target-URI"]) == (TEXT, PAGES[0].metadata.url)
    address = headers["WARC-Target-URI"]
    assert address == long.metadata.url if length < 8_000 else address.startswith("urn:sha256:")
    assert headers["WARC-Date"] == "1970-01-01T00:00:00Z"


def test_the_record_of_a_page_whose_id_is_no_text():
    headers, text, is_sound = records(written("warc", [Outcome(id="\ud800", path="x", status="ok", text="t\n")]))[0]

    assert (headers["WARC-Target-URI"], text, is_sound) == ("urn:x-page:\ufffd", "t\n", True)
