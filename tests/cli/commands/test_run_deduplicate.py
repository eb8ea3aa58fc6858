"""`victor run --deduplicate`: a run whose last step drops what was there before."""

import gzip
import json
import shutil
from pathlib import Path

import pytest
from archives import answer, packed, warc
from full_disks import full_disk
from run_folders import KilledError, alter, damaged, files_in, records, told
from small_pages import article

from victorpy.output.formats import STREAMED
from victorpy.pipeline.runs.journal import alone
from victorpy.pipeline.runs.shards import sha256_of

pytestmark = pytest.mark.process


def page(number, text):
    return warc(number, answer(f"<title>{number}</title><p>{text}".encode()))


FERRY = "The ferry leaves at seven, long before the island is awake, and comes back at noon with the mail."
BAKER = "Nobody had told the baker that the bridge was closed for the whole of the summer and the autumn."


@pytest.fixture
def crawl(folder):
    """Three shards; the first page and a passage of it come again in others."""
    first = [page(0, FERRY), *(warc(number, answer(article(number)[0].encode())) for number in range(1, 5))]
    second = [page(10, FERRY.upper()), warc(11, answer(b"\x89PNG\r\n\x1a\n")), page(12, f"{BAKER}<p>{FERRY}")]
    folder.joinpath("a.warc.gz").write_bytes(packed(first, ".gz"))
    folder.joinpath("b.warc.gz").write_bytes(packed(second, ".gz"))
    folder.joinpath("c.html").write_text(f"<p>{BAKER} Nobody minded.")
    return ("a.warc.gz", "b.warc.gz", "c.html")


@pytest.fixture
def run(victor):
    common = ("run", "--labeler", "everything", "--part-pages", 2, "--deduplicate")
    return lambda *words: victor(*common, *words)


PASSAGES = ("--deduplicate-passages", "--deduplicate-threshold", 0.7)


def test_a_run_ends_with_what_dedup_leaves_of_its_pages(run, victor, crawl, folder):
    ran = run(*crawl, *PASSAGES, "-o", "run", "--summary", "-")

    victor("clean", "--labeler", "everything", *crawl, "-f", "jsonl", "-o", "all.jsonl")
    left = victor("dedup", "all.jsonl", "--passages", "--threshold", 0.7)
    assert ran.status == 0
    assert records("run") == [json.loads(line) for line in left.out.splitlines()]
    assert left.err in ran.err


@pytest.mark.parametrize("format", ["jsonl", "parquet"])
def test_a_deduplicated_run_holds_the_texts_that_are_asked_for(run, crawl, format):
    parquet = pytest.importorskip("pyarrow.parquet")

    ran = run(*crawl, "-f", format, "--columns", "text,markdown", "-o", "run")

    assert ran.status == 0
    files = sorted(Path("run").glob(f"0*.{format}*"))
    rows = (
        records("run") if format == "jsonl" else [row for file in files for row in parquet.read_table(file).to_pylist()]
    )
    assert [row["markdown"] for row in rows if row["id"].endswith("c")] == [f"{BAKER} Nobody minded.\n"]
    assert all(bool(row["markdown"]) == bool(row["text"]) for row in rows)


def test_deduplication_needs_the_text(run, crawl):
    ran = run(*crawl, "--columns", "markdown", "-o", "run")

    assert (ran.status, "add text to the columns" in ran.err) == (2, True)


def test_every_page_has_one_outcome_and_those_that_were_dropped_a_reason(run, crawl, folder):
    ran = run(*crawl, *PASSAGES, "-o", "run", "--summary", "-")

    summary = json.loads(ran.out)
    assert {status: count for status, count in summary.items() if count} == {
        "pages": 9,
        "ok": 7,
        "dropped": 1,
        "undecodable": 1,
    }
    assert [(row["record"], row["status"], row["reason"]) for row in told("run", "00002")] == [
        (1, "dropped", "duplicate of 00000000-0000-4000-8000-000000000000"),
        (2, "undecodable", "not a text: binary data"),
        (3, "ok", "1 passage of 2 seen before"),
    ]
    manifest = json.loads(folder.joinpath("run/manifest.json").read_text())
    assert manifest["statuses"] == {"dropped": 1, "ok": 7, "undecodable": 1}
    assert manifest["deduplication"]["threshold"] == 0.7
    assert [part["name"] for part in manifest["deduplicated"]][-2:] == ["00002-0002.jsonl.gz", "00003-0001.jsonl.gz"]


