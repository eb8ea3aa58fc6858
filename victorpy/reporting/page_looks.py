"""The page as it looks, for a frame without scripts and network, with its blocks marked."""

from collections.abc import Sequence
from html import escape

from victorpy.output.cleaned import Cleaned
from victorpy.page.safe_copies import MARK, marked_html, safe_copy
from victorpy.reporting.block_marks import MARKS, Mark

# Marks differ in their lines, too: nobody needs to see colours. Pages with a dark background keep theirs.
_STYLES = {
    "kept": "background:rgb(16 140 120/.20);box-shadow:inset 0 -.12em rgb(11 100 89)",
    "extra": "background:rgb(200 40 30/.20);outline:2px dashed rgb(190 40 30)",
    "missed": "background:rgb(230 170 0/.28);outline:2px dotted rgb(150 90 0)",
    "dropped": "opacity:.42",
}
_NOW = f"{MARK}.now{{outline:4px solid rgb(40 90 230)!important;outline-offset:2px;opacity:1;scroll-margin:40vh}}"

# allow-same-origin lets the report find a block in the frame; without allow-scripts nothing in the frame can run.
_SANDBOX = "allow-same-origin"

# So many characters of a page are shown as it looks.
_LONGEST = 3_000_000


def look(cleaned: Cleaned, marks: Sequence[Mark], name: str) -> str:
    """The frame with the page."""
    if len(cleaned.source) > _LONGEST:
        return f"<p>The page has more than {_LONGEST:,} characters: only its blocks are shown.</p>"
    html = safe_copy(marked_html(cleaned.page), _style(marks))
    title = f"The page as it looks, with its blocks marked: {name}"
    return f'<iframe title="{escape(title)}" sandbox="{_SANDBOX}" srcdoc="{escape(html)}"></iframe>'


def _style(marks: Sequence[Mark]) -> str:
    rules = (f"{_selector(marks, mark)}{{{_STYLES[mark]}}}" for mark in MARKS if mark in marks)
    return "".join([f"{MARK}{{border-radius:2px;box-decoration-break:clone}}", *rules, _NOW])


def _selector(marks: Sequence[Mark], mark: Mark) -> str:
    numbers = ",".join(f'[n="{number}"]' for number, found in enumerate(marks) if found == mark)
    return f"{MARK}:is({numbers})"
