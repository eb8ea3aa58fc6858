"""`victor verify`: whatever is wrong with a run is named."""

import errno
import gzip
import json
import os
import shutil
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest
from run_folders import alter, crawl_in

import victorpy
from victorpy.output.formats import STREAMED
from victorpy.pipeline.runs.journal import Part, State, state_at
from victorpy.pipeline.runs.shards import Fingerprint
from victorpy.pipeline.runs.verification import recorded_outcomes

pytestmark = pytest.mark.process

CRAWL = ("a.warc.gz", "b.warc.gz", "site")
WORDS = ("run", "--part-pages", "5")


@pytest.fixture
def crawl(folder):
    return crawl_in(folder)


@pytest.fixture
def run(victor, model):
    return lambda *words: victor(*WORDS, "-m", model, *words)


@pytest.fixture(scope="session")
def verified(tmp_path_factory, model):
    """A folder with a finished run and its inputs, and a copy of it that stays as it is."""
    folder = tmp_path_factory.mktemp("verify") / "work"
    folder.mkdir()
    crawl_in(folder)
    environment = os.environ | {"PYTHONPATH": str(Path(victorpy.__file__).parents[1])}
    command = [sys.executable, "-P", "-m", "victorpy", *WORDS, "-m", str(model), *CRAWL, "-o", "run"]
    subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=True)
    shutil.copytree(folder, folder.with_name("kept"))
    return folder


@pytest.fixture
def finished(verified, monkeypatch):
    """A finished run beside its inputs, where it was made: runs know the paths of their inputs."""
    shutil.rmtree(verified)
    shutil.copytree(verified.with_name("kept"), verified)
    monkeypatch.chdir(verified)
    return Path("run")


def test_a_run_that_is_as_it_should_be(victor, finished, monkeypatch):
    digest, run = sha256(finished.joinpath("manifest.json").read_bytes()).hexdigest(), finished.absolute()
    monkeypatch.chdir("/")

    ran = victor("verify", run, "--sample", 30, "--digest", digest)

    assert (ran.status, ran.err) == (0, f"victor: {run}: 30 pages, no errors, digest {digest}\n")


def test_a_run_on_a_disk_that_is_read_only_is_verified(victor, finished, monkeypatch):
    def refused(**_):
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr("tempfile.TemporaryFile", refused)

    assert victor("verify", finished).status == 0


def test_a_missing_manifest_is_a_fault_until_the_run_is_repeated(victor, run, finished):
    manifest = finished.joinpath("manifest.json").read_bytes()
    finished.joinpath("manifest.json").unlink()

    ran = victor("verify", "run")
    assert (ran.status, ran.err.count("manifest.json: is missing; the command of the run writes it again")) == (1, 1)
    assert not finished.joinpath("manifest.json").exists()

    run(*CRAWL, "-o", "run")
    assert finished.joinpath("manifest.json").read_bytes() == manifest


def test_the_end_of_a_run_names_its_digest_and_a_forged_run_has_another(victor, run, crawl):
    digest = run(*crawl, "-o", "run").err.splitlines()[-1].rpartition("digest ")[2]
    forge(Path("run"), lambda records: records.replace(b'"probability":0.', b'"probability":0.0'))

    assert victor("verify", "run", "--sample", 1, "--seed", 4).status in {0, 1}  # the sample may find it, or not
    ran = victor("verify", "run", "--digest", digest)

    assert ran.status == 1
    assert f"its digest is {sha256(Path('run/manifest.json').read_bytes()).hexdigest()}, expected {digest}" in ran.err


def forge(run, change):
    """Change a part so that all digests in the folder fit it again."""
    part = run / "00001-0001.jsonl.gz"
    was = sha256(part.read_bytes()).hexdigest()
    part.write_bytes(gzip.compress(change(gzip.decompress(part.read_bytes()))))
    for name in ("shards/00001.jsonl", "manifest.json"):
        text = (run / name).read_text()
        (run / name).write_text(text.replace(was, sha256(part.read_bytes()).hexdigest()))


def without_the_first(records):
    return records.partition(b"\n")[2]


def exchanged(records):
    first, second, *rest = records.splitlines(keepends=True)
    return b"".join([second, first, *rest])


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (without_the_first, ["has no page with the text of record 1"]),
        (lambda records: records + b"{}\n", ["its page 6 is in no outcome"]),
        (
            lambda records: records.replace(b'"title":"', b'"title":"forged ', 1),
            ["has no page with the text of record 1", "its page 1 is in no outcome"],
        ),
        (exchanged, ["has its pages in another order than the outcomes"]),
        (lambda records: records + b"\xff\n", ["cannot be read: 'utf-8' codec can't decode byte 0xff"]),
    ],
    ids=["a page less", "a page more", "another text", "another order", "no text"],
)
def test_a_part_is_compared_with_its_outcomes(victor, finished, change, said):
    forge(finished, change)

    ran = victor("verify", "run", "--sample", 1)

    assert ran.status == 1
    assert all(f"00001-0001.jsonl.gz: {fault}" in ran.err for fault in said)


@pytest.mark.parametrize(("format", "packing"), [*((format, "gz") for format in sorted(STREAMED)), ("doc", "none")])
def test_in_every_format_a_sound_part_holds_what_its_outcomes_name(victor, run, crawl, format, packing):
    run(*crawl[:2], "-o", "run", "-f", format, "--packing", packing)

    ran = victor("verify", "run")
    assert (ran.status, "18 pages, no errors" in ran.err) == (0, True)


