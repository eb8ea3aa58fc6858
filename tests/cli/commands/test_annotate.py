import subprocess
import sys

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from victorpy.annotation.anno_files import read
from victorpy.page.blocks import Label


@pytest.fixture
def annotate(victor, folder, monkeypatch):
    """Runs the command in a terminal that types these keys."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder / "config"))
    monkeypatch.setattr("victorpy.cli.commands.annotate.check_terminal", lambda: None)

    def run(keys, *words):
        with create_pipe_input() as pipe, create_app_session(pipe, DummyOutput()):
            pipe.send_text(keys)
            return victor("annotate", *words)

    return run


def labels_of(path):
    return "".join("o" if label is Label.OTHER else label or "-" for label in read(path).labels)


def test_a_page_gets_its_anno_file_beside_it(annotate, folder, page):
    ran = annotate("ooq", page, "--annotator", "me")

    assert (ran.status, ran.out) == (0, "page.anno: 2 of 8 blocks labeled\n")
    assert labels_of(folder / "page.anno") == "oo------"
    assert read(folder / "page.anno").annotator == "me"


def test_one_goes_on_where_one_left_off(annotate, folder, page):
    annotate("ooq", page)
    annotate("hq", page)

    assert labels_of(folder / "page.anno") == "ooh-----"


@pytest.mark.parametrize(
    ("words", "file"),
    [
        (["page.html", "mine.anno"], "mine.anno"),
        (["page.html", "-o", "out"], "out/page.anno"),
        (["page.html", "-o", "out/mine.anno"], "out/mine.anno"),
    ],
    ids=lambda words: "-".join(words) if isinstance(words, list) else "",
)
def test_the_file_may_be_another(annotate, folder, page, words, file):
    assert annotate("oq", *words).status == 0
    assert labels_of(folder / file) == "o-------"


def test_nothing_is_told_of_a_page_that_was_only_looked_at(annotate, page):
    assert annotate("jq", page).out == ""


def test_an_annotated_page_is_corrected(annotate, folder, page):
    annotate("oq", page, "mine.anno")
    annotate("\x1b[Hhq", "mine.anno")

    assert labels_of(folder / "mine.anno") == "h-------"


def test_a_folder_is_gone_through_page_by_page(annotate, folder, site):
    ran = annotate("o]h]q", site, "-o", "annos")

    assert ran.out.count(": 1 of 8 blocks labeled") == 2
    assert labels_of(folder / "annos/old/part-0.anno") == "o-------"
    assert sorted(path.suffix for path in (folder / "site").glob("*")) == ["", *[".html"] * 8]


def test_a_model_suggests(annotate, folder, page, model):
    assert annotate("Aq", page, "-m", model, "--order", "uncertain").status == 0
    assert labels_of(folder / "page.anno") == "oohpccpllo"


def test_two_annotators_are_reviewed(annotate, folder, page):
    annotate("oohpplloq", page, "one.anno")
    annotate("oohppploq", page, "two.anno")
    ran = annotate("\t1q", "--review", "one.anno", "two.anno", "-o", "both.anno", "--annotator", "judge")

    assert ran.out == "both.anno: 8 of 8 blocks labeled\n"
    assert labels_of(folder / "both.anno") == "oohppllo"
    assert read(folder / "both.anno").annotator == "judge"


def test_two_annotators_folders_are_reviewed(annotate, folder, page):
    for name in ("one", "two"):
        annotate("oohpplloq", page, "-o", name)
    ran = annotate("q", "--review", "one", "two", "-o", "both")

    assert ran.out == "both/page.anno: 8 of 8 blocks labeled\n"


def test_keys_come_from_the_users_own_file_or_one_that_is_named(annotate, folder, page):
    folder.joinpath("config/victorpy").mkdir(parents=True)
    folder.joinpath("config/victorpy/keys.yaml").write_text("label-h: '1'")
    folder.joinpath("mine.yaml").write_text("label-l: '1'")
    annotate("1q", page, "a.anno")
    annotate("1q", page, "b.anno", "--keys", "mine.yaml")

    assert (labels_of(folder / "a.anno")[0], labels_of(folder / "b.anno")[0]) == ("h", "l")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nowhere.html"], "victor: nowhere.html: no such file or folder"),
        (["nowhere.anno"], "victor: nowhere.anno: no such file or folder"),
        ([], "victor: expected a page, a page and its .anno file, or a folder of pages"),
        (
            ["page.html", "a.anno", "b.anno"],
            "victor: expected a page, a page and its .anno file, or a folder of pages",
        ),
        (["page.html", "-m", "nothing"], "victor: no model 'nothing'"),
        (["page.html", "--keys", "nothing.yaml"], "victor: nothing.yaml: no such file"),
        (["--review", "a.anno", "b.anno"], "victor: --review needs -o for the .anno files"),
        (["page.html", "--review", "a.anno", "b.anno"], "victor: page.html: --review takes no other pages"),
        (["--review", "page.html", "b.anno", "-o", "c.anno"], "victor: page.html: not an .anno file"),
        (["--review", "a.anno", "b.anno", "-o", "c.anno"], "victor: a.anno: no such file"),
        (["."], "victor: .: no pages in this folder"),
    ],
    ids=lambda words: "-".join(words) if isinstance(words, list) else "",
)
def test_what_is_not_there_or_does_not_do_is_told(annotate, folder, page, words, message):
    if words == ["."]:
        folder.joinpath(page).unlink()
    ran = annotate("", *words)

    assert ran.status == 2
    assert ran.err.startswith(message)


def test_without_a_terminal_it_says_so(victor_process, page):
    ran = victor_process("annotate", page, given=b"ooq")

    assert ran.status == 2
    assert ran.err.startswith("victor: needs a terminal; to label in an editor")


@pytest.mark.process
def test_other_commands_do_not_load_the_terminal_library():
    code = "import sys, victorpy.cli.main, victorpy.cli.commands.clean; sys.exit('prompt_toolkit' in sys.modules)"

    assert subprocess.run([sys.executable, "-P", "-c", code], check=False).returncode == 0
