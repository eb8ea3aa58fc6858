"""Look for findings of axe-core on every view of the web app and on reports, light and dark, wide and narrow.

npm pack axe-core && tar xzf axe-core-*.tgz package/axe.min.js
python benchmarks/accessibility.py package/axe.min.js [--browser PATH] [--screenshots FOLDER]

Needs Playwright and a Chromium. Ends with status 1 if there is a serious or critical finding.
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright
from serve_clients import served

from victorpy.serve.views import VIEWS

EXAMPLES = Path(__file__).parents[1] / "examples"
SIZES = ((1440, 900), (420, 860))
GRAVE = {"serious", "critical"}


def findings(page: Page, axe: str) -> list[dict[str, Any]]:
    """What axe-core finds. It is run by the debugger, which the policy of the app does not bind."""
    page.evaluate(axe)
    found: list[dict[str, Any]] = page.evaluate("axe.run(document, {iframes: false}).then((found) => found.violations)")
    return found


def prepare(folder: Path) -> None:
    """Pages, two annotators of one of them, a run with a failure, and reports of one page and of all."""
    pages = sorted(EXAMPLES.glob("*.html"))[:3]
    (folder / "pages").mkdir()
    for page in pages:
        shutil.copy(page, folder / "pages")
    (folder / "pages/noise.html").write_bytes(bytes(range(256)) * 8)
    for name, bias in (("anna", "precision"), ("ben", "recall")):
        victor("clean", pages[0], "-f", "anno", "--bias", bias, "-o", folder / f"review/{name}/page.anno")
    victor("run", folder / "pages", "-o", folder / "run")
    victor("report", pages[0], "-o", folder / "one.html", "--explain", 1)
    victor("report", *pages, "--against", "bte", "-o", folder / "all.html")


def victor(*words: object) -> None:
    command = [sys.executable, "-m", "victorpy", *map(str, words)]
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)


def states(page: Page, address: str, folder: Path) -> Iterator[str]:
    """The views, what opens in them, and reports."""
    for name in VIEWS:
        page.goto(f"{address}{name}")
        page.wait_for_selector("main > *:not(noscript)")
        page.wait_for_timeout(1_000)
        yield name
    yield from annotate_states(page, address)
    yield from try_states(page, address)
    yield from report_states(page, folder)


def annotate_states(page: Page, address: str) -> Iterator[str]:
    page.goto(f"{address}annotate")
    page.wait_for_selector(".chance:not(:empty)")
    for key in ("o", "w", "f", "Shift+ArrowDown"):
        page.keyboard.press(key)
    page.wait_for_timeout(500)
    yield "annotate-wrapped"
    for key, name in (("?", "keys"), ("P", "pages"), ("e", "html"), ("i", "note")):
        page.keyboard.press(key)
        page.wait_for_timeout(500)
        yield f"annotate-{name}"
        page.keyboard.press("Escape")
    page.goto(f"{address}review")
    page.fill("#one", "review/anna")
    page.fill("#two", "review/ben")
    page.click("button.primary")
    page.wait_for_selector(".sides")
    yield "review-page"


def try_states(page: Page, address: str) -> Iterator[str]:
    """Try with a page, a block and a comparison."""
    page.goto(f"{address}try")
    page.click("text=Try an example")
    page.wait_for_selector(".panes iframe")
    yield "try-result"
    for tab in ("Markdown", "Metadata", "Sentences", "Blocks"):
        page.click(f"role=tab[name='{tab}']")
        page.wait_for_timeout(1_000)
        yield f"try-{tab.lower()}"
    page.click(".blocks li:nth-child(12) button")
    page.wait_for_selector(".inspector .bars")
    yield "try-why"
    page.keyboard.press("Escape")
    page.click("text=Compare")
    page.wait_for_selector(".panes.two")
    yield "try-comparison"


def report_states(page: Page, folder: Path) -> Iterator[str]:
    page.goto((folder / "one.html").as_uri())
    page.wait_for_timeout(500)
    yield "report-page"
    page.goto((folder / "all.html").as_uri())
    page.wait_for_timeout(500)
    yield "report-list"
    page.click("tbody a, tbody button")
    page.wait_for_timeout(1_000)
    yield "report-of-many"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("axe", type=Path)
    parser.add_argument("--browser", default="/usr/bin/chromium")
    parser.add_argument("--screenshots", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        prepare(Path(folder))
        grave = looked_at(options, Path(folder))
    print(f"{grave} serious findings")
    return 1 if grave else 0


def looked_at(options: argparse.Namespace, folder: Path) -> int:
    """The number of serious findings."""
    grave = 0
    with served("-j", 1, "--timeout", 120, folder) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=options.browser, args=["--no-sandbox"])
        for scheme in ("light", "dark"):
            for width, height in SIZES:
                size = {"width": width, "height": height}
                page = browser.new_page(color_scheme=scheme, viewport=size, bypass_csp=True)
                page.set_default_timeout(120_000)
                for state in states(page, f"http://127.0.0.1:{server.port}/", folder):
                    if options.screenshots:
                        page.screenshot(path=options.screenshots / f"{state}-{scheme}-{width}.png")
                    for one in findings(page, options.axe.read_text("utf-8")):
                        grave += one["impact"] in GRAVE
                        places = [" ".join(map(str, node["target"])) for node in one["nodes"][:3]]
                        print(f"{state} {scheme} {width}: {one['impact']}: {one['id']}: {one['help']}: {places}")
                page.close()
    return grave


if __name__ == "__main__":
    sys.exit(main())
