"""`victor run`: whatever happens in between, the same command ends with the same files."""

import errno
import json
import os
import signal
import time
from pathlib import Path

import pytest
from archives import answer, packed, warc
from full_disks import full_disk
from run_folders import KilledError, alter, crawl_in, damaged, files_in, pages, records, told
from small_pages import article, slow_page

from victorpy.foundation import files
from victorpy.pipeline.runs.journal import alone

pytestmark = pytest.mark.process

SLOW = slow_page(8).encode()


@pytest.fixture
def model(slow_model):
    return slow_model


@pytest.fixture
def crawl(folder):
    """Two archives and a folder of a dozen pages: three shards."""
    return crawl_in(folder)


@pytest.fixture
def run(victor, model):
    return lambda *words: victor("run", "-m", model, "--part-pages", 5, *words)


def test_a_run_holds_every_page_once_and_in_order(run, victor, model, crawl, folder):
    ran = run(*crawl, "-o", "run", "-j", 2, "--summary", "-")

    direct = victor("clean", "-m", model, *crawl, "-f", "jsonl")
    assert ran.status == 0
    assert records("run") == [json.loads(line) for line in direct.out.splitlines()]
    summary = json.loads(ran.out)
    assert (summary["pages"], summary["ok"], summary["empty"], summary["undecodable"]) == (30, 27, 1, 1)
    assert sum(summary.values()) == 2 * summary["pages"]
    assert [(page["record"], page["status"]) for page in told("run", "00002")] == [
        (1, "ok"),
        (2, "ok"),
        (3, "undecodable"),
        (4, "unreadable"),
        (5, "empty"),
        (6, "ok"),
    ]


def test_the_manifest_tells_of_every_part_and_adds_up(run, crawl, folder):
    run(*crawl, "-o", "run")

    manifest = json.loads(folder.joinpath("run/manifest.json").read_text())
    parts = [part for shard in manifest["shards"] for part in shard["parts"]]
    assert manifest["pages"] == sum(manifest["statuses"].values()) == 30
    assert [len(shard["parts"]) for shard in manifest["shards"]] == [3, 2, 3]
    assert sum(part["last"] - part["first"] + 1 for part in parts) == 30
    assert all(folder.joinpath("run", part["name"]).exists() for part in parts)


@pytest.mark.parametrize("format", ["text", "doc"])
@pytest.mark.parametrize("packing", ["gz", "zst", "none"])
def test_parts_may_be_in_other_formats_and_packings(run, crawl, folder, format, packing):
    assert run(crawl[0], "-o", "run", "-f", format, "--packing", packing).status == 0

    ending, head = {"gz": (".gz", b"\x1f\x8b"), "zst": (".zst", b"\x28\xb5"), "none": ("", b"")}[packing]
    assert folder.joinpath("run", f"00001-0003.txt{ending}").read_bytes().startswith(head)


def test_tables_and_lists_are_shards_too(run, victor, model, crawl, folder):
    rows = [{"html": article(number)[0], "url": f"https://x.example/{number}"} for number in range(7)]
    folder.joinpath("t.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    pytest.importorskip("pyarrow.parquet").write_table(
        pytest.importorskip("pyarrow").Table.from_pylist(rows), folder / "t.parquet"
    )
    folder.joinpath("list").write_text("site/part-1.html\thttps://x.example/1\nt.jsonl\nsite/part-2.html\n")

    ran = run("t.parquet", "--from-file", "list", "-o", "run")

    direct = victor("clean", "-m", model, "t.parquet", "--from-file", "list", "-f", "jsonl")
    assert (ran.status, "16 pages: 16 ok" in ran.err) == (0, True)
    assert records("run") == [json.loads(line) for line in direct.out.splitlines()]
    assert len(list(folder.glob("run/shards/*.jsonl"))) == 4


@pytest.mark.parametrize(("format", "ending"), [("parquet", ".parquet"), ("warc", ".warc.gz")])
def test_parts_may_be_tables_or_archives(run, crawl, folder, format, ending):
    run(*crawl, "-o", "one", "-f", format, "-j", 1)
    run(*crawl, "-o", "two", "-f", format, "-j", 2)

    parts = {name for name in files_in("one") if name.endswith(ending)}
    assert {f"{shard}-0001{ending}" for shard in ("00001", "00002", "00003")} <= parts
    assert files_in("one") == files_in("two")


def test_the_number_of_processes_changes_nothing(run, crawl, folder):
    run(*crawl, "-o", "one", "-j", 1)
    run(*crawl, "-o", "two", "-j", 2)

    assert files_in("one") == files_in("two")


def test_shards_done_apart_make_the_same_run(run, crawl, folder):
    run(*crawl, "-o", "whole")
    first = run(*crawl, "-o", "apart", "--shard", "2/2")
    assert not folder.joinpath("apart/manifest.json").exists()
    second = run(*crawl, "-o", "apart", "--shard", "1/2")

    assert "6 pages" in first.err
    assert "24 pages" in second.err
    assert files_in("apart") == files_in("whole")


