"""A real scheduler and two workers on this machine."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from archives import answer, packed, warc
from poison import POISON
from small_pages import article, slow_page

import victorpy
from victorpy.pipeline.runs.journal import state_at
from victorpy.pipeline.runs.manifest import counted

pytestmark = pytest.mark.process

pytest.importorskip("distributed")

SLOW = slow_page(8).encode()


@pytest.fixture
def model(slow_model):
    return slow_model


def with_paths():
    """Workers and clients find the package and `poison`; a shard is given up at once if its worker dies."""
    paths = [str(Path(victorpy.__file__).parents[1]), str(Path(__file__).parents[2])]
    found = {"PYTHONPATH": os.pathsep.join(paths), "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "0"}
    return os.environ | found


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory):
    """The address of a scheduler with two workers."""
    folder = tmp_path_factory.mktemp("dask")
    environment = with_paths()

    def start(*words):
        command = [sys.executable, "-m", *words, "--scheduler-file", str(folder / "scheduler.json")]
        with folder.joinpath(f"{words[0]}.log").open("wb") as log:
            return subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=log)

    local = ("--host", "127.0.0.1", "--no-dashboard")
    processes = [start("distributed.cli.dask_scheduler", *local, "--port", "0")]
    processes.append(start("distributed.cli.dask_worker", *local, "--nworkers", "2", "--nthreads", "1"))
    yield wait_for_workers(folder / "scheduler.json", environment)
    for process in reversed(processes):
        process.terminate()
        process.wait(30)


def wait_for_workers(path, environment):
    for _ in range(2400):
        if path.exists() and path.read_text():
            break
        time.sleep(0.1)
    address = json.loads(path.read_text())["address"]
    asked(address, "client.wait_for_workers(2, timeout=60)", environment)
    return address


def asked(scheduler, question, environment=None):
    """Of a client in a process of its own, because the threads of one stay, and change how later tests fork."""
    code = f"import os, distributed\nclient = distributed.Client({scheduler!r})\nprint({question})"
    return subprocess.run([sys.executable, "-P", "-c", code], env=environment, check=True, capture_output=True).stdout


def archive(path, numbers, *others):
    pages = [warc(number, answer(article(number)[0].encode())) for number in numbers]
    path.write_bytes(packed([*pages, *others], ".gz"))


def files_in(folder):
    files = (path for path in folder.rglob("*") if path.is_file() and path.name != "run.json")
    return {path.relative_to(folder): path.read_bytes() for path in files}


def test_a_run_is_deduplicated_as_by_the_local_engine(victor_process, folder, scheduler):
    for name in ("a", "b"):
        archive(folder / f"{name}.warc.gz", range(7))
    words = ("run", "--labeler", "everything", "--deduplicate", "--part-pages", 5, "a.warc.gz", "b.warc.gz")

    far = victor_process(*words, "-o", "far", "--engine", "dask", "--scheduler", scheduler)
    near = victor_process(*words, "-o", "near")

    assert (far.status, near.status) == (0, 0)
    assert "14 pages: 5 ok, 9 dropped" in far.err
    assert files_in(folder / "far") == files_in(folder / "near")


def test_a_worker_is_killed_and_the_files_are_those_of_the_local_engine(victor_process, model, folder, scheduler):
    for name in ("a", "b"):
        archive(folder / f"{name}.warc.gz", range(12), warc(50, answer(SLOW)))
    inputs = ("a.warc.gz", "b.warc.gz", "gone.warc")
    words = ("run", "-m", model, *inputs, "--part-pages", 5, "--timeout", 1.5)
    victim = asked(scheduler, "next(iter(client.run(os.getpid).values()))")

    started = victor_process.start(*words, "-o", "run", "--engine", "dask", "--scheduler", scheduler)
    for _ in range(2400):
        if any(path.read_text().count("part") > 1 for path in folder.glob("run/shards/*.jsonl")):
            break
        time.sleep(0.05)
    os.kill(int(victim), signal.SIGKILL)
    _, said = started.communicate(timeout=120)
    victor_process(*words, "-o", "quiet")

    assert started.returncode == 1
    assert b"gone.warc: no such file" in said
    assert b"26 pages: 24 ok, 2 timeout" in said
    assert files_in(folder / "run") == files_in(folder / "quiet")


def test_a_record_that_kills_its_worker_is_found_and_spared(model, folder, scheduler):
    archive(folder / "a.warc.gz", range(8), warc(8, answer(b"<p>" + POISON)), warc(9), warc(10))
    code = f"import poison; poison.run({str(model)!r}, 'a.warc.gz', 'run', {scheduler!r})"
    subprocess.run([sys.executable, "-P", "-c", code], env=with_paths(), check=True)

    state = state_at(folder / "run" / "shards" / "00001.jsonl")
    assert state.poison == (9,)
    assert counted([state]) == {"ok": 10, "crashed": 1}
    assert state.records == 11


def test_a_scheduler_that_is_not_there_is_told(victor_process, victor, model, folder, monkeypatch):
    monkeypatch.setitem(victor_process.environment, "DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT", "1")
    archive(folder / "a.warc.gz", range(2))
    words = ("run", "-m", model, "a.warc.gz", "-o", "run", "--engine", "dask")

    nowhere = victor_process(*words, "--scheduler", "tcp://127.0.0.1:1")
    unnamed = victor(*words)

    assert (nowhere.status, unnamed.status) == (2, 2)
    assert "tcp://127.0.0.1:1: no Dask scheduler answers" in nowhere.err
    assert "needs a scheduler, such as --scheduler tcp://host:8786" in unnamed.err
