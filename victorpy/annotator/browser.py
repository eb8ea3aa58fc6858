"""A page in the browser of the desktop."""

import re
import webbrowser
from html import escape
from pathlib import Path

from victorpy.errors import VictorError

_HEAD = re.compile(r"<head\b[^<>]*>", re.IGNORECASE)


def show(html: str, url: str | None, folder: Path) -> None:
    """Writes the page to the folder, and has a browser open it."""
    file = folder / "page.html"
    # A mark in front outweighs whatever encoding the page declares; its pictures are found from its address.
    file.write_text(_based(html, url), "utf-8-sig", "replace")
    try:
        browser = webbrowser.get()
    except webbrowser.Error:
        raise VictorError(f"no browser here; the page is {file}") from None
    # Exactly this class is of browsers that would take the terminal for themselves.
    if type(browser) is webbrowser.GenericBrowser or not browser.open(file.as_uri()):
        raise VictorError(f"no browser with a window of its own here; the page is {file}")


def _based(html: str, url: str | None) -> str:
    if not url:
        return html
    base = f'<base href="{escape(url)}">'
    found = _HEAD.search(html)
    return html[: found.end()] + base + html[found.end() :] if found else base + html
