"""A small model of our own, and ways to run `victor`: what tests of whole commands share."""

import logging
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from small_pages import LETTERS, article, site_in

import victorpy
from victorpy.annotation.anno_files import annotation_of, write
from victorpy.cli import main
from victorpy.models import config, model_folder
from victorpy.models.training import annotated_pages, train
from victorpy.page.segment import segment

CONFIG = """\
include: base
features:
  [container.p, container.a, container.class-header, container.class-list, token.alpha-abs, sentence-end, position]
template: ./small.tpl
crf: {max-iterations: 30}
"""
TEMPLATE = """\
container.{p,a,class-header,class-list}[{-1,0}]
{token.alpha-abs,sentence-end,position}[0]
sentence-end[-1] container.p[0]
B
"""
# It takes the fourth power of the number of letters, so that a page can be made as slow as a test needs it.
SLOW = """\
regexp: {slow: [q+q+q+w]}
buckets: {regexp.slow: {values: [0, 1]}}
features: [container.p, container.a, container.class-header, token.alpha-abs, position, regexp.slow]
template: ./slow.tpl
"""
NETWORK = """\
network:
  enabled: true
  features: [container.a, token.alpha-abs, sentence-end, "core.*"]
  width: 8
  layers: 2
  epochs: 60
  learning-rate: 0.02
  class-embedding-size: 3
  min-word-pages: 3
  word-dropout: 0
  vocabulary-dropout: 0
  seed: 2
"""
KEPT_COMPILED = "VICTORPY_TESTS_COMPILED"


def pytest_configure() -> None:
    """Keep what is compiled, for all processes of this run: Python's modules, and what JAX makes of networks."""
    if KEPT_COMPILED in os.environ:
        return
    folder = tempfile.mkdtemp(prefix="victorpy-tests-")
    os.environ |= {
        KEPT_COMPILED: folder,
        "JAX_COMPILATION_CACHE_DIR": f"{folder}/jax",
        "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
        "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1",
    }
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
        os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix = f"{folder}/python"
        sys.dont_write_bytecode = False


def pytest_unconfigure() -> None:
    if "PYTEST_XDIST_WORKER" not in os.environ and (folder := os.environ.pop(KEPT_COMPILED, "")):
        shutil.rmtree(folder, ignore_errors=True)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Give one worker all tests of a file that share fixtures, which are then made once. Others go one by one."""
    from xdist.scheduler import LoadScopeScheduling  # noqa: PLC0415 - only with -n

    class Scheduling(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            file = nodeid.partition("::")[0]
            return file if _shares_fixtures(config.rootpath / file) else nodeid

    return Scheduling(config, log)


@cache
def _shares_fixtures(file: Path) -> bool:
    text = file.read_text("utf-8")
    return 'scope="module"' in text or "chromium" in text


# Whatever uses one of these starts programs, waits for clocks, or learns a network in a child process.
PROCESS_FIXTURES = {"chromium", "clean", "victor_process", "slow_model", "network_model"}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if PROCESS_FIXTURES & set(getattr(item, "fixturenames", ())):
            item.add_marker("process")
    # Files of slow tests come first, so that no worker is left with one at the end.
    others = {item.path for item in items if not item.get_closest_marker("slow")}
    items.sort(key=lambda item: item.path in others)


@pytest.fixture(autouse=True)
def _no_program_without_mark(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail a test that starts a program, unless it is marked `process`."""
    if not request.node.get_closest_marker("process"):
        monkeypatch.setattr(subprocess, "Popen", _unmarked)
        monkeypatch.setattr(BaseProcess, "start", _unmarked)


def _unmarked(*words: Any, **options: Any) -> object:
    # So matplotlib lists the fonts of a new machine, once.
    if words and words[0][:1] in (["fc-list"], ["system_profiler"]):
        return _START(*words, **options)
    return pytest.fail("this test starts a program: mark it `process`")


_START = subprocess.Popen


class Ran(NamedTuple):
    """How a command ended, and what it said."""

    status: int
    out: str
    err: str

    def words(self) -> str:
        return self.out + self.err


@pytest.fixture(scope="session")
def small_config(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A config with a few features, which learns in no time."""
    folder = tmp_path_factory.mktemp("configs")
    folder.joinpath("small.tpl").write_text(TEMPLATE)
    folder.joinpath("small.yaml").write_text(CONFIG)
    return folder / "small.yaml"


@pytest.fixture(scope="session")
def annotations(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of annotated pages."""
    folder = tmp_path_factory.mktemp("annotations")
    for number in range(6):
        html, letters = article(number)
        page = segment(html, f"part-{number}", f"https://harbour.example/{number}")
        write(annotation_of(page, html, [LETTERS[letter] for letter in letters], "me"), folder / f"part-{number}.anno")
    return folder


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory, small_config: Path, annotations: Path) -> Path:
    """The folder of a model that knows pages like `article`."""
    folder = tmp_path_factory.mktemp("models") / "small"
    settings = config.load(small_config)
    model_folder.save(train(annotated_pages(sorted(annotations.glob("*.anno")), settings), settings), folder)
    return folder


