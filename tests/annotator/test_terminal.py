"""The real program in a real terminal: what is typed, what is seen, and what is on disk in the end."""

import os
import re
import resource
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pexpect
import pyte
import pytest

import victorpy
from victorpy.annotation.anno_files import read
from victorpy.annotator.label_store import journal_of
from victorpy.page.blocks import Label

pytestmark = pytest.mark.process

P, H, L, C, OTHER = Label.PARAGRAPH, Label.HEADER, Label.LIST, Label.CONTINUATION, Label.OTHER

HTML = """<title>Rain and wind</title><ul><li>Home</ul><h1>Rain and wind</h1>
<p>It <b>pours</b> in the north.<p>雨 is rain, and مطر too.<ul><li>a hat<li>a coat</ul><p>Come home."""
TEXTS = [
    "Home",
    "Rain and wind",
    "It",
    "pours",
    "in the north.",
    "雨 is rain, and مطر too.",
    "a hat",
    "a coat",
    "Come home.",
]
KEYS, LABELS = "ohpccpllp", (OTHER, H, P, C, C, P, L, L, P)

ANNO = Path("page.anno")
SECONDS = 60


class Terminal:
    """A program in a terminal of its own, and the screen that a person would see."""

    def __init__(self, words: list[str], size: tuple[int, int], environment: dict[str, str]):
        width, height = size
        self.screen = pyte.Screen(width, height)
        self.stream = pyte.ByteStream(self.screen)
        self.output = b""
        variables = os.environ | {"PYTHONPATH": str(Path(victorpy.__file__).parents[1]), "TERM": "xterm-256color"}
        self.program = pexpect.spawn(
            sys.executable, ["-m", "victorpy", *words], dimensions=(height, width), env=variables | environment
        )
        self.program.delaybeforesend = None
        self.program.ptyproc.delayafterclose, self.program.ptyproc.delayafterterminate = 0.01, 2

    @property
    def text(self) -> str:
        return "\n".join(self.screen.display)

    def sees(self, pattern: str) -> str:
        """Waits until this can be seen."""
        end = time.monotonic() + SECONDS
        while not re.search(pattern, self.text):
            assert time.monotonic() < end, f"not seen: {pattern}\n{self.text}"
            self.read()
        return self.text

    def read(self) -> bool:
        """Takes in what has been written, if anything has."""
        if not select.select([self.program.child_fd], [], [], 0.05)[0]:
            return False
        try:
            output = os.read(self.program.child_fd, 1 << 16)
        except OSError:  # it has ended
            time.sleep(0.01)
            return False
        self.output += output
        self.stream.feed(output)
        return True

    def types(self, keys: str) -> None:
        self.program.send(keys)

    def resized(self, width: int, height: int) -> None:
        self.screen.resize(height, width)
        self.program.setwinsize(height, width)

    def ended(self) -> int:
        """The exit status, or what signal, negative."""
        end = time.monotonic() + SECONDS
        while self.program.isalive():
            assert time.monotonic() < end, self.text
            self.read()
        while self.read():
            pass
        return -self.program.signalstatus if self.program.signalstatus else self.program.exitstatus or 0


@pytest.fixture
def terminal(folder) -> Iterator[Callable[..., Terminal]]:
    """Start `victor annotate` in a terminal, in the folder of page.html, with blocks that end at every tag."""
    Path("page.html").write_text(HTML)
    started: list[Terminal] = []

    def start(*words: str, size: tuple[int, int] = (80, 24), **environment: str) -> Terminal:
        started.append(Terminal(["annotate", "-c", "cleaneval", *(words or ["page.html"])], size, environment))
        return started[-1]

    yield start
    for terminal in started:
        if not terminal.program.closed:
            terminal.program.kill(signal.SIGKILL)
            terminal.ended()
            terminal.program.close()


def killed(terminal: Terminal) -> None:
    terminal.program.kill(signal.SIGKILL)
    assert terminal.ended() == -signal.SIGKILL


def test_a_page_is_typed_through_to_its_file(terminal):
    screen = terminal()
    screen.sees("0/9 labeled")

    screen.types(KEYS)
    screen.sees("9/9 labeled 100%")
    screen.types("q")

    assert screen.ended() == 0
    assert read(ANNO).labels == LABELS
    assert read(ANNO).texts == tuple(TEXTS)
    assert sorted(os.listdir()) == ["page.anno", "page.html"]


def test_a_kill_loses_nothing_and_work_goes_on_at_the_same_block(terminal):
    screen = terminal()
    screen.sees("0/9 labeled")
    screen.types(KEYS[:4])
    screen.sees("4/9 labeled")
    killed(screen)

    again = terminal()
    again.sees("recovered 4 labels from .page.anno.journal")
    again.types(KEYS[4:] + "q")

    assert again.ended() == 0
    assert read(ANNO).labels == LABELS


