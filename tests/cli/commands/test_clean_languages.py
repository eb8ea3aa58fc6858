"""victor clean --languages and --block-languages"""

import json

import pytest

ENGLISH = "The ferry leaves at seven, long before the island is awake, and it comes back at noon with letters."
GERMAN = "Das Fährschiff verlässt den Hafen um sieben Uhr morgens, lange bevor die Insel erwacht ist."


@pytest.fixture
def pages(folder):
    pages = folder / "pages"
    pages.mkdir()
    pages.joinpath("de.html").write_text(f"<p>{GERMAN}</p>")
    pages.joinpath("en.html").write_text(f"<p>{ENGLISH}</p>")
    return pages


def clean(victor, *words):
    return victor("clean", "-j", 1, "--labeler", "everything", *words)


@pytest.mark.process
def test_pages_in_other_languages_are_no_failures_and_get_no_file(victor, pages, folder):
    ran = clean(victor, pages, "-o", "texts/", "--languages", "en,fr", "--strict")

    assert ran.status == 0
    assert [path.name for path in folder.joinpath("texts").iterdir()] == ["en.txt"]
    assert ran.err == f"victor: {pages}/de.html: dropped: language: de\nvictor: 2 pages: 1 ok, 1 dropped\n"


@pytest.mark.process
@pytest.mark.parametrize(("name", "status"), [("none.html", 0), ("picture.html", 1)])
@pytest.mark.parametrize("strict", [(), ("--strict",)])
def test_nothing_has_failed_where_all_pages_are_dropped_as_was_asked_for(victor, pages, name, status, strict):
    pages.joinpath("picture.html").write_bytes(b"\x89PNG\r\n\x1a\n")
    inputs = [path for path in (pages / "de.html", pages / "en.html", pages / name) if path.exists()]

    ran = clean(victor, *inputs, "-f", "text", "--languages", "fr", *strict)

    assert (ran.status, ran.out) == (status, "")
    assert "2 dropped" in ran.err


@pytest.mark.process
def test_records_are_there_of_dropped_pages_too(victor, pages, folder):
    folder.joinpath("urls.tsv").write_text("de\thttps://harbour.example/de\n")

    ran = clean(victor, pages, "-f", "jsonl", "--languages", "EN", "--urls", "urls.tsv")

    dropped, kept = [json.loads(line) for line in ran.out.splitlines()]
    assert (dropped["id"], dropped["url"], dropped["text"]) == ("de", "https://harbour.example/de", "")
    assert (dropped["status"], dropped["reason"]) == ("dropped", "language: de")
    assert (kept["status"], kept["text"]) == ("ok", f"{ENGLISH}\n")


@pytest.mark.process
def test_tables_tell_the_language_and_how_sure_the_labels_are(victor, pages, folder, model):
    parquet = pytest.importorskip("pyarrow.parquet")
    pages.joinpath("short.html").write_text("<p>Weiter")

    victor("clean", pages, "-m", model, "--bias", 100, "--languages", "en", "-o", "pages.parquet")
    found = victor("clean", pages, "-m", model, "--bias", 100, "--languages", "en", "-f", "jsonl")

    rows = parquet.read_table(folder / "pages.parquet").to_pylist()
    records = [json.loads(line) for line in found.out.splitlines()]
    assert [row["language"] for row in rows] == [record["language"] for record in records] == ["de", "en", None]
    assert [row["confidence"] for row in rows] == [record["confidence"] for record in records]
    assert [row["confidence"] is None for row in rows] == [True, False, False]


@pytest.mark.process
@pytest.mark.parametrize(
    ("languages", "text"), [("en", f"{ENGLISH}\n"), ("de", f"{GERMAN}\n" * 3), ("page", f"{GERMAN}\n" * 3)]
)
def test_blocks_in_other_languages_are_left_out(victor, folder, languages, text):
    folder.joinpath("page.html").write_text(f"<p>{GERMAN}</p><p>{GERMAN}</p><p>{GERMAN}</p><p>{ENGLISH}</p>")

    assert clean(victor, "page.html", "-f", "text", "--block-languages", languages).out == text


@pytest.mark.parametrize("option", ["--languages", "--block-languages"])
def test_an_unknown_language_is_wrong_usage(victor, pages, option):
    ran = clean(victor, pages, option, "en,xx")

    assert ran.status == 2
    assert f"{option}: unknown language 'xx'" in ran.err