@pytest.fixture(scope="session")
def slow_model(tmp_path_factory: pytest.TempPathFactory, small_config: Path, annotations: Path) -> Path:
    """The same, but some pages take it as long as `slow_page` says."""
    path = small_config.with_name("slow.yaml")
    path.with_suffix(".tpl").write_text(f"{TEMPLATE}regexp.slow[0]\n")
    path.write_text(f"include: {small_config}\n{SLOW}")
    folder, settings = tmp_path_factory.mktemp("models") / "slow", config.load(path)
    model_folder.save(train(annotated_pages(sorted(annotations.glob("*.anno")), settings), settings), folder)
    return folder


@pytest.fixture(scope="session")
def network_config(small_config: Path) -> Path:
    """The same with a network beside the CRF."""
    path = small_config.with_name("network.yaml")
    path.write_text(f"include: {small_config}\n{NETWORK}")
    return path


@pytest.fixture(scope="session")
def network_model(tmp_path_factory: pytest.TempPathFactory, network_config: Path, annotations: Path) -> Path:
    """The folder of a model that holds a network."""
    pytest.importorskip("jax")
    pytest.importorskip("optax")
    folder = tmp_path_factory.mktemp("models") / "network"
    settings = config.load(network_config)
    model_folder.save(train(annotated_pages(sorted(annotations.glob("*.anno")), settings), settings), folder)
    return folder


BROWSERS = ("chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """A browser for the tests of a file."""
    sync_api = pytest.importorskip("playwright.sync_api")
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if not program:
        pytest.skip("there is no Chromium")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, in which the user stands."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def fails_at_sync(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """Makes the n-th writing through to the disk fail, before or after it is done."""
    real = os.fsync

    def plan(number: int, error: BaseException, *, is_before: bool) -> None:
        left = [number]

        def fsync(file: int) -> None:
            left[0] -= 1
            if not left[0] and is_before:
                raise error
            real(file)
            if not left[0]:
                raise error

        monkeypatch.setattr(os, "fsync", fsync)

    yield plan
    monkeypatch.setattr(os, "fsync", real)


@pytest.fixture
def page(folder: Path) -> str:
    """page.html, such as the model knows."""
    folder.joinpath("page.html").write_text(article(7)[0])
    return "page.html"


@pytest.fixture
def site(folder: Path) -> str:
    """A folder of a dozen pages, some in folders of their own."""
    return site_in(folder)


@pytest.fixture
def victor(capsys: pytest.CaptureFixture[str]) -> Iterator[Callable[..., Ran]]:
    """Runs a command in this process."""

    def run(*words: object) -> Ran:
        capsys.readouterr()
        try:
            status = main.main(list(map(str, words)))
        except SystemExit as stop:
            status = int(stop.code or 0)
        return Ran(status, *capsys.readouterr())

    yield run
    for handler in list(logging.getLogger().handlers):
        logging.getLogger().removeHandler(handler)


class Process:
    """Starts commands in processes of their own, and ends what is left of them."""

    def __init__(self, folder: Path):
        self.folder, self.started = folder, list[subprocess.Popen[bytes]]()
        self.environment = os.environ | {"PYTHONPATH": str(Path(victorpy.__file__).parents[1])}

    def start(self, *words: object, **options: object) -> subprocess.Popen[bytes]:
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "env": self.environment} | options
        command = [sys.executable, "-m", "victorpy", *map(str, words)]
        self.started.append(subprocess.Popen(command, cwd=self.folder, start_new_session=True, **pipes))  # type: ignore[call-overload]
        return self.started[-1]

    def __call__(self, *words: object, given: bytes | None = None, **options: object) -> Ran:
        process = self.start(*words, stdin=subprocess.PIPE, **options)
        out, err = process.communicate(given, timeout=240)
        return Ran(process.returncode, (out or b"").decode(), (err or b"").decode())

    def end(self) -> None:
        for process in self.started:
            if process.poll() is None:
                process.kill()
            process.communicate()


@pytest.fixture
def victor_process(folder: Path) -> Iterator[Process]:
    """Runs a command in a process of its own."""
    # Where tests run in the background Ctrl-C is ignored, and what they start would inherit that.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    process = Process(folder)
    yield process
    process.end()
    signal.signal(signal.SIGINT, before)