def test_a_terminal_that_is_closed_loses_nothing(terminal):
    screen = terminal()
    screen.sees("0/9 labeled")
    screen.types(KEYS[:4])
    screen.sees("4/9 labeled")
    screen.program.close()

    again = terminal()
    again.sees("4/9 labeled")
    again.types(KEYS[4:] + "q")

    assert again.ended() == 0
    assert read(ANNO).labels == LABELS


def test_a_program_that_is_told_to_end_keeps_all_and_gives_the_terminal_back(terminal):
    screen = terminal()
    screen.sees("0/9 labeled")
    screen.types(KEYS[:4])
    screen.sees("4/9 labeled")
    screen.program.kill(signal.SIGTERM)
    assert screen.ended() == 128 + signal.SIGTERM
    assert b"\x1b[?1049l" in screen.output  # back to what was there before

    terminal().sees("4/9 labeled")


def test_a_second_program_on_the_same_page_is_refused(terminal, victor_process):
    first = terminal()
    first.sees("0/9 labeled")

    second = terminal()

    assert second.ended() == 1
    assert f"being labeled by another victor (process {first.program.pid})" in " ".join(second.text.split())
    first.types("o")
    first.sees("1/9 labeled")


def test_without_a_terminal_it_says_so(terminal):
    ran = subprocess.run(
        [sys.executable, "-m", "victorpy", "annotate", "page.html"],
        env=os.environ | {"PYTHONPATH": str(Path(victorpy.__file__).parents[1])},
        capture_output=True,
        stdin=subprocess.DEVNULL,
        check=False,
    )

    assert ran.returncode == 2
    assert b"terminal" in ran.stderr
    assert b"Traceback" not in ran.stderr


def test_a_window_may_change_its_size_at_any_time(terminal):
    screen = terminal()
    screen.sees("0/9 labeled")
    for size in [(60, 15), (200, 60), (20, 4), (1, 1), (61, 16)]:
        screen.resized(*size)
        screen.types("o" if size[0] >= 60 else "")
    screen.sees("3/9 labeled")

    screen.resized(30, 10)
    screen.sees("too small")
    screen.resized(60, 15)
    screen.sees("3/9 labeled")
    screen.types("q")

    assert screen.ended() == 0


@pytest.mark.parametrize(
    "environment", [{"NO_COLOR": "1"}, {"TERM": "linux"}, {"TERM": "dumb"}], ids=["no colours", "linux", "dumb"]
)
def test_any_terminal_shows_the_page(terminal, environment):
    screen = terminal(size=(60, 15), **environment)

    text = screen.sees("0/9 labeled")

    assert all(word in text for word in ("Rain and wind", "雨", "a coat"))
    colours = {cell.fg for line in screen.screen.buffer.values() for cell in line.values()}
    assert colours == {"default"} or "NO_COLOR" not in environment


def test_unknown_keys_and_pasted_text_label_nothing(terminal):
    screen = terminal()
    screen.sees("0/9 labeled")

    screen.types("\x1b[200~ohpl\nohpl\x1b[201~")
    screen.types("\x1b[31~\x00\x1b[99;99z\x7f\x1bOz")
    screen.types("\x1b")
    screen.sees("0/9 labeled")
    screen.types("o")

    assert "1/9 labeled" in screen.sees("[1-9]/9 labeled")


def test_a_page_of_nothing_can_be_left(terminal):
    Path("page.html").write_text("")
    screen = terminal()
    screen.sees("nothing to label")

    screen.types("ohp jkuUnN\ta}{Gsq")

    assert screen.ended() == 0
    assert read(ANNO).labels == ()


def test_a_folder_is_gone_through_page_by_page(terminal):
    for name in "ab":
        Path(f"site/{name}.html").parent.mkdir(exist_ok=True)
        Path(f"site/{name}.html").write_text(f"<title>Page {name}</title><p>one<p>two")
    screen = terminal("site")
    screen.sees("Page a")
    screen.types("pp]")
    screen.sees("Page b")
    screen.types("pq")
    assert screen.ended() == 0

    again = terminal("site")
    again.sees("Page b")
    again.sees("1/2 labeled")
    again.types("oq")

    assert again.ended() == 0
    assert [read(f"site/{name}.anno").labels for name in "ab"] == [(P, P), (P, OTHER)]


def test_a_full_disk_is_shown_until_there_is_room(terminal):
    screen = terminal()
    screen.sees("0/9 labeled")
    screen.types(KEYS[:2])
    screen.sees("2/9 labeled")
    room = journal_of(ANNO).stat().st_size + 3
    unlimited = resource.prlimit(screen.program.pid, resource.RLIMIT_FSIZE, (room, resource.RLIM_INFINITY))
    screen.types(KEYS[2:4])
    screen.sees("NOT SAVED")

    resource.prlimit(screen.program.pid, resource.RLIMIT_FSIZE, unlimited)
    screen.types(KEYS[4])
    screen.sees("5/9 labeled")
    killed(screen)

    again = terminal()
    again.sees("5/9 labeled")
    again.types(KEYS[5:] + "q")
    assert again.ended() == 0
    assert read(ANNO).labels == LABELS