def test_what_is_done_is_not_done_again(run, crawl, folder, monkeypatch):
    run(*crawl, "-o", "run")
    before = {path: path.stat().st_mtime_ns for path in folder.joinpath("run").glob("0*")}

    again = run(*crawl, "-o", "run")

    assert (again.status, "30 pages" in again.err) == (0, True)
    assert {path: path.stat().st_mtime_ns for path in folder.joinpath("run").glob("0*")} == before


# What may happen to a run


@pytest.mark.parametrize("is_before", [True, False])
def test_a_run_that_ends_at_any_moment_goes_on_to_the_same_files(run, crawl, folder, fails_at_sync, is_before):
    run(*crawl, "-o", "quiet")
    deaths = 0
    for number in range(3, 60, 3):
        fails_at_sync(number, KilledError(), is_before=is_before)
        try:
            ran = run(*crawl, "-o", "run", "-j", 1)
        except KilledError:
            deaths += 1
        else:
            break

    assert ran.status == 0
    assert deaths > 3
    assert files_in("run") == files_in("quiet")


def test_on_a_full_disk_a_run_stops_and_goes_on_later(run, crawl, folder):
    words = (*crawl, "--packing", "none")
    run(*words, "-o", "quiet")

    with full_disk(3_000):
        full = run(*words, "-o", "run")
    later = run(*words, "-o", "run")

    assert full.status == 1
    assert f"00001-0001.jsonl: cannot be written: {os.strerror(errno.EFBIG)}" in full.err
    assert "run: the finished work is kept; run the same command again to resume" in full.err
    assert later.status == 0
    assert files_in("run") == files_in("quiet")


@pytest.fixture
def long_crawl(folder):
    """A page in it takes too long, which gives time to intervene."""
    records = [*pages(*range(12)), warc(50, answer(SLOW)), *pages(*range(12, 20))]
    folder.joinpath("long.warc.gz").write_bytes(packed(records, ".gz"))
    return ("long.warc.gz", "--part-pages", 5, "--timeout", 1.5, "-j", 2)


def wait_for_parts(folder, number):
    journal = folder / "shards" / "00001.jsonl"
    for _ in range(2400):
        if journal.exists() and journal.read_text().count("part") >= number:
            return
        time.sleep(0.05)
    raise AssertionError("no part came")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL], ids=lambda number: number.name)
def test_a_run_that_is_ended_goes_on_to_the_same_files(victor_process, model, folder, long_crawl, number):
    words = ("run", "-m", model, *long_crawl)
    started = victor_process.start(*words, "-o", "run")
    wait_for_parts(folder / "run", 2)
    os.kill(started.pid, number)
    _, said = started.communicate(timeout=120)

    later = victor_process(*words, "-o", "run")
    quiet = victor_process(*words, "-o", "quiet")

    assert started.returncode == {signal.SIGINT: 130, signal.SIGTERM: 143, signal.SIGKILL: -9}[number]
    assert number == signal.SIGKILL or b"run the same command again to resume" in said
    assert (later.status, quiet.status) == (0, 0)
    assert "21 pages: 20 ok, 1 timeout" in later.err
    assert files_in(folder / "run") == files_in(folder / "quiet")


def test_a_shard_is_not_done_twice_at_once(victor_process, crawl, folder):
    words = ("run", "--labeler", "everything", *crawl, "-o", "run")
    with alone(folder / "run" / "shards" / "00001.jsonl"):
        second = victor_process(*words)

    assert second.status == 2
    assert "00001.jsonl: another process works on this shard" in second.err
    assert victor_process(*words).status == 0


# Bad input


def test_an_input_that_is_not_whole_is_cleaned_anew_once_it_is(run, victor, crawl, folder):
    run(*crawl, "-o", "quiet")
    path, whole = damaged(folder, "a.warc.gz")

    first = run(*crawl, "-o", "run")
    again = run(*crawl, "-o", "run")
    assert victor("verify", "run").status == 1
    path.write_bytes(whole)
    repaired = run(*crawl, "-o", "run")

    for ran in (first, again):
        assert ran.status == 1
        assert "a.warc.gz: the file is cut off" in ran.err
        assert "1 inputs are damaged; repair them and run the same command again to clean them" in ran.err
    assert repaired.status == 0
    assert files_in("run") == files_in("quiet")


