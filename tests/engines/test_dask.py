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
from conftest import article
from poison import POISON, PoisonousJob

import victorpy
from victorpy.engines import ENGINES
from victorpy.engines.places import Place
from victorpy.runs.manifest import counted, states_of
from victorpy.runs.meter import Meter
from victorpy.runs.plan import Plan, begin
from victorpy.runs.shards import shards_of
from victorpy.sources import find_inputs

pytest.importorskip("distributed")

SLOW = b"<p>The ferry leaves at seven.<p " + b" ".join(b"a%d" % number for number in range(60_000)) + b">"


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory):
    """The address of a scheduler with two workers, which it gives up at once if they die."""
    folder = tmp_path_factory.mktemp("dask")
    paths = [str(Path(victorpy.__file__).parents[1]), str(Path(__file__).parents[1])]
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join(paths),
        "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "0",
    }

    def start(*words):
        command = [sys.executable, "-m", *words, "--scheduler-file", str(folder / "scheduler.json")]
        with folder.joinpath(f"{words[0]}.log").open("wb") as log:
            return subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=log)

    local = ("--host", "127.0.0.1", "--no-dashboard")
    processes = [start("distributed.cli.dask_scheduler", *local, "--port", "0")]
    processes.append(start("distributed.cli.dask_worker", *local, "--nworkers", "2", "--nthreads", "1"))
    yield wait_for_workers(folder / "scheduler.json")
    for process in reversed(processes):
        process.terminate()
        process.wait(30)


def wait_for_workers(path):
    from distributed import Client  # noqa: PLC0415

    for _ in range(600):
        if path.exists() and path.read_text():
            break
        time.sleep(0.1)
    address = json.loads(path.read_text())["address"]
    with Client(address, set_as_default=False) as client:
        client.wait_for_workers(2, timeout=60)
    return address


def archive(path, numbers, *others):
    pages = [warc(number, answer(article(number)[0].encode())) for number in numbers]
    path.write_bytes(packed([*pages, *others], ".gz"))


def files_in(folder):
    return {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file() and path.name != "run.json"}


def pids_of_workers(scheduler):
    from distributed import Client  # noqa: PLC0415

    with Client(scheduler, set_as_default=False) as client:
        return list(client.run(os.getpid).values())


def test_a_worker_is_killed_and_the_files_are_those_of_the_local_engine(victor_process, model, folder, scheduler):
    for name in ("a", "b"):
        archive(folder / f"{name}.warc.gz", range(12), warc(50, answer(SLOW)))
    inputs = ("a.warc.gz", "b.warc.gz", "gone.warc")
    words = ("run", "-m", model, *inputs, "--part-pages", 5, "--timeout", 1.5)
    pids = pids_of_workers(scheduler)

    started = victor_process.start(*words, "-o", "run", "--engine", "dask", "--scheduler", scheduler)
    for _ in range(600):
        if any(path.read_text().count("part") > 1 for path in folder.glob("run/shards/*.jsonl")):
            break
        time.sleep(0.05)
    os.kill(pids[0], signal.SIGKILL)
    _, said = started.communicate(timeout=120)
    victor_process(*words, "-o", "quiet")

    assert started.returncode == 1
    assert b"gone.warc: no such file" in said
    assert b"26 pages: 24 ok, 2 timeout" in said
    assert files_in(folder / "run") == files_in(folder / "quiet")


def test_a_record_that_kills_its_worker_is_found_and_spared(model, folder, scheduler):
    archive(folder / "a.warc.gz", range(8), warc(8, answer(b"<p>" + POISON)), warc(9), warc(10))
    shards = shards_of(find_inputs(["a.warc.gz"]))
    plan = Plan(folder / "run", PoisonousJob(str(model), "jsonl"), part_pages=4)
    begin(plan, shards, {})

    ENGINES["dask"](plan, shards, Place(scheduler=scheduler), meter := Meter(shards))

    (state,) = states_of(plan, shards)
    assert state.poison == (9,)
    assert counted([state]) == meter.counts
    assert counted([state])["crashed"] == 1
    assert state.records == 11


def test_a_scheduler_that_is_not_there_is_told(victor, model, folder, monkeypatch):
    pytest.importorskip("distributed")
    monkeypatch.setattr("victorpy.engines.dask._SECONDS_TO_ANSWER", 0.5)
    archive(folder / "a.warc.gz", range(2))
    words = ("run", "-m", model, "a.warc.gz", "-o", "run", "--engine", "dask")

    nowhere = victor(*words, "--scheduler", "tcp://127.0.0.1:1")
    unnamed = victor(*words)

    assert (nowhere.status, unnamed.status) == (2, 2)
    assert "tcp://127.0.0.1:1: no Dask scheduler answers there" in nowhere.err
    assert "name its scheduler, such as --scheduler tcp://host:8786" in unnamed.err
