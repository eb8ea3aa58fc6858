"""What a terminal gets: nothing that a page, a text or a name holds can give it orders."""

import os
import pty
import re
import sys
import threading
import time

import pytest
from archives import answer, packed, warc
from small_pages import LETTERS, SENTENCES, article

from victorpy.annotation.anno_files import annotation_of, write
from victorpy.cli import main
from victorpy.cli.command_table import COMMANDS
from victorpy.page.segment import segment

# Sets the title of a terminal, clears its screen in C1, and turns the rest of its line round.
ORDERS = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202e\x7f\x08"
NAME = f"a{ORDERS}b"
RAW = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
# A bar of progress inside another moves the cursor.
UP = "\x1b[A"
REFERENCES = "&#27;]0;owned&#7;&#155;31m&#8238;&#127;"


def hostile_page(number):
    html, letters = article(number)
    title = f"<title>{ORDERS}Part {number}{REFERENCES}</title><meta name=author content='{REFERENCES}'>"
    return html.replace("<head>", f"<head>{title}").replace("<h1>", f"<h1>{ORDERS}{REFERENCES}"), letters


@pytest.fixture
def hostile(folder, small_config):
    """Files of all kinds, each with orders in its name and in its text."""
    for place in ("pages", "texts", "annotations", "other", "lines"):
        folder.joinpath(place).mkdir()
    for number in range(3):
        html, letters = hostile_page(number)
        name = f"{NAME}-{number}"
        folder.joinpath("pages", f"{name}.html").write_text(html)
        folder.joinpath("texts", f"{name}.txt").write_text(f"<p> {SENTENCES[number]} {ORDERS} nowhere{ORDERS}\n")
        page = segment(html, name, f"https://harbour-{number}.example/{ORDERS}")
        for place in ("annotations", "other"):
            labels = [LETTERS[letter] for letter in letters]
            written = annotation_of(page, html, labels[:: 1 if place == "other" else -1], f"me{ORDERS}")
            write(written, folder / place / f"{name}.anno")
        folder.joinpath("lines", f"{name}.jsonl").write_text(
            f'{{"id": "{number}", "text": "{SENTENCES[number]}", "status": "ok", "x": "\\u009b\\u202e"}}\n'
        )
    folder.joinpath(f"{NAME}.warc.gz").write_bytes(packed([warc(1, answer(hostile_page(1)[0].encode()))], ".gz"))
    folder.joinpath(f"{NAME}.txt").write_text(f"{' '.join(SENTENCES)} {ORDERS}\n" * 20)
    folder.joinpath(f"{NAME}.yaml").write_text(f"include: {small_config}\n{'x' * 9}\x85: 'y'\n")
    return folder


CASES = {
    "clean": ["pages -m MODEL -f cleaneval", "pages -m MODEL -f jsonl -j 1", "ARCHIVE -m MODEL -f warc"],
    "metadata": ["pages", "pages --table --evidence"],
    "run": ["pages -m MODEL -o NAME-run", "ARCHIVE -m MODEL -o NAME-run2 --log-json"],
    "verify": ["NAME-run"],
    "retry": ["NAME.jsonl -m MODEL"],
    "import": ["pages texts -o NAME-anno"],
    "train": ["annotations -c SMALL -m ./NAME-model", "annotations -c NAME.yaml -m m"],
    "tune": ["annotations -c SMALL --folds 2 --set crf.c2=0,1 --trials 1 -j 1"],
    "learn labeler": ["fiasco --on annotations -o -"],
    "learn rules": ["NAME.txt -o NAME-rules.txt"],
    "learn site": ["pages -o NAME-site.npz"],
    "learn votes": ["bte everything --on annotations"],
    "evaluate": ["bte --on annotations --worst 2", "texts ./texts --gold texts --on pages"],
    "xval": ["annotations -c SMALL --folds 2 -j 1"],
    "ablate": ["annotations -c SMALL --folds 2 --only position -j 1"],
    "agree": ["annotations other"],
    "explain": ["MODEL", "PAGE -m MODEL --block 4"],
    "features": ["PAGE -c SMALL", "PAGE -c SMALL --csv"],
    "dedup": ["lines"],
    "group-by-host": ["ARCHIVE -o NAME-hosts"],
    "convert": ["annotations", "annotations -f jsonl", "annotations -f vertical"],
    "lm train": ["NAME.txt -o ./NAME-lm"],
    "lm score": ["NAME.txt", "NAME.txt --csv", "PAGE --clean"],
    "perplexity": ["NAME.txt", "PAGE -f jsonl"],
    "report": ["pages -m MODEL -o NAME-report.html"],
    "doctor": [""],
    "completion": ["bash"],
}
# These go on until somebody ends them; tests of their own look at what they write.
WITHOUT_END = {"annotate", "serve", "mcp"}


