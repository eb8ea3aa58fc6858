"""What `victor clean --quarantine` keeps, and what `victor retry` makes of it."""

import base64
import json

import pytest
from archives import fastwarc
from small_pages import slow_page

from victorpy.output.outcome import Outcome
from victorpy.output.quarantine import KEPT, locations, pages, quarantined
from victorpy.page.metadata import Metadata
from victorpy.sources import RawPage

pytestmark = pytest.mark.process

SLOW = slow_page(1.2)
PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture
def model(slow_model):
    return slow_model


@pytest.fixture
def quarantine(victor, model, folder, site):
    """A quarantine of one page of each kind; what was fine is in out/."""
    folder.joinpath("site", "binary.html").write_bytes(PNG)
    folder.joinpath("site", "dead.html").symlink_to("nowhere")
    folder.joinpath("site", "large.html").write_text("<p>We counted the boats in the harbour. " * 20_000)
    folder.joinpath("site", "slow.html").write_text(SLOW)
    words = ("--timeout", 0.5, "--max-bytes", 600_000, "--bias", 100)
    victor("clean", "-m", model, site, "-o", "out", *words, "--quarantine", "bad.jsonl")
    return folder / "bad.jsonl"


@pytest.fixture
def retry(victor, model):
    return lambda *words: victor("retry", "-m", model, "--bias", 100, *words)


def test_what_failed_is_kept_with_its_bytes(quarantine):
    records = [json.loads(line) for line in quarantine.read_text().splitlines()]

    assert [(record["id"], record["status"]) for record in records] == [
        ("binary", "undecodable"),
        ("dead", "unreadable"),
        ("large", "dropped"),
        ("slow", "timeout"),
    ]
    assert [record["html"] and base64.b64decode(record["html"]) for record in records] == [
        PNG,
        None,
        None,
        SLOW.encode(),
    ]
    assert records[2]["reason"] == "larger than 600,000 bytes"
    assert all(record["path"].endswith(f"{record['id']}.html") and record["url"] is None for record in records)


def test_pages_are_cleaned_again_with_other_limits(quarantine, retry, folder):
    folder.joinpath("site", "slow.html").unlink()

    ran = retry(quarantine, "-o", "out", "--quarantine", quarantine)

    assert ran.status == 0
    assert "4 pages: 2 ok, 1 undecodable, 1 unreadable" in ran.err
    assert "The ferry leaves at seven" in folder.joinpath("out", "slow.txt").read_text()
    assert folder.joinpath("out", "large.txt").exists()
    assert [json.loads(line)["id"] for line in quarantine.read_text().splitlines()] == ["binary", "dead"]


def test_a_page_that_was_kept_without_bytes_and_reason_has_a_problem(tmp_path):
    row = {"id": "a", "path": "a.warc", "url": None, "charset": None, "status": "crashed", "reason": "", "html": None}
    path = tmp_path / "q.jsonl"
    path.write_text(json.dumps(row | {"is_file": False}) + "\n")

    assert [page.problem for page in pages(path, KEPT, 1_000)] == ["it was not kept"]


HTML = "<p>The fähre leaves at seven.".encode("latin-1")
FAILED = [
    Outcome(id="a", path="x.warc", status="ok", text="fine"),
    Outcome(
        id="b",
        path="x.warc, record",
        status="timeout",
        reason="took",
        metadata=Metadata(url="https://x.example/b"),
        record="urn:uuid:1-2",
        raw=RawPage(id="b", path="x.warc, record", data=HTML, charset="latin-1"),
    ),
    Outcome(
        id="c",
        path="x.jsonl:3",
        status="crashed",
        metadata=Metadata(url=f"https://x.example/{'é' * 20_000}"),
        raw=RawPage(id="c", path="x.jsonl:3", data=PNG),
    ),
    Outcome(id="d", path="x.warc", status="dropped", reason="too large", raw=RawPage(id="d", path="x.warc")),
    Outcome(id="e", path="gone.html", status="unreadable", reason="no such file"),
    Outcome(id="f", path="x.warc", status="crashed", raw=RawPage(id="f", path="x.warc", data=b"")),
]


@pytest.mark.parametrize("name", ["bad.jsonl", "bad.jsonl.zst", "bad.warc", "bad.warc.gz", "bad.warc.zst"])
def test_every_kind_of_file_keeps_the_same_pages(folder, name):
    path = folder / name

    assert list(quarantined(FAILED, path)) == FAILED

    found = list(pages(path, KEPT, 1_000))
    assert [(page.id, page.data) for page in found] == [("b", HTML), ("c", PNG), ("d", None), ("e", None), ("f", b"")]
    assert [page.url for page in found[:2]] == [FAILED[1].metadata.url, FAILED[2].metadata.url]
    assert (found[0].charset, found[2].is_too_large) == ("latin-1", True)
    assert [location.id for location in locations(path, ["crashed"])] == ["c", "f"]