@pytest.mark.parametrize("format", sorted(STREAMED))
def test_in_every_format_a_page_without_an_outcome_is_found(victor, run, crawl, monkeypatch, format):
    run(crawl[0], "-o", "run", "-f", format)
    monkeypatch.setattr("victorpy.pipeline.runs.verification.recorded_outcomes", one_less)

    ran = victor("verify", "run")
    assert (ran.status, "is in no outcome" in ran.err) == (1, True)


def one_less(plan, name):
    return [page if page.record % 5 else page._replace(text="") for page in recorded_outcomes(plan, name)]


def test_what_is_no_digest_is_wrong_usage(victor, finished):
    ran = victor("verify", "run", "--digest", "abc")

    assert ran.status == 2
    assert ran.err.endswith("expected 64 hexadecimal digits, got 'abc'\n")


@pytest.mark.parametrize(
    ("harm", "said"),
    [
        (lambda run: run.joinpath("00001-0002.jsonl.gz").unlink(), "00001-0002.jsonl.gz: is missing"),
        (lambda run: alter(run / "00001-0002.jsonl.gz"), "00001-0002.jsonl.gz: has changed since it was written"),
        (lambda run: alter(run / "00003-0001.outcomes.jsonl.gz"), "00003-0001.outcomes.jsonl.gz: has changed"),
        (lambda run: alter(run / "00003-0001.outcomes.jsonl.gz", "[]"), "00003-0001.outcomes.jsonl.gz: has changed"),
        (
            lambda run: alter(run / "00003-0001.outcomes.jsonl.gz", "[" * 100_000),
            "00003-0001.outcomes.jsonl.gz: has changed",
        ),
        (lambda run: shutil.copy(run / "00001-0001.jsonl.gz", run / "00009-0001.jsonl.gz"), "belongs to no shard"),
        (lambda run: run.joinpath("shards/00002.jsonl").unlink(), "b.warc.gz): not finished: 0 records are done"),
        (lambda run: alter(run.parent / "a.warc.gz"), "the input has changed since it was cleaned"),
        (lambda run: run.joinpath("manifest.json").write_text("{}"), "manifest.json: differs from the journals"),
    ],
    ids=[
        "gone",
        "altered",
        "outcomes altered",
        "outcomes no objects",
        "outcomes nested",
        "too many",
        "no journal",
        "input",
        "manifest",
    ],
)
def test_each_fault_of_a_run_is_named(victor, finished, harm, said):
    harm(finished)

    ran = victor("verify", finished, "--sample", 1)

    assert ran.status == 1
    assert said in ran.err


def test_a_journal_that_leaves_out_a_part_is_found(victor, finished):
    journal = finished / "shards" / "00001.jsonl"
    lines = journal.read_text().splitlines(keepends=True)
    journal.write_text("".join(lines[:1] + lines[2:]))

    ran = victor("verify", finished)

    assert "00001-0002.jsonl.gz begins with record 6, expected 1" in ran.err


def test_pages_that_come_out_in_another_way_are_found(victor, finished, monkeypatch):
    monkeypatch.setattr("victorpy.pipeline.runs.verification.text_digest", lambda *_: "other")

    ran = victor("verify", finished, "--sample", 3)

    assert ran.status == 1
    assert ran.err.count("has a different text when it is cleaned again") == 3


def test_probabilities_that_another_machine_rounds_differently_are_no_fault(victor, finished, monkeypatch):
    monkeypatch.setattr("victorpy.output.cleaned.rounded", lambda probability: probability and 1e-06)

    ran = victor("verify", finished, "--sample", 30)

    assert (ran.status, "/run: 30 pages, no errors, digest " in ran.err) == (0, True)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"part-pages": "x"}, "run.json: is damaged: settings: part-pages: expected a whole number, got the text 'x'"),
        ({"format": ["x"]}, "run.json: is damaged: settings: format: expected a text, got a list"),
        ({"help": True}, "help: no such option"),
        ({"inputs": []}, "no input: name a page"),
        ({"inputs": ["7"]}, "7: no such file or folder"),
        ({}, "is another run: it has 0 shards, but these inputs make 3"),
    ],
    ids=str,
)
def test_settings_that_no_run_has_are_told(victor, finished, settings, said):
    facts = json.loads(finished.joinpath("run.json").read_text())
    facts = facts | {"settings": facts["settings"] | settings, "shards": facts["shards"] if settings else 7}
    finished.joinpath("run.json").write_text(json.dumps(facts))

    ran = victor("verify", finished)

    assert ran.status in {1, 2}
    assert said in ran.err


@pytest.mark.parametrize("content", ["", "{}", "[]", "[" * 100_000, '{"folder": 1, "settings": {}}'])
def test_what_is_no_runs_file_is_damaged(victor, finished, content):
    finished.joinpath("run.json").write_text(content)

    ran = victor("verify", finished)

    assert ran.status == 1
    assert "run.json: is damaged: " in ran.err


@pytest.mark.parametrize(
    "line",
    [
        *("[" * 100_000, '{"part": {}}', '{"end": {"records": "x"}}', '{"input": {"size": null, "sha256": ""}}'),
        json.dumps({"part": Part("x", 1, 2, {"ok": []}, "x", "x")._asdict()}),
    ],
    ids=lambda line: line[:12],
)
def test_a_journal_is_read_up_to_what_is_no_line_of_one(tmp_path, line):
    path = tmp_path / "00001.jsonl"
    path.write_text(f'{{"input": {{"size": 1, "sha256": "x"}}}}\n{line}\n{{"end": {{"records": 0}}}}\n')

    assert state_at(path) == State(Fingerprint(1, "x"))


def test_where_there_is_no_run_nothing_is_verified(victor, folder):
    ran = victor("verify", "nowhere")

    assert (ran.status, ran.err) == (2, "victor: nowhere: not the folder of a run: it has no run.json\n")
