"""The same bytes on every kind of CPU: each machine is a process of its own, in an environment that plays it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from archives import answer, warc
from machines import MACHINES
from run_folders import files_in

import victorpy

pytestmark = [pytest.mark.process, pytest.mark.slow]

ROOT = Path(__file__).parents[1]
PAGES = sorted((ROOT / "examples").glob("*.html"))
ANNOTATIONS = sorted((ROOT / "annotations").glob("*.anno"))

EVERYTHING = """\
import os, sys, victorpy
from pathlib import Path
for model in sys.argv[1].split(os.pathsep):
    cleaner = victorpy.load(model)
    for path in sys.argv[2:]:
        cleaned = cleaner.clean(Path(path).read_bytes(), url="https://harbour.example/")
        print(cleaned.labels, list(cleaned.probabilities), cleaned.confidence)
        for name in sorted(victorpy.FORMATS):
            print(victorpy.FORMATS[name](cleaned))
    print("\\f", end="")
"""


def said(models, machine):
    """All that each model can say of the pages, every number with all its digits."""
    environment = os.environ | {"PYTHONPATH": str(Path(victorpy.__file__).parents[1])} | MACHINES[machine]
    # Without the folder that the tests run in, which may hold sources without a compiled core.
    command = [sys.executable, "-P", "-c", EVERYTHING, os.pathsep.join(map(str, models)), *map(str, PAGES)]
    return subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True).stdout.split(b"\f")[:-1]


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models") / "tree"
    victorpy.train(ANNOTATIONS, config=ROOT / "configs" / "tree.yaml").save(folder)
    return folder


def test_every_machine_says_the_same_of_a_page_to_the_last_digit(tree, network_model):
    models = ("web", "cleaneval", tree, network_model)

    this, *others = (said(models, machine) for machine in MACHINES)

    assert [len(text) > 50_000 for text in this] == [True] * len(models)
    for other in others:
        assert [model for model, ours, theirs in zip(models, this, other, strict=True) if ours != theirs] == []


@pytest.fixture
def crawl(folder):
    """An archive of the examples, with a page that is too large."""
    pages = [*(path.read_bytes() for path in PAGES), PAGES[0].read_bytes() + b" " * 200_000, PAGES[0].read_bytes()]
    folder.joinpath("crawl.warc").write_bytes(b"".join(warc(n, answer(html)) for n, html in enumerate(pages)))
    return "crawl.warc"


@pytest.mark.parametrize("model", ["web", "cleaneval"])
def test_a_run_that_one_machine_begins_is_finished_verified_and_retried_by_another(victor_process, crawl, model):
    words = ("run", "-m", model, crawl, "-o", "run", "--part-pages", 2, "--max-bytes", 200_000)
    here = victor_process.environment

    def on(machine, *words):
        victor_process.environment = here | MACHINES[machine]
        return victor_process(*words)

    folder = victor_process.folder / "run"
    assert on("this one", *words).status == 0
    whole, again = files_in(folder), on("this one", "retry", "run", "-m", model, "-f", "jsonl")
    assert '"status":"ok"' in again.out
    _forget_parts(folder)

    assert on("an old one", *words).status == 0
    assert files_in(folder) == whole
    for machine in MACHINES:
        verified = on(machine, "verify", "run", "--sample", 30)
        assert verified.status == 0
        assert verified.err.startswith(f"victor: {folder}: 8 pages, no errors, digest ")
        assert on(machine, "retry", "run", "-m", model, "-f", "jsonl") == again


def _forget_parts(run):
    """Leaves what a run has that was killed when one of its parts was done."""
    journal = run / "shards" / "00001.jsonl"
    journal.write_bytes(b"".join(journal.read_bytes().splitlines(keepends=True)[:2]))
    for path in [*run.glob("00001-000[2-9].*"), run / "manifest.json"]:
        path.unlink()
