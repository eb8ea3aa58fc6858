"""victor dedup"""

import gzip
import json

import pytest

FERRY = "The ferry leaves at seven, long before the island is awake, and comes back at noon."
BAKER = "Nobody had told the baker that the bridge was closed for the whole of the summer."


def line(id, text):
    return json.dumps({"id": id, "text": text, "n": 1.50}) + "\n"


def records(text):
    return [json.loads(line) for line in text.splitlines()]


@pytest.fixture
def shards(folder):
    """Two files, of which the second repeats something of the first."""
    folder.joinpath("1.jsonl").write_text(line("a", FERRY) + '{"id": "é",   "status":"empty","text":""}')
    folder.joinpath("2.jsonl.gz").write_bytes(gzip.compress((line("b", BAKER) + "\n" + line("c", FERRY)).encode()))
    return ["1.jsonl", "2.jsonl.gz"]


def test_duplicates_stay_as_records_without_text_and_all_else_as_it_was(victor, shards, folder):
    ran = victor("dedup", *shards)

    lines = ran.out.splitlines(keepends=True)
    assert lines[:3] == [line("a", FERRY), '{"id": "é",   "status":"empty","text":""}\n', line("b", BAKER)]
    assert json.loads(lines[3]) == {"id": "c", "n": 1.5, "text": "", "status": "dropped", "reason": "duplicate of a"}
    assert ran.err == "victor: 4 records: 2 kept, 1 duplicates, 1 without text\n"


def test_a_folder_gets_a_file_for_each_packed_like_the_input(victor, shards, folder):
    assert victor("dedup", *shards, "-o", "new/").status == 0

    assert [page["id"] for page in records(folder.joinpath("new/1.jsonl").read_text())] == ["a", "é"]
    second = records(gzip.decompress(folder.joinpath("new/2.jsonl.gz").read_bytes()).decode())
    assert [page.get("reason") for page in second] == [None, "duplicate of a"]


@pytest.mark.process
def test_of_a_run_all_parts_are_taken_in_their_order(victor, folder):
    pages = folder / "pages"
    pages.mkdir()
    for number, text in enumerate([FERRY, BAKER, FERRY]):
        pages.joinpath(f"{number}.html").write_text(f"<p>{text}</p>")
    assert victor("run", "pages", "-o", "run", "--labeler", "everything", "--part-pages", 1, "-j", 1).status == 0

    ran = victor("dedup", "run", "-o", "new/", "--exact")

    assert ran.err == "victor: 3 records: 2 kept, 1 duplicates\n"
    parts = sorted(folder.joinpath("new").iterdir())
    assert [path.name for path in parts] == [f"00001-000{part}.jsonl.gz" for part in (1, 2, 3)]
    assert json.loads(gzip.decompress(parts[2].read_bytes()))["reason"] == "duplicate of 0"


def test_zstandard_is_read_and_written(victor, shards, folder):
    zstandard = pytest.importorskip("zstandard")

    assert victor("dedup", *shards, "-o", "all.jsonl.zst").status == 0
    again = victor("dedup", "all.jsonl.zst")

    assert (
        zstandard.ZstdDecompressor().stream_reader(folder.joinpath("all.jsonl.zst").read_bytes()).read(6) == b'{"id":'
    )
    assert [page["id"] for page in records(again.out)] == ["a", "é", "b", "c"]


@pytest.mark.process
def test_what_victor_clean_prints_can_be_piped_in(victor, folder):
    folder.joinpath("one.html").write_text(f"<p>{FERRY}</p>")
    folder.joinpath("two.html").write_text(f"<ul><li>Home</li></ul><p>{FERRY}</p><p>{BAKER}</p>")
    cleaned = victor("clean", "one.html", "two.html", "--labeler", "everything", "-f", "jsonl", "-o", "all.jsonl")
    assert cleaned.status == 0

    ran = victor("dedup", "all.jsonl", "--passages")

    assert [page["text"] for page in records(ran.out)] == [f"{FERRY}\n", f"Home\n{BAKER}\n"]
    assert ran.err.endswith("2 records: 2 kept; 1 repeated passages\n")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b'{"id": 1}\n{"id": 2', "x.jsonl:2: not JSON"),
        (b"[1]\n", "x.jsonl:1: not a JSON object"),
        (b"\xff\n", "x.jsonl:1: not JSON"),
        (gzip.compress(b'{"id": 1}\n')[:-9], "x.jsonl: cannot be read"),
    ],
    ids=["cut off", "a list", "not UTF-8", "half a gzip"],
)
def test_what_is_no_record_is_named_and_nothing_is_written(victor, folder, content, said):
    folder.joinpath("x.jsonl").write_bytes(content)

    ran = victor("dedup", "x.jsonl", "-o", "out.jsonl")

    assert ran.status == 1
    assert said in ran.err
    assert not folder.joinpath("out.jsonl").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["none.jsonl"], "none.jsonl: no such file"),
        (["empty"], "empty: no files of records in this folder"),
        (["1.jsonl", "-o", "1.jsonl"], "would be overwritten"),
        (["1.jsonl", "-o", "."], "would be overwritten"),
        (["1.jsonl", "./1.jsonl", "-o", "new/"], "several inputs have this name"),
        (["1.jsonl", "--threshold", "2"], "--threshold: expected a number from 0.1 to 1, got 2"),
        (["1.jsonl", "--least-characters", "9"], "needs --passages"),
        (["1.jsonl", "--exact", "--near-passages"], "--near-passages: needs a threshold"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_wrong_usage_is_told(victor, shards, folder, words, said):
    folder.joinpath("empty").mkdir()

    ran = victor("dedup", *words)

    assert ran.status == 2
    assert said in ran.err
