"""Measure labeling in a browser: from a key to the screen on a large page, and the first paint of each view.

python benchmarks/browser_keys.py [--blocks N] [--keys N] [--browser PATH]

Needs Playwright and a Chromium. A key ends when the frame that shows it has been painted. `busy` is the time that the
browser's thread of the page worked for a key; unlike the rest it hardly depends on what else the machine does.
"""

import argparse
import os
import tempfile
import time
from pathlib import Path
from statistics import median, quantiles

from playwright.sync_api import CDPSession, Page, sync_playwright
from serve_clients import SENTENCES, served

from victorpy.serve.views import VIEWS

KEYS = ("o", "p", "ArrowDown", "ArrowUp", "a", "d", "Tab", "u", "PageDown", "PageUp", "}", "f", "J", "Escape", "A", "w")
MILLISECONDS = 120_000
# Keeps for each key the time from the event to the task after the frame that follows.
_CLOCK = """() => {
  window.times = [];
  window.after = (count) => new Promise((done) => {
    const look = () => window.times.length > count ? done() : setTimeout(look, 5);
    look();
  });
  addEventListener("keydown", (event) => requestAnimationFrame(() => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => window.times.push(performance.now() - event.timeStamp);
    channel.port2.postMessage(0);
  }), true);
}"""
_PAINTED = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"


def large_page(blocks: int) -> str:
    """A page of so many blocks: paragraphs with links, lists and comments."""
    parts = ["<title>Letters from the harbour</title><h1>Letters from the harbour</h1>"]
    for number in range(blocks - 1):
        text = f"{SENTENCES[number % 4]} {SENTENCES[number // 4 % 4]}"
        if number % 10 == 0:
            parts.append(f"<h2>Part {number // 10}</h2>")
        elif number % 10 > 7:
            parts.append(f'<ul class=menu><li><a href="/{number}">Letter {number}</a></ul>')
        else:
            parts.append(f'<div class="post"><p>{text} <a href="/{number}">{number}</a></div>')
    return "".join(parts)


def busy(session: CDPSession) -> float:
    """The milliseconds of a processor that the thread of the page has used."""
    found = session.send("Performance.getMetrics")["metrics"]
    return next(1000 * one["value"] for one in found if one["name"] == "TaskDuration")


def wait(page: Page, condition: str) -> None:
    """Not by `wait_for_function`, which the policy of the app forbids."""
    while not page.evaluate(condition):
        time.sleep(0.002)


def press(page: Page, session: CDPSession, key: str, times: int) -> tuple[list[float], float]:
    """For each press the milliseconds until the screen shows it; and the work for one."""
    page.evaluate("window.times.length = 0")
    begun = busy(session)
    for number in range(times):
        page.keyboard.press(key)
        page.evaluate(f"window.after({number})")
    return page.evaluate("window.times"), (busy(session) - begun) / times


def paint(page: Page, address: str, name: str) -> None:
    """Open a view five times."""
    found = []
    for _ in range(5):
        page.goto(f"{address}{name}")
        wait(page, f"{_PAINTED} > 0")
        found.append(page.evaluate(_PAINTED))
    print(f"{name:10} first paint {median(found):6.0f} ms (slowest of five {max(found):.0f})")


def label(page: Page, address: str, times: int) -> None:
    page.goto(f"{address}annotate")
    page.wait_for_selector(".block-list .block")
    print(f"the blocks are there after {page.evaluate('performance.now()'):.0f} ms")
    page.wait_for_selector(".block-list .chance:not(:empty)")
    print(f"the suggestions are there after {page.evaluate('performance.now()'):.0f} ms")
    page.wait_for_timeout(2_000)
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    page.evaluate(_CLOCK)
    everything = []
    for key in KEYS:
        found, work = press(page, session, key, times)
        everything += found
        print(f"{key:10} median {median(found):5.1f} ms, slowest {max(found):6.1f}, busy {work:5.1f} ms a key")
    ninth = quantiles(everything, n=20)[-1]
    print(f"all {len(everything)} keys: median {median(everything):.1f} ms, 19 of 20 within {ninth:.1f} ms")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--blocks", type=int, default=5_000)
    parser.add_argument("--keys", type=int, default=20)
    parser.add_argument("--browser", default="/usr/bin/chromium")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "page.html").write_text(large_page(options.blocks), "utf-8")
        with served("-j", 1, folder) as server, sync_playwright() as playwright:
            address = f"http://127.0.0.1:{server.port}/"
            browser = playwright.chromium.launch(executable_path=options.browser, args=["--no-sandbox"])
            page = browser.new_page(viewport={"width": 1440, "height": 900})
            page.set_default_timeout(MILLISECONDS)
            print(f"the load of the machine: {os.getloadavg()[0]:.1f} of {os.cpu_count()} processors")
            for name in VIEWS:
                paint(page, address, name)
            label(page, address, options.keys)
            browser.close()


if __name__ == "__main__":
    main()
