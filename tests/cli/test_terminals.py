"""What a terminal gets: nothing that a page, a text or a name holds can give it orders."""

import os
import pty
import re
import sys
import time

import pytest
from small_pages import article
from terminal_cases import (
    BEFORE,
    CASES,
    ORDERS,
    RAW,
    UP,
    WITHOUT_END,
    WRONG_WORDS,
    Pty,
    name_with,
    places_of,
    words_of,
    write_hostile_files,
)

from victorpy.cli import main
from victorpy.cli.command_table import COMMANDS

NAME = name_with(ORDERS)


@pytest.fixture
def hostile(folder, small_config):
    write_hostile_files(folder, small_config)
    return folder


def test_every_command_has_a_case():
    assert {*CASES, *WITHOUT_END} == COMMANDS.keys()


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
    places = places_of(model, small_config)
    if name in BEFORE:
        main.main(words_of("", BEFORE[name], places))
    for case in CASES[name]:
        status, shown = on_terminal(words_of(name, case, places))

        assert status != 2, shown
        assert not RAW.findall(shown), shown


@pytest.mark.process
@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("words", WRONG_WORDS.values(), ids=WRONG_WORDS)
def test_no_error_gives_the_terminal_an_order(name, words, folder):
    _, shown = on_terminal(words_of(name, words, places_of("m", "c")))

    assert shown.startswith(("usage: victor", "victor: "))
    assert not RAW.findall(shown), shown


def test_no_word_of_a_command_forges_a_line(victor, folder):
    for words in (["--a\nvictor: done"], ["page.html", "-f", "text\nvictor: done"], ["a\nvictor: done.html"]):
        assert "\nvictor: done" not in victor("clean", *words).err


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


@pytest.mark.parametrize("words", ["import pages texts -o anno", "lm score NAME.txt"])
def test_no_name_of_a_file_forges_a_row_of_a_table(victor, folder, words):
    name = "a\nvictor: done"
    for place, ending in (("pages", "html"), ("texts", "txt")):
        folder.joinpath(place).mkdir()
        folder.joinpath(place, f"{name}.{ending}").write_text("<p>The ferry leaves at seven.\n")
    folder.joinpath(f"{name}.txt").write_text("The ferry leaves at seven.\n")

    out = victor(*(word.replace("NAME", name) for word in words.split())).out

    assert "a\\nvictor: done" in out
    assert "\nvictor: done" not in out
