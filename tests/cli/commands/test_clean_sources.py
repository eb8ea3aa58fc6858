"""`victor clean` over files of many pages."""

import gzip
import io
import json
import sys
from pathlib import Path

import pytest
from archives import answer, packed, warc
from small_pages import slow_page

PARAGRAPH = "We counted the boats in the harbour and lost our way among the numbers. It was cold and nobody minded."


@pytest.fixture
def clean(victor, model):
    return lambda *words: victor("clean", "--model", model, *words)


@pytest.fixture
def crawl(folder, page):
    records = [warc(number, answer(Path(page).read_bytes())) for number in range(12)]
    folder.joinpath("crawl.warc.gz").write_bytes(packed(records, ".gz"))
    return "crawl.warc.gz"


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_crawl_becomes_a_table_in_its_order(clean, folder, crawl, jobs):
    ran = clean(crawl, "-o", "out.jsonl.gz", "-j", jobs)

    rows = [json.loads(line) for line in gzip.decompress(folder.joinpath("out.jsonl.gz").read_bytes()).splitlines()]
    assert (ran.status, ran.err) == (0, "victor: 12 pages: 12 ok\n")
    assert [row["url"] for row in rows] == [f"https://harbour.example/{number}" for number in range(12)]
    assert all(PARAGRAPH in row["text"] for row in rows)


def test_what_was_whole_is_cleaned_and_the_status_tells_of_the_rest(clean, folder, crawl):
    data = folder.joinpath(crawl).read_bytes()
    folder.joinpath(crawl).write_bytes(data[:-40])

    ran = clean(crawl, "-j", 2, "-f", "jsonl", "-o", "out.jsonl")

    assert ran.status == 1
    assert "crawl.warc.gz: the file is cut off, in record 12 at byte" in ran.err
    rows = [json.loads(line) for line in folder.joinpath("out.jsonl").read_text().splitlines()]
    assert [row["status"] for row in rows[:11]] == ["ok"] * 11


@pytest.mark.parametrize("name", ["out.txt.gz", "out.txt.zst"])
def test_a_packed_output_is_the_same_each_time(clean, folder, site, name):
    clean(site, "-f", "text", "-o", f"a/{name}", "-j", 1)
    clean(site, "-f", "text", "-o", f"b/{name}", "-j", 2)

    packed_text = folder.joinpath("a", name).read_bytes()
    assert packed_text.startswith((b"\x1f\x8b", b"\x28\xb5"))
    assert packed_text == folder.joinpath("b", name).read_bytes()


def test_the_charset_of_http_is_honoured(clean, folder):
    html = "<p>Žluťoučký kůň skákal přes potok a nikdo mu nevěřil, že dorazí až k moři.".encode("iso-8859-2")
    folder.joinpath("cz.warc").write_bytes(warc(1, answer(html, "text/html; charset=iso-8859-2")))

    assert json.loads(clean("cz.warc", "-f", "jsonl", "--bias", "100").out)["text"].startswith("Žluťoučký kůň")


def test_a_revisit_has_a_record_of_its_own(clean, folder):
    folder.joinpath("x.warc").write_bytes(warc(1) + warc(2, answer(b""), "revisit"))

    ran = clean("x.warc", "-f", "jsonl", "--bias", "100")

    assert [json.loads(line)["status"] for line in ran.out.splitlines()] == ["ok", "unreadable"]
    assert "x.warc, record at byte" in ran.err
    assert "a revisit" in ran.err