def test_an_archive_of_pages_that_failed_is_one_for_other_programs(folder):
    list(quarantined(FAILED, folder / "bad.warc.gz"))

    archive = folder.joinpath("bad.warc.gz").open("rb")
    found = [(dict(record.headers), record.reader.read()) for record in fastwarc.ArchiveIterator(archive)]
    assert [headers["WARC-Type"][0] for headers, _ in found] == [*"mrmrmmmr"]
    assert [data for headers, data in found if headers["WARC-Type"] == "resource"] == [HTML, PNG, b""]
    facts, headers = found[0][0], found[1][0]
    assert headers["WARC-Target-URI"] == "https://x.example/b"
    assert headers["WARC-Refers-To"] == "<urn:uuid:1-2>"
    assert headers["Content-Type"] == "text/html; charset=latin-1"
    assert headers["WARC-Record-ID"] == facts["WARC-Concurrent-To"]
    assert len({headers["WARC-Record-ID"] for headers, _ in found}) == len(found)


@pytest.mark.parametrize("keep", [0.3, 0.9])
@pytest.mark.parametrize("name", ["bad.warc", "bad.warc.gz", "bad.jsonl.gz"])
def test_a_quarantine_that_is_cut_off_is_told(victor, retry, folder, name, keep):
    folder.joinpath("a.html").write_bytes(PNG + bytes(range(256)) * 400)
    victor("clean", "a.html", "--labeler", "bte", "-o", "out.txt", "--quarantine", name)
    data = folder.joinpath(name).read_bytes()
    folder.joinpath(name).write_bytes(data[: int(len(data) * keep)])

    ran = retry(name)

    assert ran.status == 1
    assert name in ran.err


def test_only_what_ended_in_some_way_is_tried_again(quarantine, retry):
    ran = retry(quarantine, "--only", "timeout", "--only", "undecodable", "-f", "jsonl")

    assert [(record["id"], record["status"]) for record in map(json.loads, ran.out.splitlines())] == [
        ("binary", "undecodable"),
        ("slow", "ok"),
    ]


def test_where_there_is_nothing_to_try_that_is_told(quarantine, retry):
    ran = retry(quarantine, "--only", "crashed")

    assert (ran.status, ran.out) == (0, "")
    assert ran.err == f"victor: {quarantine}: no page with the status crashed\n"


def test_an_address_and_standard_input_are_kept(victor_process, model, folder):
    words = ("--url", "https://x.example/", "--timeout", 0.1, "--quarantine", "bad.jsonl")
    victor_process("clean", "-m", model, "-", *words, given=SLOW.encode())

    ran = victor_process("retry", "-m", model, "bad.jsonl", "-f", "json", "--bias", 100)

    record = json.loads(ran.out)
    assert (record["id"], record["url"], record["status"]) == ("stdin", "https://x.example/", "ok")


def test_without_failures_the_quarantine_is_empty(victor, model, folder, page):
    folder.joinpath("bad.jsonl").write_text("of yesterday")

    victor("clean", "-m", model, page, "-o", "out.txt", "--quarantine", "bad.jsonl")

    assert folder.joinpath("bad.jsonl").read_text() == ""


GOOD = {"id": "x", "path": "x.html", "url": None, "charset": None} | {
    "status": "timeout",
    "reason": "",
    "html": None,
    "is_file": True,
}


@pytest.mark.parametrize(
    "line",
    [
        *("", "nonsense", "[]", "{}", '{"id": "x", "path": "y", "status": "timeout"}', "[" * 100_000),
        *(json.dumps(GOOD | {name: 0}) for name in ("url", "charset", "html")),
    ],
    ids=lambda line: line[:20] or "nothing",
)
def test_what_is_no_quarantine_is_told_by_its_line(retry, folder, line):
    folder.joinpath("bad.jsonl").write_text(f"{json.dumps(GOOD)}\n{line}\n")

    ran = retry("bad.jsonl")

    assert (ran.status, ran.out) == (1, "")
    assert "bad.jsonl:2: not a record written by --quarantine" in ran.err


def test_what_is_no_archive_is_told(retry, folder):
    folder.joinpath("bad.warc").write_text("The ferry leaves at seven.")

    ran = retry("bad.warc")

    assert (ran.status, "bad.warc: " in ran.err) == (1, True)


def test_a_quarantine_that_is_not_there_is_wrong_usage(retry, folder):
    assert (retry("gone.jsonl").status, retry("gone.jsonl").err) == (2, "victor: gone.jsonl: no such file\n")
