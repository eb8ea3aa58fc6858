"""Pages that the small model of the tests knows, and pages that take the slow one long."""

import re
import time
from functools import cache
from pathlib import Path

from victorpy.page.blocks import Label

SENTENCES = (
    "The ferry leaves at seven, long before the island is awake.",
    "Nobody had told the baker that the bridge was closed for the summer.",
    "We counted the boats in the harbour and lost our way among the numbers.",
    "In the evening a thin rain came over the hills, and the children went in.",
    "She wrote the letter twice, because the first one said too much.",
)

LETTERS = {letter: Label.OTHER if letter == "o" else Label(letter) for letter in "phlco"}


def article(number: int) -> tuple[str, str]:
    """A page, and the labels of its blocks, a letter each (o is other)."""
    one, two, three = (SENTENCES[(number + step) % len(SENTENCES)] for step in range(3))
    parts = {
        "oo": '<ul class="main-menu"><li><a href="/">Home</a></li><li><a href="/about">About us</a></li></ul>',
        "h": f"<h1>Letters from the harbour, part {number}</h1>",
        "pcc": f"<p>{one} It was <b>cold</b> and nobody minded.</p>",
        "p": f"<p>{two} {three}</p>",
        "ll": "<ul><li>a lantern and some oil.</li><li>bread for two days.</li></ul>",
        "o": '<div id="pageFooter"><a href="/imprint">Imprint</a></div>',
    }
    body = "".join(parts.values())
    return f"<html><head><title>Part {number}</title></head><body>{body}</body></html>", "".join(parts)


def site_in(folder: Path) -> str:
    """A folder of a dozen pages, some in folders of their own."""
    for number in range(12):
        path = folder / "site" / ("old" if number % 3 == 0 else "") / f"part-{number}.html"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(article(number)[0])
    return "site"


def slow_page(seconds: float) -> str:
    """A page that takes the slow model about so long on a processor of its own."""
    letters = int(_letters_of_a_second() * seconds ** (1 / 4))
    return f"<p>The ferry leaves at seven, long before the island is awake.<p>{'q' * letters}"


@cache
def _letters_of_a_second() -> float:
    """How many letters take this machine a second: a fast one must be slow enough for the limits of tests, too."""
    letters, begun = 150, time.process_time()
    re.search("q+q+q+w", "q" * letters)
    return letters / (time.process_time() - begun) ** (1 / 4)
