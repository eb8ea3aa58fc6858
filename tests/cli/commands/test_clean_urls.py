"""`victor clean` with addresses."""

import json
import signal
import time

import pytest
from web_servers import PAGE, Answer, moved, served

TEXT = "The ferry leaves at seven, long before the island is awake."


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "*")


def test_a_page_is_fetched_and_cleaned(victor_process):
    with served({"/old": moved("/ferry"), "/ferry": Answer()}) as site:
        ran = victor_process("clean", site.url("/old"), "-f", "jsonl", "-j", 1)

    record = json.loads(ran.out)
    assert (ran.status, ran.err) == (0, "")
    assert (record["status"], record["url"]) == ("ok", site.url("/ferry"))
    assert record["id"] == site.url("/old").removeprefix("http://")
    assert TEXT in record["text"]


def test_a_list_goes_on_after_failures(victor_process, folder):
    with served({"/a": Answer(), "/robots.txt": Answer(b"User-agent: *\nDisallow: /b\n")}) as site:
        lines = [site.url("/a"), site.url("/b"), site.url("/c"), "https://", "htp:/d", "http://x.invalid/", "old.html"]
        folder.joinpath("list").write_text("\n".join(lines))
        folder.joinpath("old.html").write_bytes(PAGE)
        ran = victor_process(
            "clean", "--from-file", "list", "-f", "jsonl", "-j", 1, "--delay", 0, "--retries", 0, "--strict"
        )

    records = [json.loads(line) for line in ran.out.splitlines()]
    assert ran.status == 3
    assert [record["status"] for record in records] == ["ok", *["unreadable"] * 5, "ok"]
    problems = ["forbids it", "404", "not the address of a web page", "no such file", "no address found"]
    assert all(problem in record["reason"] for problem, record in zip(problems, records[1:6], strict=True))
    assert "victor: 7 pages: 2 ok, 5 unreadable" in ran.err


def test_pages_go_into_folders_of_their_hosts(victor_process, folder):
    with served({"/boats/": Answer(), "/boats/a.html?b=/c": Answer()}) as site:
        addresses = site.url("/boats/"), site.url("/boats/a.html?b=/c")
        ran = victor_process("clean", *addresses, "-o", "texts/", "-j", 1, "--delay", 0)

    host = folder / "texts" / f"127.0.0.1:{site.port}" / "boats"
    assert ran.status == 0
    assert sorted(path.name for path in host.iterdir()) == ["a.html?b=%2Fc.txt", "index.txt"]


@pytest.mark.parametrize(
    "words", [("run", "https://harbour.example/", "-o", "run"), ("features", "https://harbour.example/")]
)
def test_other_commands_say_that_they_read_files(victor, folder, words):
    ran = victor(*words)

    assert ran.status == 2
    assert ran.err.startswith("victor: https://harbour.example/: this is read from files only: fetch it first, with")


def test_metadata_of_an_address(victor_process):
    with served({"/": Answer()}) as site:
        ran = victor_process("metadata", site.url(), "-j", 1)

    assert json.loads(ran.out)["html_title"] == "Ferry"


def texts(lines):
    return [(record["url"], record["text"]) for record in map(json.loads, lines.splitlines())]


def test_what_was_fetched_is_cleaned_again_from_its_archive(victor_process, folder):
    with served({"/": Answer(), "/b": Answer()}) as site:
        fetched = victor_process(
            "clean", site.url(), site.url("/b"), "--keep-warc", "all.warc.gz", "-j", 1, "--delay", 0, "-f", "jsonl"
        )
    again = victor_process("clean", "all.warc.gz", "-j", 1, "-f", "jsonl")
    taken = victor_process("clean", "https://harbour.example/", "--keep-warc", "all.warc.gz")

    assert texts(again.out) == texts(fetched.out)
    assert len(texts(again.out)) == 2
    assert (taken.status, taken.out) == (2, "")
    assert "all.warc.gz: this file exists: name a new one" in taken.err


def test_failed_pages_are_fetched_again(victor_process, folder):
    quick = ("-j", 1, "--delay", 0, "--retries", 0)
    with served({"/a": Answer(), "/b": [Answer(b"", 503), Answer()]}) as site:
        addresses = site.url("/a"), site.url("/b")
        victor_process("clean", *addresses, "-o", "texts/", "--quarantine", "bad.jsonl", *quick)
        ran = victor_process("retry", "bad.jsonl", "-o", "texts/", *quick)

    texts = sorted(path.name for path in folder.joinpath("texts").rglob("*.txt"))
    assert (ran.status, texts, site.paths) == (0, ["a.txt", "b.txt"], ["/a", "/b", "/b"])


def test_a_labeler_that_reads_all_pages_first_needs_files(victor):
    ran = victor("clean", "https://harbour.example/", "--labeler", "site")

    assert ran.status == 2
    assert "the labeler reads all pages first: clean files or folders" in ran.err


def test_ctrl_c_ends_the_command_while_it_waits_for_servers(victor_process, folder):
    with served({"/a": Answer(pause=0.5), "/b": Answer(pause=0.5)}) as one, served({"/": Answer(pause=0.5)}) as two:
        process = victor_process.start("clean", one.url("/a"), one.url("/b"), two.url(), "-j", 1)
        end = time.monotonic() + 120
        while not (one.paths and two.paths) and time.monotonic() < end:
            time.sleep(0.05)
        begun = time.monotonic()
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=120)

    assert (process.returncode, err) == (130, b"victor: interrupted\n")
    assert time.monotonic() - begun < 10
