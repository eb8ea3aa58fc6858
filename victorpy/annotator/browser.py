"""Show a page in the desktop's browser."""

import re
import webbrowser
from html import escape
from pathlib import Path

from victorpy.errors import VictorError

_HEAD = re.compile(r"<head\b[^<>]*>", re.IGNORECASE)


def show(html: str, url: str | None, folder: Path) -> None:
    """Write the page to the folder, and open it in a browser."""
    file = folder / "page.html"
    # A byte order mark overrides the encoding that the page declares; a base tag makes its pictures load.
    file.write_text(_based(html, url), "utf-8-sig", "replace")
    try:
        browser = webbrowser.get()
    except webbrowser.Error:
        raise VictorError(f"no browser here; the page is {file}") from None
    # Browsers of exactly this class run inside the terminal.
    if type(browser) is webbrowser.GenericBrowser or not browser.open(file.as_uri()):
        raise VictorError(f"no browser with a window of its own here; the page is {file}")


def _based(html: str, url: str | None) -> str:
    if not url:
        return html
    base = f'<base href="{escape(url)}">'
    found = _HEAD.search(html)
    return html[: found.end()] + base + html[found.end() :] if found else base + html
