"""Pages that scripts build, as a browser shows them. The time limits are long, because machines of tests are busy."""

import os
import shutil
import signal
import time
from pathlib import Path

import pytest
from web_servers import PAGE, Answer, served

pytest.importorskip("playwright")

from victorpy.errors import UsageError
from victorpy.fetching.rendering import BROWSERS, Renderer, RenderSettings
from victorpy.sources import Location, RawPage, read_page

pytestmark = [pytest.mark.process, pytest.mark.slow]
needs_browser = pytest.mark.skipif(not any(map(shutil.which, BROWSERS)), reason="no browser on this machine")

LONG = RenderSettings(seconds=60)
TEXT = "The ferry leaves at seven, long before the island is awake."
BUILT = f"""<title>Built</title><div id="main"></div>
<script>setTimeout(() => {{ document.getElementById("main").innerHTML = "<p>{TEXT}</p>" }}, 50)</script>""".encode()
LOADED = (
    b"""<div id="main"></div><img src="/boat.png"><iframe src="/frame"></iframe><script src="/build.js"></script>"""
)
SCRIPT = b"""fetch("/text.json").then(answer => answer.json()).then(text => {
  document.getElementById("main").innerHTML = "<p>" + text[0] + "</p>" })"""
# It asks for another host in every manner that a page has.
CURIOUS = """<link rel=preconnect href="{0}"><link rel=dns-prefetch href="{0}"><link rel=prefetch href="{0}a">
<link rel=stylesheet href="{0}b"><img src="{0}c"><iframe src="{0}d"></iframe><script src="{0}e"></script><p>One</p>
<script>fetch("{0}f"); navigator.sendBeacon("{0}g"); new WebSocket("{0}h".replace("http", "ws"));
new EventSource("{0}i"); location.href = "{0}j"; window.open("{0}k"); new Worker("{0}l")</script>"""


@pytest.fixture(scope="module")
def renderer():
    with Renderer(LONG) as found:
        yield found


def raw(html, path="page.html", url=None):
    return RawPage(id="page", path=path, data=html, url=url)


@needs_browser
def test_a_saved_page_is_what_its_scripts_make_of_it(renderer, tmp_path):
    path = tmp_path / "page.html"
    path.write_bytes(BUILT)

    page = renderer.rendered(read_page(Location(str(path), "page")))

    assert f"<p>{TEXT}</p>".encode() in page.data
    assert (page.problem, page.charset, page.id) == ("", "utf-8", "page")


@needs_browser
def test_a_saved_page_reaches_no_network(renderer):
    with served({}) as site:
        page = renderer.rendered(raw(CURIOUS.format(site.url("/")).encode(), url="https://harbour.example/"))

    assert (site.asked, page.problem) == ([], "")
    assert b"<p>One</p>" in page.data


@needs_browser
def test_a_page_from_the_web_loads_scripts_and_data_but_no_pictures_and_frames(renderer):
    answers = {
        "/build.js": Answer(SCRIPT, media="text/javascript"),
        "/text.json": Answer(f'["{TEXT}"]'.encode(), media="application/json"),
        "/boat.png": Answer(b"", media="image/png"),
        "/frame": Answer(),
    }
    with served(answers) as site:
        page = renderer.rendered(raw(LOADED, site.url("/"), site.url("/")))

    assert f"<p>{TEXT}</p>".encode() in page.data
    assert sorted(site.paths) == ["/build.js", "/text.json"]


@needs_browser
def test_a_script_that_never_ends_costs_only_its_own_page():
    endless = f"<p>{TEXT}</p><script>while (true) {{}}</script>".encode()

    with Renderer(RenderSettings(seconds=5)) as hasty:
        first = hasty.rendered(raw(endless))
        second = hasty.rendered(raw(PAGE))

    assert (first.data, first.problem) == (endless, "not rendered: its scripts do not end within 5 s")
    # It may be slow on a busy machine, but its browser is there.
    assert TEXT.encode() in second.data
    assert "failed" not in second.problem


@needs_browser
def test_no_process_is_left_behind_by_kill_9(victor_process, folder):
    folder.joinpath("page.html").write_text("<script>while (true) {}</script>")
    environment = victor_process.environment | {"TMPDIR": str(folder)}
    process = victor_process.start("clean", "page.html", "--render", "-j", 1, env=environment)
    _wait_until(lambda: _processes_of(folder) or process.poll() is not None)
    assert process.poll() is None, process.communicate()

    os.kill(process.pid, signal.SIGKILL)

    _wait_until(lambda: not _processes_of(folder))


@needs_browser
def test_an_address_is_fetched_and_rendered(victor_process):
    with served({"/": Answer(BUILT)}) as site:
        ran = victor_process("clean", site.url(), "--render", "--render-timeout", 60, "-f", "text", "-j", 1)

    assert (ran.status, ran.out, ran.err) == (0, f"{TEXT}\n", "")


@pytest.mark.parametrize(
    ("browser", "message"),
    [(None, "no browser found: install Chromium"), ("no-such-browser", "no-such-browser: no such program")],
)
def test_without_a_browser_the_message_says_how_to_get_one(monkeypatch, browser, message):
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr("os.access", lambda *_: False)

    with pytest.raises(UsageError, match=message), Renderer(RenderSettings(browser=browser)):
        pass


@pytest.mark.skipif(not shutil.which("true"), reason="no program `true`")
def test_a_program_that_is_no_browser_is_named():
    with Renderer(RenderSettings(browser="true")) as renderer, pytest.raises(UsageError, match="does not start"):
        renderer.rendered(raw(PAGE))


def _processes_of(folder):
    """The processes whose command names this folder, as those of a browser with its profile there do."""
    return [path for path in Path("/proc").glob("[0-9]*/cmdline") if str(folder).encode() in _content(path)]


def _content(path):
    try:
        return path.read_bytes()
    except OSError:
        return b""


def _wait_until(is_so, seconds=300):
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.1)
