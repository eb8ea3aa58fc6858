"""The view Try in a real browser."""

import re
from collections.abc import Iterator
from types import SimpleNamespace

import pytest

pytestmark = [pytest.mark.process, pytest.mark.slow]

MILLISECONDS = 150_000
# Whatever runs or is loaded would change the title, or reach the server.
HOSTILE = """\
<title>Part 1</title><script>top.document.title = "run"</script><meta http-equiv="refresh" content="0;url=/health">
<h1 onclick="top.document.title = 'run'">Ferry times</h1>
<img src="/api/choices?seen" onerror="top.document.title = 'run'">
<p>The ferry leaves at seven, long before the island is awake.</p>
<a href="javascript:top.document.title = 'run'">Away</a><form action="/health"><button>Send</button></form>
<iframe src="/health?framed"></iframe><link rel="stylesheet" href="/static/victor.css?seen">
<style>@import "/health?seen";</style>
"""


@pytest.fixture
def view(chromium, victor_process) -> Iterator[SimpleNamespace]:
    """The view, open in a browser; `loaded` are the addresses that were answered, `errors` what went wrong."""
    process = victor_process.start("serve", "--port", 0, "-j", 1, "--timeout", 120)
    address = re.search(r"http://\S+", process.stderr.readline().decode())[0]
    context = chromium.new_context()
    page = context.new_page()
    page.set_default_timeout(MILLISECONDS)
    loaded, errors = list[str](), list[str]()
    page.on("response", lambda response: loaded.append(response.url))
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(address)
    yield SimpleNamespace(page=page, loaded=loaded, errors=errors, address=address)
    context.close()
    assert not errors


def given(view, html):
    view.page.fill("#given", html)
    view.page.click("button:has-text('Clean')")
    view.page.wait_for_selector(".panes iframe.page-frame")
    frame = view.page.frame_locator("iframe.page-frame")
    frame.locator("victor-block[data-kind]").first.wait_for()
    return frame


ARTICLE = """\
<h1>Ferry times</h1><p>The ferry leaves at seven, long before the island is awake, and returns at nine.
<p>Nobody had told the baker that the bridge was closed for the whole of the summer."""


def test_a_pasted_page_is_shown_with_its_kept_blocks_marked_and_as_markdown(view):
    frame = given(view, ARTICLE)
    view.page.click("role=tab[name='Markdown']")

    assert frame.locator("victor-block[data-kind=kept]").count() >= 2
    assert "The ferry leaves at seven" in view.page.inner_text(".panel pre")


def test_a_hostile_page_neither_runs_nor_loads_anything(view):
    given(view, HOSTILE).locator("h1").click()
    view.page.wait_for_timeout(500)

    assert view.page.title() == "Try · Victor"
    assert not [address for address in view.loaded if "seen" in address or "/health" in address]


def test_a_block_says_why_it_has_its_label_by_mouse_and_by_keyboard(view):
    given(view, HOSTILE).locator("h1").click()
    view.page.wait_for_selector(".inspector .bars")

    assert "Block 0" in view.page.inner_text(".inspector h2")
    view.page.click("[aria-label='Next block']")
    view.page.wait_for_selector(".inspector:has-text('The ferry leaves') .bars")
    view.page.keyboard.press("Escape")
    assert view.page.locator(".inspector").count() == 0


def test_two_settings_are_compared_side_by_side(view):
    view.page.click("text=Try an example")
    view.page.wait_for_selector("iframe.page-frame")
    view.page.click("button:has-text('Compare')")
    view.page.select_option(".control:nth-of-type(2) .of-model select", "labeler:everything")
    view.page.wait_for_selector("text=/B: (\\d+) of \\1 blocks kept/")
    view.page.click("role=tab[name='Page'] >> nth=0")

    assert view.page.frame_locator("iframe.page-frame >> nth=1").locator("victor-block[data-kind=only]").count() > 3
    assert view.page.frame_locator("iframe.page-frame >> nth=0").locator("victor-block[data-kind=only]").count() == 0


def test_settings_are_copied_as_a_command_and_as_python(view):
    view.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    view.page.click("text=Try an example")
    view.page.select_option(".of-scope select", "article")
    view.page.fill(".of-drop input", ".share, aside")
    view.page.keyboard.press("Tab")
    # The menu is made anew with each result.
    view.page.wait_for_load_state("networkidle")
    copied = []
    for name in ("Command line", "Python"):
        view.page.click("summary:has-text('Copy as')")
        view.page.click(f"button:has-text('{name}')")
        view.page.wait_for_selector("text=Copied.")
        copied.append(view.page.evaluate("navigator.clipboard.readText()"))

    assert copied[0] == "victor clean --scope article --drop '.share, aside' -f markdown example.html"
    assert 'victorpy.load(scope="article")' in copied[1]
    compile(copied[1], "copied", "exec")


def test_a_file_is_read_in_its_own_encoding(view, folder):
    text = "Ветер принёс дождь с холмов, и дети вернулись домой раньше обычного, чем вчера."
    folder.joinpath("page.html").write_bytes(f"<meta charset=windows-1251><p>{text}".encode("cp1251"))
    view.page.set_input_files("#file", folder / "page.html")

    view.page.frame_locator("iframe.page-frame").locator("victor-block:has-text('Ветер')").wait_for()


def test_what_goes_wrong_is_said(view):
    given(view, HOSTILE)
    view.page.fill(".of-keep input", "p >")
    view.page.keyboard.press("Tab")

    view.page.wait_for_selector(".message.error:has-text('keep')")