@pytest.mark.parametrize("content", [None, b"", b"<p>No archive at all."], ids=["missing", "empty", "no archive"])
def test_the_run_goes_on_without_a_bad_input(run, crawl, folder, content):
    path = folder / "bad.warc"
    if content is not None:
        path.write_bytes(content)

    ran = run("bad.warc", *crawl, "-o", "run")
    path.write_bytes(b"".join(pages(60, 61)))
    repaired = run("bad.warc", *crawl, "-o", "run")

    assert ran.status == 1
    assert "bad.warc" in ran.err
    assert "30 pages" in ran.err
    assert (repaired.status, len(records("run", "00001"))) == (0, 2)


def test_a_page_that_is_missing_is_cleaned_once_it_is_there(run, folder, page):
    first = run(page, "gone.html", "-o", "run")
    folder.joinpath("gone.html").write_text(article(3)[0])
    second = run(page, "gone.html", "-o", "run")

    assert (first.status, second.status) == (1, 0)
    assert "gone.html: no such file" in first.err
    assert [page["status"] for page in told("run")] == ["ok", "ok"]


def test_where_nothing_is_there_no_run_is_begun(run, folder):
    assert run("gone.warc", "none*.html", "-o", "run").status == 2
    assert not folder.joinpath("run").exists()


def test_an_input_that_has_changed_meanwhile_is_refused(run, crawl, folder, fails_at_sync):
    fails_at_sync(16, KilledError(), is_before=True)
    with pytest.raises(KilledError):
        run(*crawl, "-o", "run")
    folder.joinpath("a.warc.gz").write_bytes(packed(pages(*range(30, 42)), ".gz"))

    changed = run(*crawl, "-o", "run")

    assert changed.status == 1
    assert "a.warc.gz: changed after 5 of its records were cleaned" in changed.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("a.warc.gz", "-f", "text"), 'format was "jsonl", is "text"'),
        (("a.warc.gz", "--bias", "1"), "bias"),
        (("a.warc.gz", "--labeler", "bte"), "cleaner was"),
        (("a.warc.gz", "--timeout", "5"), "limits.seconds was 60.0, is 5.0"),
        (("b.warc.gz",), "b.warc.gz"),
        (("a.warc.gz", "b.warc.gz"), "it has 1 shards, but these inputs make 2"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
@pytest.mark.usefixtures("crawl")
def test_the_folder_of_another_run_is_refused(victor, model, words, said):
    first, with_model = ("--part-pages", 5, "-o", "run"), ("-m", model)
    victor("run", "a.warc.gz", *with_model, *first)
    before = files_in("run")

    other = victor("run", *(() if "--labeler" in words else with_model), *first, *words)

    assert other.status == 2
    assert "run: is another run: " in other.err
    assert said in other.err
    assert files_in("run") == before


def test_a_folder_that_is_no_runs_is_left_alone(run, crawl, folder):
    folder.joinpath("mine").mkdir()
    folder.joinpath("mine", "thesis.tex").touch()

    ran = run(*crawl, "-o", "mine")

    assert ran.status == 2
    assert "mine: has files but no run.json" in ran.err
    assert [path.name for path in folder.joinpath("mine").iterdir()] == ["thesis.tex"]


def test_a_folder_that_cannot_be_made_is_told(run, crawl, folder):
    folder.joinpath("file").touch()

    ran = run(*crawl, "-o", "file/run")

    assert ran.status == 1
    assert "file/run: cannot be written" in ran.err


def test_a_run_for_a_scope_that_the_model_has_not_learned_is_not_begun(run, page, folder):
    ran = run(page, "-o", "out", "--scope", "article")

    assert (ran.status, folder.joinpath("out").exists()) == (2, False)
    assert "a scope that the model does not know, 'article'" in ran.err


def test_standard_input_makes_no_run(run):
    assert "standard input" in run("-", "-o", "run").err


@pytest.mark.parametrize("word", ["0/2", "3/2", "1", "x/y"])
def test_a_share_that_is_none_is_wrong_usage(run, crawl, word):
    assert run(*crawl, "-o", "run", "--shard", word).status == 2


def test_lines_are_json_where_that_is_asked_for(run, crawl):
    ran = run(*crawl, "-o", "run", "--log-json")

    messages = [json.loads(line)["message"] for line in ran.err.splitlines()]
    assert messages[0] == "30 pages: 27 ok, 1 empty, 1 undecodable, 1 unreadable"
    assert [message[:12] for message in messages[1:]] == ["run: digest "]


# The pages that failed


def test_pages_that_failed_are_read_again_from_the_inputs(run, victor, model, crawl, folder):
    large = warc(93, answer(b"<p>We counted the boats. " * 2_000))
    folder.joinpath("c.warc.gz").write_bytes(packed([large, *pages(30)], ".gz"))
    run("b.warc.gz", "c.warc.gz", "-o", "run", "--max-bytes", 9_000)

    words = ("retry", "run", "-m", model, "-f", "jsonl", "--bias", 100)
    again = victor(*words, "-o", "again.jsonl")
    nothing = victor(*words, "--only", "timeout")

    rows = [json.loads(line) for line in folder.joinpath("again.jsonl").read_text().splitlines()]
    assert [(row["url"], row["status"]) for row in rows] == [
        ("https://harbour.example/90", "undecodable"),
        ("https://harbour.example/91", "unreadable"),
        ("https://harbour.example/93", "ok"),
    ]
    assert again.status == 0
    assert (nothing.status, nothing.err) == (0, "victor: run: no page with the status timeout\n")


@pytest.mark.parametrize(
    "line", ['{"record": 9, "status": [], "text": ""}', '{"record": [], "status": "ok", "text": ""}']
)
def test_what_no_run_writes_behind_its_outcomes_is_not_read(run, victor, model, crawl, line):
    run("b.warc.gz", "-o", "run")
    alter(Path("run/00001-0001.outcomes.jsonl.gz"), line)

    ran = victor("retry", "run", "-m", model, "-f", "jsonl")

    assert [json.loads(row)["status"] for row in ran.out.splitlines()] == ["undecodable", "unreadable"]


# Progress


def test_elsewhere_than_on_a_terminal_lines_tell_how_far_it_is(run, crawl, monkeypatch):
    monkeypatch.setattr("victorpy.pipeline.runs.meter._SECONDS_BETWEEN_LINES", 0)

    plain = run(*crawl, "-o", "plain")
    facts = [json.loads(line) for line in run(*crawl, "-o", "json", "--log-json").err.splitlines()[:30]]

    assert "30 pages (27 ok, 1 undecodable, 1 unreadable, 1 empty)" in plain.err
    assert "pages/s" in plain.err
    assert [row["pages"] for row in facts] == list(range(1, 31))
    assert facts[-1]["statuses"] == {"empty": 1, "ok": 27, "undecodable": 1, "unreadable": 1}
    assert [row["share"] for row in facts] == sorted(row["share"] for row in facts)


def test_on_a_terminal_there_is_a_bar(run, crawl, monkeypatch):
    monkeypatch.setattr("victorpy.pipeline.runs.meter._SECONDS_ON_A_TERMINAL", 0)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)

    ran = run(*crawl, "-o", "run")

    assert "30 pages (27 ok" in ran.err
    assert " %|" in ran.err