@pytest.mark.parametrize("format", sorted(STREAMED))
def test_in_every_format_a_run_without_duplicates_is_as_without_the_step(victor, run, crawl, folder, format):
    words = ("run", "--labeler", "everything", "--part-pages", 2, "a.warc.gz", "-f", format)
    victor(*words, "-o", "plain")

    assert run("a.warc.gz", "-f", format, "--deduplicate-exact", "-o", "run").status == 0

    plain, without = files_in("plain"), files_in("run")
    parts = {name for name in plain if name.startswith("0")}
    assert {name: without[name] for name in parts} == {name: plain[name] for name in parts}


@pytest.mark.parametrize("format", ["vertical", "text", "warc"])
def test_where_pages_without_a_text_are_left_out_duplicates_are(run, crawl, folder, format):
    run(*crawl, "-f", format, *PASSAGES, "-o", "run", "--packing", "none")

    second = b"".join(path.read_bytes() for path in sorted(folder.glob("run/00002-*[!z]")))
    assert b"NOBODY" not in second.upper().replace(b"NOBODY HAD", b"")
    assert (second.count(b"ferry"), second.count(b"FERRY"), second.count(b"baker")) == (0, 0, 1)


def test_shards_done_apart_are_deduplicated_by_the_last(run, crawl, folder):
    run(*crawl, "-o", "whole")
    first = run(*crawl, "-o", "apart", "--shard", "2/2")
    assert not list(folder.glob("apart/0*"))
    second = run(*crawl, "-o", "apart", "--shard", "1/2")

    assert "3 pages: 2 ok, 1 undecodable" in first.err
    assert "6 pages: " in second.err
    assert files_in("apart") == files_in("whole")


def test_only_one_process_does_the_last_step(victor_process, crawl, folder):
    words = ("run", "--labeler", "everything", "--deduplicate", *crawl, "-o", "run")
    with alone(folder / "run" / "shards" / "end.lock"):
        second, of_array = victor_process(*words), victor_process(*words, "--shard", "1/1")

    assert (second.status, of_array.status) == (2, 0)
    assert "another process is finishing this run" in second.err
    assert "another process is finishing this run" in of_array.err
    assert victor_process(*words).status == 0


@pytest.mark.parametrize("is_before", [True, False])
def test_a_step_that_ends_at_any_moment_goes_on_to_the_same_files(run, crawl, fails_at_sync, is_before):
    run(*crawl, *PASSAGES, "-o", "quiet")
    deaths = 0
    for number in range(1, 60):
        fails_at_sync(number, KilledError(), is_before=is_before)
        try:
            ran = run(*crawl, *PASSAGES, "-o", "run", "-j", 1)
        except KilledError:
            deaths += 1
            continue
        break

    assert ran.status == 0
    assert deaths > 10
    assert files_in("run") == files_in("quiet")


def test_on_a_full_disk_the_step_stops_and_goes_on_later(run, victor, crawl, folder):
    run(*crawl, *PASSAGES, "-o", "quiet")
    run(*crawl, *PASSAGES, "-o", "run")
    for path in folder.glob("run/0*"):
        path.unlink()
    folder.joinpath("run/shards/deduplicated.jsonl").unlink()

    with full_disk(300):
        full = run(*crawl, *PASSAGES, "-o", "run")
    later = run(*crawl, *PASSAGES, "-o", "run")

    assert full.status == 1
    assert "cannot be written" in full.err
    assert "run: the finished work is kept; run the same command again to resume" in full.err
    assert later.status == 0
    assert files_in("run") == files_in("quiet")