def test_every_command_has_a_case():
    assert {*CASES, *WITHOUT_END} == COMMANDS.keys()


class Pty:
    """A terminal of which all that it gets is kept."""

    END = b"the end of the test"

    def __init__(self):
        self.master, self.slave = pty.openpty()
        self._shown = b""
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self):
        while not self._shown.endswith(self.END):
            self._shown += os.read(self.master, 1 << 16)

    def end(self):
        os.write(self.slave, self.END)
        self._reader.join(20)
        os.close(self.slave)
        os.close(self.master)
        return self._shown.removesuffix(self.END).decode()


def on_terminal(words):
    """How a command ends, and what it writes to a terminal, which is its standard output and standard error."""
    terminal, status = Pty(), 0
    with pytest.MonkeyPatch.context() as patch, open(terminal.slave, "w", encoding="utf-8", closefd=False) as out:
        patch.setattr(sys, "stdout", out)
        patch.setattr(sys, "stderr", out)
        try:
            status = main.main(words)
        except SystemExit as stop:
            status = stop.code
    return status, terminal.end().replace(UP, "")


@pytest.mark.process
@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_no_command_gives_the_terminal_an_order(name, hostile, model, small_config):
    places = {"MODEL": str(model), "SMALL": str(small_config), "ARCHIVE": f"{NAME}.warc.gz"}
    places["PAGE"] = f"pages/{NAME}-1.html"
    if name == "verify":
        main.main(["run", "-q", "pages", "-m", str(model), "-o", f"{NAME}-run"])
    if name == "retry":
        main.main(["clean", "-q", "pages", "-m", str(model), "--max-bytes", "9", "--quarantine", f"{NAME}.jsonl"])
    for case in CASES[name]:
        words = [places.get(word, word.replace("NAME", NAME)) for word in case.split()]
        status, shown = on_terminal([*name.split(), *words])

        assert status != 2, shown
        assert not RAW.findall(shown), shown


@pytest.mark.process
@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("words", [[f"{NAME}.html"], [f"--{NAME}"], [NAME, NAME, NAME]], ids=["file", "option", "many"])
def test_no_error_gives_the_terminal_an_order(name, words, folder):
    _, shown = on_terminal([*name.split(), *words])

    assert shown.startswith(("usage: victor", "victor: "))
    assert not RAW.findall(shown), shown


@pytest.mark.process
@pytest.mark.slow
def test_the_annotator_gives_no_order_of_a_page(hostile, small_config):
    number, master = pty.fork()
    if not number:
        os.execv(sys.executable, [sys.executable, "-m", "victorpy", "annotate", "-c", str(small_config), "pages"])
    try:
        shown = b""
        for key in (b"", b"w", b"\x1b[B", b"?", b"q", b"p", b"q"):
            os.write(master, key)
            end = time.monotonic() + 10
            while b"Part" not in shown and time.monotonic() < end:
                shown += os.read(master, 1 << 16)
            time.sleep(0.2)
        while True:
            try:
                piece = os.read(master, 1 << 16)
            except OSError:
                break
            if not piece:
                break
            shown += piece
    finally:
        os.close(master)
        os.waitpid(number, 0)

    assert "Part" in shown.decode()
    assert not re.findall("\x1b]0;owned|\x07|[\x7f-\x9f]|[\u202a-\u202e]", shown.decode())


@pytest.mark.process
def test_a_pipe_gets_the_bytes_of_the_page_as_they_are(victor, folder, model):
    folder.joinpath("page.html").write_text(article(7)[0].replace("harbour", "har\u202ebour"))

    assert "har\u202ebour" in victor("clean", "-m", model, "page.html", "-j", 1).out
