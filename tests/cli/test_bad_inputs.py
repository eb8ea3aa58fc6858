"""Every command with inputs that are none: a message and a status, never an error of Python."""

import os
import shutil

import pytest

from victorpy.cli.command_table import COMMANDS

pytestmark = [pytest.mark.process, pytest.mark.slow]

BAD = "BAD"

# Each line is a command with `BAD` where a bad input goes; page.html, gold/ and notes/ are good.
LINES = [
    "clean BAD -j 1",
    "clean BAD -j 1 --input-format jsonl",
    "clean BAD -j 1 --input-format warc",
    "clean BAD -j 1 --input-format parquet",
    "clean BAD -j 1 --input-format text",
    "clean --from-file BAD -j 1",
    "clean page.html -j 1 -m BAD",
    "clean page.html -j 1 --labeler BAD",
    "clean page.html -j 1 --rules BAD",
    "clean page.html -j 1 --urls BAD",
    "clean page.html -j 1 --site BAD",
    "clean page.html -j 1 --max-perplexity 5 --language-model BAD",
    "metadata BAD -j 1",
    "run BAD -j 1 -o out",
    "run page.html -j 1 -o BAD",
    "verify BAD",
    "retry BAD -j 1",
    "annotate BAD",
    "import BAD gold/page.txt -o out.anno",
    "import page.html BAD -o out.anno",
    "suggest BAD",
    "train BAD -m ./new",
    "train notes -m ./new -c BAD",
    "train notes -m ./new --from BAD",
    "train notes -m ./new -c small.yaml --site BAD",
    "tune BAD --trials 1",
    "learn rules BAD -o out.yaml",
    "learn site BAD -o out.npz",
    "learn votes bte density --on BAD -o out.yaml",
    "evaluate -m web BAD",
    "evaluate BAD gold",
    "evaluate web bte --on BAD",
    "evaluate -m web --gold BAD page.html",
    "evaluate -m web notes --kinds BAD",
    "xval BAD",
    "xval notes -c BAD",
    "ablate BAD",
    "agree BAD notes",
    "explain BAD",
    "explain BAD --block 99999",
    "explain page.html --block 0 -m BAD",
    "report BAD",
    "report page.html --gold BAD",
    "report page.html --against BAD",
    "features BAD",
    "dedup BAD -o out.jsonl",
    "group-by-host BAD -o out",
    "convert BAD",
    "lm train BAD -o ./new",
    "lm score BAD",
    "lm score page.html --language-model BAD",
    "perplexity BAD -o out",
    "learn labeler hofmann --on BAD -o out.yaml",
    "completion BAD",
    "clean page.html -j 1 -o BAD/x.txt",  # the last one, because it makes a folder of this name
]
NO_INPUT = {"doctor": "takes none", "mcp": "takes none", "serve": "takes none"}

KINDS = {
    "missing": None,
    "empty": b"",
    "binary": bytes(range(256)) * 20,
    "YAML": b"labeler: {name: [\n  - : {",
    "columns": b'{"text": "x"}\n' * 3,
    "anno": b"victorpy-annotation: 99\n---\n-\tp\tx\n",
}


@pytest.fixture
def bad(folder, page, small_config, annotations, request):
    """A bad input of this kind, and good ones."""
    folder.joinpath("gold").mkdir()
    folder.joinpath("gold", "page.txt").write_text("<p>x\n")
    shutil.copytree(annotations, folder / "notes")
    for name in (small_config, small_config.with_suffix(".tpl")):
        shutil.copy(name, folder)
    kind = request.param
    if kind == "folder":
        folder.joinpath("bad").mkdir()
    elif kind == "dead link":
        folder.joinpath("bad").symlink_to("nowhere")
    elif kind == "unreadable":
        folder.joinpath("bad").write_text("x")
        folder.joinpath("bad").chmod(0)
    elif KINDS[kind] is not None:
        folder.joinpath("bad").write_bytes(KINDS[kind])
    return "bad"


@pytest.mark.parametrize("bad", [*KINDS, "folder", "dead link", "unreadable"], indirect=True)
def test_a_bad_input_gives_a_message_and_a_status(victor, bad, request):
    if "unreadable" in request.node.name and os.geteuid() == 0:
        pytest.skip("root may read everything")
    wrong = []
    for line in LINES:
        words = [word.replace(BAD, f"./{bad}") for word in line.split()]
        try:
            ran = victor(*words)
        except Exception as error:  # whatever it is, a user would see it
            wrong.append((line, f"{type(error).__name__}: {error}"))
            continue
        if "Traceback" in ran.err or ran.status not in {0, 1, 2} or (ran.status and "victor" not in ran.err):
            wrong.append((line, ran.status, ran.err[-300:]))

    assert not wrong


def test_every_command_is_among_them():
    swept = {name for name in COMMANDS for line in LINES if line.startswith(f"{name} ")}

    assert swept | NO_INPUT.keys() >= COMMANDS.keys()