def test_an_input_that_was_mended_is_deduplicated_with_all_others(run, crawl, folder):
    run(*crawl, *PASSAGES, "-o", "quiet")
    path, whole = damaged(folder, "a.warc.gz")

    assert run(*crawl, *PASSAGES, "-o", "run").status == 1
    path.write_bytes(whole)
    repaired = run(*crawl, *PASSAGES, "-o", "run")

    assert repaired.status == 0
    assert files_in("run") == files_in("quiet")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), 'deduplication was {"threshold": 0.8'),
        (("--deduplicate", "--deduplicate-exact"), "deduplication.threshold was 0.8, is null"),
        (("--deduplicate", "--deduplicate-passages"), "deduplication.passages was false, is true"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_a_run_with_other_settings_is_refused(run, victor, crawl, words, said):
    run(*crawl, "-o", "run")

    other = victor("run", "--labeler", "everything", "--part-pages", 2, *crawl, "-o", "run", *words)

    assert (other.status, "run: is another run: " in other.err) == (2, True)
    assert said in other.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--deduplicate-exact",), "need --deduplicate"),
        (
            ("--deduplicate", "--deduplicate-threshold", 2),
            "--deduplicate-threshold: expected a number from 0.1 to 1, got 2",
        ),
        (
            ("--deduplicate", "--deduplicate-least-characters", 2),
            "--deduplicate-least-characters needs --deduplicate-passages",
        ),
    ],
)
def test_settings_that_cannot_be_are_refused_before_any_work(victor, crawl, folder, words, said):
    ran = victor("run", *crawl, "-o", "run", *words)

    assert (ran.status, folder.joinpath("run").exists()) == (2, False)
    assert said in ran.err


@pytest.fixture
def finished(run, crawl):
    run(*crawl, *PASSAGES, "-o", "run")
    return Path("run")


def test_a_run_that_is_as_it_should_be(victor, finished):
    ran = victor("verify", finished)

    assert ran.status == 0
    assert "run: 9 pages, no errors" in ran.err


def rewrite(run):
    """A part that another hand has written, with a journal that agrees."""
    name = "00001-0001.outcomes.jsonl.gz"
    journal, part = run / "shards" / "deduplicated.jsonl", run / name
    was = sha256_of(part)
    part.write_bytes(gzip.compress(gzip.decompress(part.read_bytes()).replace(b'"text": "', b'"text": "0')))
    journal.write_text(journal.read_text().replace(was, sha256_of(part)))


@pytest.mark.parametrize(
    ("harm", "said"),
    [
        (lambda run: run.joinpath("00001-0002.jsonl.gz").unlink(), ": 00001-0002.jsonl.gz: is missing"),
        (lambda run: alter(run / "00002-0001.jsonl.gz"), ": 00002-0001.jsonl.gz: has changed since it was written"),
        (lambda run: alter(run / "cleaned/00002-0001.jsonl.gz"), "cleaned/00002-0001.jsonl.gz: has changed since"),
        (lambda run: run.joinpath("shards/deduplicated.jsonl").unlink(), "deduplication is not finished"),
        (lambda run: shutil.copy(run / "00001-0001.jsonl.gz", run / "00001-0009.jsonl.gz"), "belongs to no shard"),
        (rewrite, "shard 1, record 1: differs when it is deduplicated again"),
    ],
    ids=["gone", "altered", "cleaned altered", "no journal", "too many", "rewritten"],
)
def test_each_fault_of_the_step_is_named(victor, finished, harm, said):
    harm(finished)

    ran = victor("verify", finished, "--sample", 1)

    assert ran.status == 1
    assert said in ran.err


def test_duplicates_are_no_pages_that_failed(victor, finished):
    ran = victor("retry", finished, "--labeler", "everything", "--only", "dropped")

    assert ran.err == "victor: run: no page with the status dropped\n"
