"""What README and docs show runs: the code of a page, and its commands, one after the other."""

import shutil
import subprocess

import pytest
from doc_folder import fill, put_on_path
from doc_pages import PAGES, Block, blocks, needs_shell, steps, words
from not_run import NOT_RUN, reason

pytestmark = pytest.mark.process


# What a page takes for granted.
BEFORE = {
    "deduplication.md": "victor run 'crawl/*.warc.gz' -o run/",
    "inspecting.md": "cp examples/news-en.html page.html",
    "label-and-train.md": "cp -r my-site labels",
    "labelers.md": "victor learn site crawl/ -o site.npz",
    "perplexity.md": "victor lm train texts/ -o mine",
    "verifying.md": "victor run 'crawl/*.warc.gz' -o run/",
}


# The reader has no model of this name yet, or says yes; and waits longer than we do.
ADDED = {"train": ["--replace"], "report": ["--explain", "1"], "tune": ["--trials", "3"]}


@pytest.fixture(scope="session")
def filled(tmp_path_factory, small_config, model):
    folder = tmp_path_factory.mktemp("filled")
    fill(folder, small_config, model)
    return folder


@pytest.fixture
def workplace(filled, tmp_path, monkeypatch):
    """A folder of one's own, where the user stands."""
    folder = tmp_path / "workplace"
    shutil.copytree(filled, folder)
    put_on_path(tmp_path / "bin", monkeypatch)
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def run(victor):
    """Run a step as a reader would."""
    namespace = {"__name__": "__main__"}

    def run(step: Block):
        if step.language == "python":
            # Lines are counted as on the page, so that a traceback names the right one.
            exec(compile("\n" * (step.line - 1) + step.code, step.page, "exec"), namespace)
        elif needs_shell(step.code):
            command = ["bash", "-eo", "pipefail", "-c", step.code.removeprefix("$ ")]
            subprocess.run(command, check=True, capture_output=True, text=True)
        else:
            given = words(step.code)[1:]
            is_grid = "--grid" in given
            ran = victor(*given, *([] if is_grid else ADDED.get(given[0], [])))
            assert ran.status == 0, f"{step.place}: {step.code}\n{ran.err}"

    return run


@pytest.mark.parametrize("page", [page for page in PAGES if steps(page)], ids=lambda page: page.stem)
def test_the_code_and_the_commands_of_a_page_run(page, workplace, run):
    if page.name in BEFORE:
        run(Block(page, 1, "sh", [BEFORE[page.name]]))
    for step in steps(page):
        if not reason(step):
            run(step)


def test_every_reason_is_needed():
    unused = [
        (name, begin)
        for name, reasons in NOT_RUN.items()
        for begin in reasons
        if not any(_begins(step, name, begin) for page in PAGES for step in steps(page))
    ]

    assert not unused


def _begins(step: Block, name: str, begin: str) -> bool:
    return step.page.name == name and step.code.removeprefix("$ ").startswith(begin)


def test_the_readme_shows_what_victor_prints(workplace, victor):
    [readme] = [page for page in PAGES if page.name == "README.md"]
    [shown] = [block.lines for block in blocks(readme) if block.lines[0].startswith("<h> ")]

    printed = victor("clean", "examples/news-en.html").out.splitlines()

    beginnings = [line.removesuffix("[…]") for line in shown]
    assert not [line for line in beginnings if not any(each.startswith(line) for each in printed)]


def test_the_figures_of_the_readme_are_those_of_the_page_on_unseen_sets():
    def rows(page):
        lines = [line for line in page.read_text("utf-8").splitlines() if line.startswith("| ")]
        return [[cell.strip(" *") for cell in line.strip("|").split("|")] for line in lines]

    [readme] = [page for page in PAGES if page.name == "README.md"]
    [unseen] = [page for page in PAGES if page.name == "unseen.md"]
    measured = [
        (name, pages, web, auto) for name, _, pages, _, web, auto, *_ in (r for r in rows(unseen) if len(r) == 11)
    ]
    shown = [(row[0].partition(",")[0], *row[1:4]) for row in rows(readme) if len(row) == 5]

    assert len(shown) > 3
    assert not [row for row in shown[2:] if row not in measured]