def test_what_a_killed_process_left_while_it_made_the_run_is_removed(run, crawl, folder):
    run(*crawl, "-o", "run")
    folder.joinpath("run/.victorpy-0123456789abcdef.part").write_text("{")
    folder.joinpath("run/manifest.json").unlink()
    files._remove_drafts.cache_clear()  # as in another process

    assert run(*crawl, "-o", "run").status == 0
    assert not list(folder.glob("run/.victorpy-*"))


# The pages that failed, kept in a file


@pytest.mark.parametrize("name", ["bad.jsonl", "bad.warc.gz"])
@pytest.mark.usefixtures("crawl")
def test_pages_that_failed_are_kept_as_clean_keeps_them(run, victor, model, folder, name):
    folder.joinpath("site", "a.html").write_bytes(b"\x89PNG\r\n\x1a\n")
    words = (folder / "a.warc.gz", folder / "b.warc.gz", folder / "site")
    run(*words, "-o", "run", "-j", 2, "--quarantine", name)

    victor("clean", "-m", model, *words, "-f", "jsonl", "-o", "all.jsonl", "--quarantine", f"cleaned-{name}")
    again = victor("retry", name, "-m", model, "-f", "jsonl")

    assert folder.joinpath(name).read_bytes() == folder.joinpath(f"cleaned-{name}").read_bytes()
    assert [json.loads(line)["status"] for line in again.out.splitlines()] == [
        "undecodable",
        "unreadable",
        "undecodable",
    ]


def test_a_finished_run_is_given_its_quarantine_by_the_same_command(run, crawl, folder):
    run(*crawl, "-o", "run", "--shard", "1/2")
    run(*crawl, "-o", "run", "--shard", "2/2", "--quarantine", "first.jsonl")
    run(*crawl, "-o", "run", "--quarantine", "second.jsonl")

    assert folder.joinpath("first.jsonl").read_bytes() == folder.joinpath("second.jsonl").read_bytes()
    assert len(folder.joinpath("first.jsonl").read_text().splitlines()) == 2


def test_nothing_is_kept_before_all_is_done(run, crawl, folder):
    run(*crawl, "-o", "run", "--shard", "1/2", "--quarantine", "bad.jsonl")

    assert not folder.joinpath("bad.jsonl").exists()


def test_a_quarantine_that_could_not_be_written_is_told_before_any_work(run, crawl, folder):
    folder.joinpath("file").touch()

    ran = run(*crawl, "-o", "run", "--quarantine", "file/bad.jsonl")

    assert (ran.status, folder.joinpath("run").exists()) == (1, False)
    assert "file: cannot be written" in ran.err
