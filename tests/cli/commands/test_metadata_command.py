import json

import pytest

from victorpy.page.metadata import FIELD_NAMES

PAGE = """<html lang="en"><title>Ferry times | The Harbour Post</title>
<meta property="og:site_name" content="The Harbour Post"><meta property="article:tag" content="ferry">
<link rel="canonical" href="/ferry"><h1>Ferry times</h1><p>By Ann Lee</p><p>3 June 2021</p>
<p>The ferry leaves at seven, long before the island is awake.</p>"""


@pytest.fixture
def page(folder):
    path = folder / "ferry.html"
    path.write_text(PAGE)
    return path


@pytest.mark.process
def test_a_line_holds_all_facts_of_a_page(victor, page):
    ran = victor("metadata", page, "--url", "https://harbour.example/news/7")

    record = json.loads(ran.out)
    assert (ran.status, ran.err) == (0, "")
    assert record.keys() == {"id", "status", "reason", *FIELD_NAMES} - {"language"}
    assert (record["title"], record["site_name"], record["tags"]) == ("Ferry times", "The Harbour Post", ["ferry"])
    assert record["canonical_url"] == "https://harbour.example/ferry"
    assert record["licence"] is None


@pytest.mark.process
def test_evidence_is_printed_on_request(victor, page):
    record = json.loads(victor("metadata", page, "--evidence").out)

    assert record["evidence"]["site_name"] == "meta og:site_name"
    assert record["evidence"].keys() <= record.keys()


@pytest.mark.process
def test_a_table_lists_the_facts_that_were_found(victor, page):
    ran = victor("metadata", page, "--table", "--evidence")

    lines = ran.out.splitlines()
    assert lines[0] == str(page)
    assert "  site_name          The Harbour Post  (meta og:site_name)" in lines
    assert not any("licence" in line for line in lines)


@pytest.mark.process
def test_a_relative_address_without_the_address_of_its_page_is_not_printed(victor, page):
    assert json.loads(victor("metadata", page).out)["canonical_url"] is None


@pytest.mark.process
def test_a_page_that_cannot_be_read_has_a_line_too(victor, folder, page):
    folder.joinpath("picture.html").write_bytes(b"\x89PNG\r\n\x1a\n")

    ran = victor("metadata", folder)

    records = {record["id"]: record for record in map(json.loads, ran.out.splitlines())}
    assert (records["picture"]["status"], records["picture"]["title"]) == ("undecodable", None)
    assert records["ferry"]["title"] == "Ferry times"
    assert "picture.html: undecodable: not a text: binary data" in ran.err


@pytest.mark.process
def test_the_lines_go_to_a_file(victor, folder, page):
    ran = victor("metadata", page, "-o", "facts.jsonl")

    assert (ran.status, ran.out) == (0, "")
    assert json.loads(folder.joinpath("facts.jsonl").read_text("utf-8"))["title"] == "Ferry times"


def test_an_address_is_for_one_page(victor, folder, page):
    folder.joinpath("second.html").write_text(PAGE)

    ran = victor("metadata", folder, "--url", "https://harbour.example/")

    assert ran.status == 2
    assert "--url needs exactly one page, got 2" in ran.err
