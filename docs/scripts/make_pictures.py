"""Writes docs/pictures/: `python docs/scripts/make_pictures.py PROGRAM-OF-CHROMIUM` in the root of the sources."""

import os
import select
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from html import escape
from itertools import groupby
from pathlib import Path

import pexpect
import pyte
from playwright.sync_api import Error, Page, sync_playwright

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs/pictures"
COLUMNS, LINES = 100, 26
WIDTH, HEIGHT = 8.4, 18
SECONDS = 120
# The sixteen colours of a terminal, as far as the annotator uses them.
COLOURS = {"red": "#f47067", "green": "#8ddb8c", "brown": "#f6c169", "blue": "#6cb6ff", "cyan": "#56d4dd"}
# Blanks that SVG does not collapse.
NO_BREAK = "\u00a0"
INK, PAPER = "#cdd9e5", "#1c2128"


def main(chromium: str) -> None:
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as labels:
        (FOLDER / "annotator.svg").write_text(svg(annotator(Path(labels))), "utf-8")
    web_app(chromium)
    report(chromium)


# The terminal


def annotator(labels: Path) -> pyte.Screen:
    """The annotator on a page of examples/, with some blocks labeled."""
    words = ["-m", "victorpy", "annotate", "-m", "web", "examples/news-en.html", str(labels / "news-en.anno")]
    variables = os.environ | {"TERM": "xterm-256color"}
    program = pexpect.spawn(sys.executable, words, dimensions=(LINES, COLUMNS), env=variables, cwd=ROOT)
    screen = pyte.Screen(COLUMNS, LINES)
    stream = pyte.ByteStream(screen)
    _read_until(program, stream, screen, "labeled")
    program.send("a" * 40)
    _read_until(program, stream, screen, "40/")
    program.terminate(force=True)
    return screen


def _read_until(program: pexpect.spawn, stream: pyte.ByteStream, screen: pyte.Screen, text: str) -> None:
    end = time.monotonic() + SECONDS
    while not any(text in line for line in screen.display) and time.monotonic() < end:
        if select.select([program.child_fd], [], [], 0.1)[0]:
            stream.feed(os.read(program.child_fd, 1 << 16))


def svg(screen: pyte.Screen) -> str:
    width, height = COLUMNS * WIDTH + 20, LINES * HEIGHT + 20
    lines = [part for line in range(LINES) for part in _parts(screen, line)]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" font-size="14"',
            ' font-family="DejaVu Sans Mono, Menlo, Consolas, monospace">',
            f'<rect width="100%" height="100%" rx="8" fill="{PAPER}"/>',
            *lines,
            "</svg>\n",
        ]
    )


def _parts(screen: pyte.Screen, line: int) -> Iterator[str]:
    """A text element for each stretch of a line in the same style."""
    cells = [screen.buffer[line][column] for column in range(COLUMNS)]
    column = 0
    for (colour, bold, reverse), group in groupby(cells, lambda cell: (cell.fg, cell.bold, cell.reverse)):
        text = "".join(cell.data for cell in group).replace(" ", NO_BREAK)
        x, y = 10 + column * WIDTH, 24 + line * HEIGHT
        column += len(text)
        ink = COLOURS.get(colour, INK)
        if reverse:
            yield f'<rect x="{x:g}" y="{y - 14}" width="{len(text) * WIDTH:g}" height="{HEIGHT}" fill="{ink}"/>'
        if text.strip():
            weight = ' font-weight="bold"' if bold else ""
            length = f'textLength="{len(text) * WIDTH:g}" lengthAdjust="spacingAndGlyphs"'
            yield f'<text x="{x:g}" y="{y}" {length} fill="{PAPER if reverse else ink}"{weight}>{escape(text)}</text>'


# The web app


def web_app(chromium: str) -> None:
    with tempfile.TemporaryDirectory() as labels, sync_playwright() as playwright:
        words = ["-m", "victorpy", "serve", "examples/", "-o", labels, "--port", "8799"]
        server = subprocess.Popen([sys.executable, *words], cwd=ROOT)
        try:
            browser = playwright.chromium.launch(executable_path=chromium)
            page = browser.new_page(viewport={"width": 1280, "height": 800})
            _open(page, "http://127.0.0.1:8799/")
            take_try(page)
            take_annotate(page)
            browser.close()
        finally:
            server.terminate()


def _open(page: Page, address: str) -> None:
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        try:
            page.goto(address)
            return
        except Error:  # the server has not started yet
            time.sleep(1)


def take_try(page: Page) -> None:
    text = (ROOT / "examples/news-en.html").read_text("utf-8")
    page.locator("textarea").first.fill(text)
    page.get_by_role("button", name="Clean").first.click()
    page.wait_for_timeout(8000)
    page.screenshot(path=str(FOLDER / "web-try.png"))


def take_annotate(page: Page) -> None:
    page.get_by_role("link", name="Annotate").first.click()
    page.wait_for_timeout(8000)
    page.screenshot(path=str(FOLDER / "web-annotate.png"))


# The report


def report(chromium: str) -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        made = Path(folder, "report.html")
        words = ["-m", "victorpy", "report", "examples/news-en.html", "-o", str(made)]
        subprocess.run([sys.executable, *words], cwd=ROOT, check=True)
        page = playwright.chromium.launch(executable_path=chromium).new_page(viewport={"width": 1280, "height": 800})
        page.goto(made.as_uri())
        page.frame_locator("iframe").locator("body").wait_for()
        page.screenshot(path=str(FOLDER / "report.png"))


if __name__ == "__main__":
    main(sys.argv[1])
