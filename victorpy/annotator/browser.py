"""Show a safe copy of a page in the desktop's browser."""

import webbrowser
from pathlib import Path

from victorpy.errors import VictorError
from victorpy.page.safe_copies import safe_copy


def show(html: str, folder: Path) -> None:
    """Write a copy of the page, without scripts and without files from the network, and open it in a browser."""
    file = folder / "page.html"
    # A byte order mark overrides the encoding that the page declares.
    file.write_text(safe_copy(html), "utf-8-sig", "replace")
    try:
        browser = webbrowser.get()
    except webbrowser.Error:
        raise VictorError(f"no browser here; a safe copy of the page is {file}") from None
    # Browsers of exactly this class run inside the terminal.
    if type(browser) is webbrowser.GenericBrowser or not browser.open(file.as_uri()):
        raise VictorError(f"no browser with a window of its own here; a safe copy of the page is {file}")
