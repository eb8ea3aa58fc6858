"""The whole program, with keys from a pipe and no screen."""

import pytest
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from victorpy.annotation.anno_files import read
from victorpy.annotator import app
from victorpy.annotator.colours import STYLES, colours_of_terminal
from victorpy.annotator.controller import Controller, Settings
from victorpy.annotator.keys import STANDARD, loads
from victorpy.annotator.page_queue import queued_pages
from victorpy.models import model_folder
from victorpy.page.blocks import Label

HTML = "<h1>Ferries</h1><p>The first leaves at seven.<p>The last comes home.<ul><li>a lantern<li>bread</ul><p>Imprint"

UP, DOWN, HOME, END = (f"\x1b[{letter}" for letter in "ABHF")
SHIFT_DOWN, PAGE_DOWN, ESCAPE = "\x1b[1;2B", "\x1b[6~", "\x1b"


@pytest.fixture
def play(folder):
    """Types the keys at a page, and returns its labels as the file has them, a letter each."""
    folder.joinpath("page.html").write_text(HTML)

    def typed(text, **settings):
        controller = Controller(queued_pages(folder), Settings(**({"keys": STANDARD} | settings)))
        with create_pipe_input() as pipe:
            pipe.send_text(text)
            app.run(controller, pipe, DummyOutput())
        labels = read(folder / "page.anno").labels if folder.joinpath("page.anno").exists() else []
        return "".join("o" if label is Label.OTHER else label or "-" for label in labels)

    return typed


@pytest.mark.slow
@pytest.mark.parametrize(
    ("keys", "labels"),
    [
        ("hppllo", "hppllo"),
        (f"h{DOWN}p{UP}{UP}c", "hcp---"),
        (f"{DOWN} {DOWN}{DOWN}l", "-lll--"),
        (f"{SHIFT_DOWN}{SHIFT_DOWN}p{END}o{HOME}h", "hpp--o"),
        ("hpp\x1a\x1a", "h-----"),
        ("hppuuU", "hp----"),
        ("/brea\rl", "----l-"),
        (f"/brea{ESCAPE}h", "h-----"),
        ("g3\rl", "---l--"),
        (f"h{UP}xo", "o-----"),
        ("\x1b[200~phlco\x1b[201~o", "o-----"),
        (f"?{PAGE_DOWN}qh", "h-----"),
        ("pé港l", "pl----"),
    ],
)
def test_keys_become_labels(play, keys, labels):
    assert play(keys + "q") == labels


def test_keys_of_ones_own_are_bound(play):
    assert play("3jZ", keys=loads("label-h: 3\nlabel-o: j\nquit: Z\ndown: []")) == "ho----"


def test_suggestions_are_accepted(play, model):
    assert "-" not in play("Aq", model=model_folder.load(str(model)))


def test_ctrl_c_leaves_and_nothing_is_lost(play):
    assert play("hp\x03") == "hp----"


def test_what_is_typed_behind_the_key_that_leaves_is_nobodys(play):
    assert play("hqooo") == "h-----"


def test_every_style_that_is_named_is_there():
    names = "title sign number lead open cursor marked path detail progress key bar message question trouble noise"

    assert set(names.split()) <= STYLES.keys()
    assert {f"label-{letter}" for letter in "phlco"} <= STYLES.keys()


@pytest.mark.parametrize("terminal", ["xterm-256color", "xterm", "dumb", "unheard-of"])
def test_no_color_means_none(monkeypatch, terminal):
    monkeypatch.setenv("TERM", terminal)
    monkeypatch.setenv("NO_COLOR", "1")

    assert colours_of_terminal() == 0
