"""Look for findings of axe-core on every view of the web app, light and dark, wide and narrow.

npm pack axe-core && tar xzf axe-core-*.tgz package/axe.min.js
python benchmarks/accessibility.py package/axe.min.js [--browser PATH] [--screenshots FOLDER]

Needs Playwright and a Chromium. Ends with status 1 if there is a serious or critical finding.
"""

import argparse
import sys
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright
from serve_clients import served

from victorpy.serve.views import VIEWS

SIZES = ((1440, 900), (420, 860))
GRAVE = {"serious", "critical"}


def findings(page: Page, axe: str) -> list[dict[str, Any]]:
    """What axe-core finds. It is run by the debugger, which the policy of the app does not bind."""
    page.evaluate(axe)
    found: list[dict[str, Any]] = page.evaluate("axe.run(document, {iframes: false}).then((found) => found.violations)")
    return found


def states(page: Page, address: str) -> Any:
    """The views, and Try with a page, a block and a comparison."""
    for name in VIEWS:
        page.goto(f"{address}{name}")
        page.wait_for_selector("main > *:not(noscript)")
        page.wait_for_timeout(1_000)
        yield name
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


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("axe", type=Path)
    parser.add_argument("--browser", default="/usr/bin/chromium")
    parser.add_argument("--screenshots", type=Path)
    options = parser.parse_args()
    grave = 0
    with served("-j", 1, "--timeout", 120) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=options.browser, args=["--no-sandbox"])
        for scheme in ("light", "dark"):
            for width, height in SIZES:
                size = {"width": width, "height": height}
                page = browser.new_page(color_scheme=scheme, viewport=size, bypass_csp=True)
                page.set_default_timeout(120_000)
                for state in states(page, f"http://127.0.0.1:{server.port}/"):
                    if options.screenshots:
                        page.screenshot(path=options.screenshots / f"{state}-{scheme}-{width}.png")
                    for one in findings(page, options.axe.read_text("utf-8")):
                        grave += one["impact"] in GRAVE
                        places = [" ".join(map(str, node["target"])) for node in one["nodes"][:3]]
                        print(f"{state} {scheme} {width}: {one['impact']}: {one['id']}: {one['help']}: {places}")
                page.close()
    print(f"{grave} serious findings")
    return 1 if grave else 0


if __name__ == "__main__":
    sys.exit(main())
