"""`victor clean` into files of many pages."""

import gzip
from pathlib import Path

import pytest
from archives import RECORD_ID, answer, fastwarc, packed, warc

from victorpy.errors import UsageError
from victorpy.foundation import optional

pyarrow = pytest.importorskip("pyarrow.parquet")


@pytest.fixture
def clean(victor, model):
    return lambda *words: victor("clean", "--model", model, *words)


@pytest.fixture
def crawl(folder, page):
    """Eleven pages and one that is none."""
    bodies = [Path(page).read_bytes()] * 11 + [b"%PDF-1.4\n%\xe2\xe3\n"]
    records = [warc(number, answer(body)) for number, body in enumerate(bodies)]
    folder.joinpath("crawl.warc.gz").write_bytes(packed(records, ".gz"))
    return "crawl.warc.gz"


@pytest.mark.parametrize("name", ["out.parquet", "out.warc.gz", "out.vert.gz", "out.vert.zst"])
def test_the_name_says_the_format_and_processes_change_no_byte(clean, folder, crawl, name):
    assert clean(crawl, "-o", f"a/{name}", "-j", 1).status == 0
    assert clean(crawl, "-o", f"b/{name}", "-j", 2).status == 0

    data = folder.joinpath("a", name).read_bytes()
    assert data.startswith((b"PAR1", b"\x1f\x8b", b"\x28\xb5"))
    assert data == folder.joinpath("b", name).read_bytes()


def test_a_table_says_of_every_page_what_became_of_it(clean, crawl):
    clean(crawl, "-o", "out.parquet")

    rows = pyarrow.read_table("out.parquet").to_pylist()
    assert [row["url"] for row in rows] == [f"https://harbour.example/{number}" for number in range(12)]
    assert [row["status"] for row in rows] == ["ok"] * 11 + ["undecodable"]
    assert {(row["title"], row["date"]) for row in rows[:11]} == {
        ("Letters from the harbour, part 7", "2024-05-06T07:00:00Z")
    }
    assert "Letters from the harbour" in rows[0]["text"]
    assert (rows[11]["text"], rows[11]["record"]) == ("", RECORD_ID.format(11))
    assert rows[11]["reason"]


def test_an_archive_refers_to_the_records_it_comes_from(clean, folder, crawl):
    clean(crawl, "-o", "out.warc.gz")
    clean(crawl, "-f", "text", "-o", "out.txt")

    with folder.joinpath("out.warc.gz").open("rb") as file:
        records = [
            (record.headers["WARC-Refers-To"], record.reader.read())
            for record in fastwarc.ArchiveIterator(file, record_types=fastwarc.WarcRecordType.conversion)
        ]
    assert [source for source, _ in records] == [f"<{RECORD_ID.format(number)}>" for number in range(11)]
    assert b"\n".join(text for _, text in records) == folder.joinpath("out.txt").read_bytes()


def test_a_corpus_of_a_folder_of_pages_is_one_file(clean, folder, site):
    clean(site, "-o", "corpus.vert.gz")

    lines = gzip.decompress(folder.joinpath("corpus.vert.gz").read_bytes()).decode().splitlines()
    assert sum(line.startswith("<doc ") for line in lines) == lines.count("</doc>") == 12
    assert '<p heading="1">' in lines
    assert '<p list="1">' in lines


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["-f", "parquet", "-o", "out/"], "parquet holds all pages in one file: --output NAME.parquet"),
        (["-f", "warc", "-o", "out/"], "warc holds all pages in one file: --output NAME.warc"),
        (["-f", "parquet"], "Parquet needs a file and compresses itself: --output NAME.parquet"),
        (["-o", "out.parquet.gz"], "Parquet needs a file and compresses itself"),
    ],
)
def test_what_cannot_be_is_told_before_any_page_is_cleaned(clean, folder, crawl, words, message):
    ran = clean(crawl, *words)

    assert (ran.status, ran.out) == (2, "")
    assert message in ran.err
    assert sorted(path.name for path in folder.iterdir()) == ["crawl.warc.gz", "page.html"]


def test_a_missing_package_is_told_before_any_page_is_cleaned(clean, crawl, monkeypatch):
    def missing():
        raise UsageError("Parquet: the package pyarrow is not installed: pip install 'victor-cleaner[parquet]'")

    monkeypatch.setattr("victorpy.output.destination.pyarrow", missing)
    assert optional.pyarrow()

    ran = clean(crawl, "-o", "out.parquet")

    assert ran.status == 2
    assert "pip install 'victor-cleaner[parquet]'" in ran.err


def test_annotations_become_a_table(victor, annotations, folder):
    assert victor("convert", annotations, "-f", "parquet", "-o", "gold.parquet").status == 0

    rows = pyarrow.read_table("gold.parquet").to_pylist()
    titles = [f"Letters from the harbour, part {number}" for number in range(6)]
    assert [row["title"] for row in rows] == titles
    assert [(row["id"], row["html_title"]) for row in rows] == [(f"part-{n}", f"Part {n}") for n in range(6)]


def test_parquet_holds_the_texts_that_are_asked_for(clean, crawl):
    clean(crawl, "-o", "out.parquet", "--columns", "markdown,html")

    table = pyarrow.read_table("out.parquet")
    assert table.column_names[-2:] == ["markdown", "html"]
    assert "text" not in table.column_names
    assert all(row["html"].startswith("<!DOCTYPE html>") for row in table.to_pylist() if row["status"] == "ok")
