"""Labeling in a real browser: by keys only, through a kill of the server, in two tabs, in a review."""

import re
import signal
from pathlib import Path

import pytest

from victorpy.annotation.anno_files import annotation_of, read, write
from victorpy.annotator.label_store import journal_of
from victorpy.page.blocks import Label
from victorpy.page.markup import STANDARD
from victorpy.page.segment import segment

sync_api = pytest.importorskip("playwright.sync_api")

pytestmark = [pytest.mark.process, pytest.mark.slow]

P, H, L, OTHER = Label.PARAGRAPH, Label.HEADER, Label.LIST, Label.OTHER
HTML = (
    "<title>Ferry times</title><script>document.title = 'ran'; parent.document.title = 'ran'</script>"
    "<img src=https://pictures.example/a.png onerror=\"parent.document.title='ran'\">"
    "<h1>Ferries</h1><p>The first leaves at seven.<p><a href=/away>The last comes home at ten.</a>"
    "<ul><li>a lantern<li>some bread</ul><p>Imprint"
)
SECONDS = 240
KEYS, LABELS = "hppllo", (H, P, P, L, L, OTHER)


@pytest.fixture
def browser(chromium):
    context = chromium.new_context(viewport={"width": 1200, "height": 800})
    context.set_default_timeout(SECONDS * 1000)
    yield context
    context.close()


@pytest.fixture
def serve(folder, model, victor_process):
    """Starts a server of the folder, at the same port again if asked."""
    for name in ("a", "b"):
        folder.joinpath(f"{name}.html").write_text(HTML)

    def started(port=0):
        process = victor_process.start("serve", ".", "--port", port, "-m", model, "-j", 1)
        return process, re.search(r"http://\S+", process.stderr.readline().decode())[0]

    return started


def opened(browser, address, view="annotate"):
    tab = browser.new_page()
    tab.goto(f"{address}{view}")
    return tab


def sees(tab, text):
    sync_api.expect(tab.locator("body")).to_contain_text(text, timeout=SECONDS * 1000)


def types(tab, keys):
    for key in keys:
        tab.keyboard.press(key)


def test_a_page_is_labeled_by_keys_only_to_its_saved_file(browser, serve):
    _, address = serve()
    tab = opened(browser, address)
    sees(tab, "0/6 labeled")

    types(tab, KEYS)
    sees(tab, "6/6 labeled 100%")
    sees(tab, "All labels are on disk")
    types(tab, "]")
    sees(tab, "2/2 Ferry times")

    assert read("a.anno").labels == LABELS
    assert not journal_of(Path("a.anno")).exists()


def test_nothing_of_the_page_runs_or_loads_and_its_blocks_show_their_labels(browser, serve):
    loaded = []
    browser.on("response", lambda answer: loaded.append(answer.url))
    _, address = serve()
    tab = opened(browser, address)
    sees(tab, "0/6 labeled")
    frame = tab.frame_locator("iframe")

    frame.get_by_text("The last comes home").click()
    types(tab, "p")
    sync_api.expect(frame.locator("victor-block[n='2']").first).to_have_attribute("l", "p")
    assert "ran" not in tab.title()
    assert all(url.startswith(address) for url in loaded)


def test_a_server_that_is_killed_loses_nothing_and_the_tab_goes_on_with_the_next(browser, serve):
    process, address = serve()
    tab = opened(browser, address)
    sees(tab, "0/6 labeled")
    types(tab, KEYS[:3])
    sees(tab, "All labels are on disk")

    process.send_signal(signal.SIGKILL)
    process.wait(SECONDS)
    types(tab, KEYS[3:5])
    sees(tab, "NOT SAVED: the server does not answer")
    serve(int(address.rstrip("/").rpartition(":")[2]))
    sees(tab, "All labels are on disk")
    sees(tab, "5/6 labeled")
    types(tab, KEYS[5:])
    sees(tab, "6/6 labeled")
    types(tab, "s")
    sees(tab, "saved")

    assert read("a.anno").labels == LABELS


def test_two_tabs_of_one_page_never_write_both(browser, serve):
    _, address = serve()
    one = opened(browser, address)
    sees(one, "0/6 labeled")
    types(one, "h")
    sees(one, "All labels are on disk")

    two = opened(browser, address)
    sees(two, "is open in another tab")
    two.get_by_role("button", name="Continue here").click()
    sees(two, "1/6 labeled")
    types(two, "p")
    sees(two, "2/6 labeled")
    one.bring_to_front()
    types(one, "o")
    sees(one, "is open in another tab")
    sees(one, "Continue here")

    two.bring_to_front()
    types(two, "s")
    sees(two, "saved")
    assert read("a.anno").labels[:3] == (H, P, None)


def test_a_closed_tab_saves_its_page(browser, serve):
    _, address = serve()
    tab = opened(browser, address)
    sees(tab, "0/6 labeled")
    types(tab, "hp")
    sees(tab, "All labels are on disk")
    tab.close(run_before_unload=True)

    other = opened(browser, address)
    sees(other, "2/6 labeled")
    assert read("a.anno").labels[:2] == (H, P)


def test_flags_notes_undo_ranges_and_blocks_alike(browser, serve):
    _, address = serve()
    tab = opened(browser, address)
    sees(tab, "0/6 labeled")
    tab.keyboard.press("f")
    tab.keyboard.press("ArrowDown")
    tab.keyboard.press("i")
    tab.keyboard.type("which ferry?")
    tab.keyboard.press("Enter")
    tab.keyboard.press("Shift+ArrowDown")
    types(tab, "p")
    sees(tab, "2/6 labeled")
    types(tab, "u")
    sees(tab, "0/6 labeled")
    types(tab, "U")
    sees(tab, "2/6 labeled")
    tab.keyboard.press("ArrowDown")
    tab.keyboard.press("ArrowDown")
    types(tab, "l")
    tab.keyboard.press("ArrowUp")
    types(tab, "=")
    sees(tab, "labeled alike: 1 more block here, 2 on 1 other page")
    sees(tab, "4/6 labeled")
    types(tab, "w")
    sync_api.expect(tab.locator(".block-list")).to_have_class(re.compile("wrapped"))
    types(tab, "s")
    sees(tab, "saved")

    assert read("a.anno").labels == (None, P, P, L, L, None)
    assert read("a.anno").flags == {0: "", 1: "which ferry?"}
    assert read("b.anno").labels == (None, None, None, L, L, None)


def test_a_review_is_decided_by_keys(browser, serve, folder):
    _, address = serve()
    page = segment(HTML, "a", markup=STANDARD)
    for name, letters in (("anna", "hppllo"), ("ben", "hpolpo")):
        labels = [OTHER if letter == "o" else Label(letter) for letter in letters]
        write(annotation_of(page, HTML, labels, name), folder / name / "a.anno")
    tab = opened(browser, address, "review")
    tab.get_by_role("button", name="Review").click()
    sees(tab, "4/6 labeled")

    tab.keyboard.press("Tab")
    types(tab, "2h")
    sees(tab, "6/6 labeled")
    types(tab, "q")
    sees(tab, "Folder for the decisions")

    assert read(folder / "decided" / "a.anno").labels == (H, P, OTHER, L, H, OTHER)