def test_no_record_writes_outside_of_the_folder(clean, folder):
    rows = [
        {"id": id, "html": f"<p>{PARAGRAPH}"} for id in ("../../up", "a/../../b", "/root", "x" * 300, "same", "same")
    ]
    folder.joinpath("t.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))

    ran = clean("t.jsonl", "-f", "text", "-o", "deep/out/")

    assert ran.status == 1
    assert "same.txt: not written: another page has the same name" in ran.err
    files = [path.relative_to(folder) for path in folder.rglob("*.txt")]
    assert len(files) == 5
    assert all(path.parts[:2] == ("deep", "out") for path in files)


@pytest.mark.parametrize(
    ("ids", "files"),
    [
        (["\ud800", "x" * 300 + "\udfff"], 2),
        (["a\0b", "a%00b"], 1),
        ([".", "%2E"], 1),
        (["a//b", "a/%/b"], 1),
        (["a/" * 1_500, "a/" * 1_500 + "b", "/" * 100_000], 3),
    ],
    ids=lambda value: ascii(value)[:40],
)
def test_any_id_is_the_name_of_one_file(clean, folder, ids, files):
    rows = [{"id": id, "html": f"<p>{number} {PARAGRAPH}"} for number, id in enumerate(ids)]
    folder.joinpath("t.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))

    ran = clean("t.jsonl", "-f", "text", "-o", "out/")

    written = [path.read_text() for path in folder.rglob("*.txt")]
    assert (len(written), ran.err.count("another page has the same name")) == (files, len(ids) - files)
    assert f"0 {PARAGRAPH}\n" in written


def test_a_list_of_paths_is_cleaned(clean, folder, page):
    folder.joinpath("list").write_text(f"{page}\thttps://x.example/\ngone.html\n")

    ran = clean("--from-file", "list", "-f", "jsonl")

    assert [(row["url"], row["status"]) for row in map(json.loads, ran.out.splitlines())] == [
        ("https://x.example/", "ok"),
        (None, "unreadable"),
    ]


def test_nothing_to_clean_is_wrong_usage(clean):
    assert clean().status == 2


def test_an_archive_is_not_overwritten(clean, crawl):
    ran = clean(crawl, "-f", "text", "-o", crawl)

    assert ran.status == 2
    assert "this input would be overwritten" in ran.err


SLOW = slow_page(1.2).encode()


@pytest.fixture
def model(slow_model):
    return slow_model


def test_hostile_records_are_kept_with_their_bytes_and_cleaned_again(clean, victor, model, folder):
    polish = "<p>Prom odpływa o siódmej, na długo przed świtem.".encode("iso-8859-2")
    records = [
        warc(1),
        warc(2, answer(SLOW)),
        warc(3, answer(b"\x89PNG\r\n\x1a\n" + polish, "text/html; charset=iso-8859-2")),
        warc(4, answer(b"<p>We counted the boats. " * 50_000)),
        warc(5, answer(b""), "revisit"),
        warc(6),
    ]
    folder.joinpath("x.warc.gz").write_bytes(packed(records, ".gz"))
    words = ("-f", "jsonl", "--bias", 100, "-j", 2)

    first = clean("x.warc.gz", *words, "--timeout", 0.5, "--max-bytes", 900_000, "--quarantine", "bad.jsonl")
    again = victor("retry", "-m", model, "bad.jsonl", *words)

    statuses = [json.loads(line)["status"] for line in first.out.splitlines()]
    assert statuses == ["ok", "timeout", "undecodable", "dropped", "unreadable", "ok"]
    kept = [json.loads(line) for line in folder.joinpath("bad.jsonl").read_text().splitlines()]
    assert [(row["charset"], row["is_file"], row["html"] is None) for row in kept] == [
        ("utf-8", False, False),
        ("iso-8859-2", False, False),
        ("utf-8", False, True),
        (None, False, True),
    ]
    retried = [json.loads(line) for line in again.out.splitlines()]
    assert [(row["url"], row["status"]) for row in retried] == [
        (f"https://harbour.example/{number}", status)
        for number, status in [(2, "ok"), (3, "undecodable"), (4, "dropped"), (5, "unreadable")]
    ]
    assert "larger than 900,000 bytes" in again.err
    assert "a revisit" in again.err


@pytest.mark.process
def test_records_are_cleaned_by_a_labeler_too(victor, folder, crawl):
    ran = victor("clean", crawl, "--labeler", "density", "-f", "jsonl")

    assert ran.status == 0
    assert {json.loads(line)["status"] for line in ran.out.splitlines()} == {"ok"}


def test_a_labeler_that_has_to_see_all_pages_first_takes_no_archive(victor, crawl):
    ran = victor("clean", crawl, "--labeler", "site")

    assert ran.status == 2
    assert "the labeler reads all pages first" in ran.err


def test_the_summary_of_an_archive_adds_up(clean, folder, crawl):
    clean(crawl, "-f", "jsonl", "-o", "out.jsonl", "--summary", "summary.json")

    summary = json.loads(folder.joinpath("summary.json").read_text())
    assert (summary.pop("pages"), sum(summary.values())) == (12, 12)


# Standard input


@pytest.fixture
def given(monkeypatch, clean):
    """Clean what standard input has."""

    def run(data, *words):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        return clean("-", *words)

    return run


def jsonl(page, column="html"):
    return b"".join(json.dumps({column: Path(page).read_text()}).encode() + b"\n" for _ in range(3))


PIPED = {
    "jsonl": jsonl,
    "jsonl.gz": lambda page: gzip.compress(jsonl(page)),
    "warc": lambda page: b"".join(warc(number, answer(Path(page).read_bytes())) for number in range(3)),
    "warc.gz": lambda page: packed([warc(number, answer(Path(page).read_bytes())) for number in range(3)], ".gz"),
    "warc.zst": lambda page: packed([warc(number, answer(Path(page).read_bytes())) for number in range(3)], ".zst"),
    "behind an empty member": lambda page: gzip.compress(b"") + PIPED["warc.gz"](page),
    "behind a frame to skip": lambda page: b"\x50\x2a\x4d\x18\3\0\0\0abc" + PIPED["warc.zst"](page),
    "with a dictionary": lambda page: b"\x5d\x2a\x4d\x18\0\0\1\0" + bytes(1 << 16) + PIPED["warc.zst"](page),
    "behind NULs": lambda page: bytes(512) + PIPED["warc"](page),
}


@pytest.mark.parametrize("pipe", PIPED.values(), ids=PIPED)
def test_standard_input_is_known_by_its_beginning(given, page, pipe):
    ran = given(pipe(page), "-f", "jsonl")

    rows = [json.loads(line) for line in ran.out.splitlines()]
    assert (ran.status, [row["status"] for row in rows]) == (0, ["ok"] * 3)
    assert all(PARAGRAPH in row["text"] for row in rows)


@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "gzip"])
def test_a_page_in_standard_input_stays_a_page(given, page, pack):
    assert json.loads(given(pack(Path(page).read_bytes()), "-f", "json").out)["id"] == "stdin"


