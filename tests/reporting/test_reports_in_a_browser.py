"""Reports in Chromium, from a file: hostile pages stay quiet, and keys and clicks work."""

from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import NamedTuple

import pytest
from pages_of_reports import HOSTILE
from small_pages import article

from victorpy.reporting.making_reports import ReportOptions, report, system_named

# A busy machine takes its time.
MILLISECONDS = 240_000


class Tracker(NamedTuple):
    address: str
    asked: list[str]


pytestmark = [pytest.mark.process, pytest.mark.slow]


@pytest.fixture(scope="module")
def tracker():
    """A server that notes whoever asks it for anything."""
    asked = []

    class Notes(BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            self.send_response(204)
            self.end_headers()

        do_POST = do_HEAD = do_GET  # noqa: N815

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Notes)
    Thread(target=server.serve_forever, daemon=True).start()
    yield Tracker(f"http://127.0.0.1:{server.server_port}", asked)
    server.shutdown()


@pytest.fixture(scope="module")
def folder_of_reports(tmp_path_factory, tracker):
    """one.html shows a hostile page beside another system; all.html has a list of three pages, one of them hostile."""
    folder = tmp_path_factory.mktemp("reports")
    pages = folder / "pages"
    pages.mkdir()
    pages.joinpath("bad.html").write_text(HOSTILE.replace("https://evil.example", tracker.address))
    for number in (1, 2):
        pages.joinpath(f"part-{number}.html").write_text(article(number)[0])
    system = system_named("web")
    one = report([str(pages / "bad.html")], system, ReportOptions(against="everything", explains=1))
    folder.joinpath("one.html").write_text(one, "utf-8")
    folder.joinpath("all.html").write_text(report([str(pages)], system, ReportOptions(explains=1)), "utf-8")
    return folder


@pytest.fixture
def opened(chromium, folder_of_reports):
    """Open a report; `page.said` lists the errors of scripts and their dialogs."""
    context = chromium.new_context()
    context.set_default_timeout(MILLISECONDS)

    def open_(name):
        page = context.new_page()
        page.said = []
        page.on("pageerror", lambda error: page.said.append(str(error)))
        page.on("dialog", lambda dialog: page.said.append(dialog.message))
        path, _, place = name.partition("#")
        page.goto(f"{folder_of_reports.joinpath(path).as_uri()}#{place}")
        return page

    yield open_
    context.close()


def is_quiet(page, tracker):
    """Has nothing of a page run, and was nothing asked for?"""
    return (tracker.asked, page.said, page.evaluate("window.OWNED ?? null")) == ([], [], None)


@pytest.mark.parametrize("name", ["one.html", "all.html#page-1"])
def test_nothing_of_a_hostile_page_runs_or_is_loaded(opened, tracker, name):
    page = opened(name)
    page.wait_for_selector("iframe", state="attached")
    frame = page.frames[1]

    frame.wait_for_selector("victor-block")
    for link in frame.query_selector_all("a, h1, input"):
        link.click(force=True, no_wait_after=True)
    page.wait_for_timeout(300)

    assert "Long before the island is awake" in frame.inner_text("body")
    assert frame.evaluate("window.OWNED ?? null") is None
    assert is_quiet(page, tracker)
    assert page.frames[1].url == "about:srcdoc"


def test_a_link_of_the_page_leads_nowhere_even_without_our_script(opened, tracker):
    page = opened("one.html")
    frame = page.frames[1]
    frame.wait_for_selector("victor-block")

    page.evaluate(f"document.querySelector('iframe').contentWindow.location = '{tracker.address}/link'")
    page.wait_for_timeout(300)

    assert is_quiet(page, tracker)


def test_the_number_of_a_block_shows_it_in_the_page(opened):
    page = opened("all.html#page-2")
    page.wait_for_selector("iframe", state="attached")
    frame = page.frames[1]
    frame.wait_for_selector("victor-block")
    page.wait_for_selector(".choices button")

    page.click(".blocks li:nth-child(4) .n")

    assert frame.query_selector("victor-block.now").inner_text() in page.inner_text(".blocks li.now p")


def test_a_click_in_the_page_shows_its_block(opened):
    page = opened("all.html#page-2")
    page.wait_for_selector("iframe", state="attached")
    frame = page.frames[1]
    frame.wait_for_selector("victor-block")
    page.wait_for_timeout(300)

    frame.click("h1 victor-block")

    assert "Letters from the harbour" in page.inner_text(".blocks li.now p")


def test_keys_alone_lead_through_a_report(opened):
    page = opened("all.html")
    assert page.inner_text("h2") == "Pages, the worst first"

    page.focus(".pages tbody a")
    page.keyboard.press("Enter")
    page.wait_for_selector("article h2")
    assert page.evaluate("document.activeElement.tagName") == "H2"
    page.focus('[role="tab"]')
    page.keyboard.press("ArrowLeft")

    assert page.evaluate("document.activeElement.textContent") == "Metadata"
    assert page.is_visible(".facts table")
    assert not page.is_visible(".blocks > li")


def test_the_list_is_filtered_and_sorted(opened):
    page = opened("all.html")

    page.fill("#find", "part-2")
    assert page.inner_text("#shown") == "1 of 3 pages"
    page.fill("#find", "")
    page.click("th:last-child button")
    words = [int(cell.inner_text().replace(",", "")) for cell in page.query_selector_all("tbody td:last-child")]

    assert words == sorted(words)


def test_marks_choose_blocks(opened):
    page = opened("one.html")

    page.click('[data-show="missed"]')

    assert page.query_selector_all(".blocks > li:visible")
    assert not page.query_selector_all(".blocks > li:not(.missed):visible")