def test_standard_input_is_what_its_format_says(given, page):
    pages = given(jsonl(page, "body"), "--input-format", "jsonl", "--html-column", "body", "-f", "jsonl")
    text = given(b'{"a": 1}\n' * 3, "--input-format", "text", "-f", "json")

    assert len(pages.out.splitlines()) == 3
    assert json.loads(text.out)["id"] == "stdin"


def test_damage_in_standard_input_is_named_by_its_dash(given, page):
    ran = given(PIPED["warc.gz"](page)[:-40], "-f", "jsonl")

    assert ran.status == 1
    assert "victor: -: the file is cut off, in record 3" in ran.err


# Several pages on standard output


@pytest.mark.parametrize(
    ("format", "line"),
    [("cleaneval", "==> {} <=="), ("text", "==> {} <=="), ("markdown", "<!-- {} -->")],
    ids=["cleaneval", "text", "markdown"],
)
def test_several_pages_on_standard_output_say_which_is_which(clean, site, format, line):
    shown = clean(site, "-f", format).out.splitlines()

    assert sum(each == line.format("site/part-1.html") for each in shown) == 1
    assert sum(each.startswith(line.partition("{")[0]) for each in shown) == 12


def test_one_page_and_a_file_hold_texts_alone(clean, folder, site, page):
    assert "==>" not in clean(page, "-f", "text").out
    assert clean(site, "-f", "text", "-o", "all.txt").status == 0
    assert "==>" not in folder.joinpath("all.txt").read_text()


def test_pages_of_an_archive_are_named_with_their_addresses(clean, crawl):
    first = clean(crawl, "-f", "text").out.splitlines()[0]

    assert first.startswith("==> crawl.warc.gz, record at byte 0 (https://harbour.example/0)")
