"""One HTML file for a page or for many. It loads nothing, and only its own script can run in it."""

import gzip
from base64 import b64encode
from collections.abc import Iterable, Iterator
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import NamedTuple

from victorpy import __version__
from victorpy.output.escapes import in_one_line
from victorpy.reporting.index_views import IndexRow, index_view, row_of, worst_first
from victorpy.reporting.page_views import PageView, Sides, page_view
from victorpy.reporting.reported_pages import ReportedPage

_DOCUMENT = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="victor {version}">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="top"><svg viewBox="0 0 32 32" aria-hidden="true"><path d="M5 6h22M5 13h14M5 20h18M5 27h10"/></svg>
<h1>Victor report</h1><p>{subtitle}</p></header>
<main id="main" tabindex="-1">{content}</main>
<footer>Made by victor {version}. Pages are shown without scripts and without anything from the network, so that
pictures and styles may be missing.</footer>
<script>{script}</script>
</body>
</html>
"""
_MANY = '{index}<div id="place" hidden></div>\n<noscript>Single pages need JavaScript.</noscript>\n{stored}'


class _Packed(NamedTuple):
    """A page, packed: its parts are large, and the browser unpacks the one that is looked at."""

    row: IndexRow
    body: str
    look: str


def report_of_page(page: ReportedPage, sides: Sides) -> str:
    view = page_view(page, sides)
    body = view.body.replace('<div class="frame"></div>', f'<div class="frame">{view.look}</div>', 1)
    return _document(in_one_line(page.id), sides, f"<article>{body}</article>")


def report_of_pages(pages: Iterable[ReportedPage], sides: Sides, looks: int) -> str:
    """Only so many pages, the worst ones, are shown as they look."""
    packed = [_packed(page, number, sides) for number, page in enumerate(pages, 1)]
    rows = [one.row for one in packed]
    shown = {row.number for row in worst_first(rows)[:looks]}
    stored = "\n".join(_stored(packed, shown))
    return _document(f"{len(rows)} pages", sides, _MANY.format(index=index_view(rows, sides), stored=stored))


def _packed(page: ReportedPage, number: int, sides: Sides) -> _Packed:
    view: PageView = page_view(page, sides)
    return _Packed(row_of(page, number), _pack(view.body), _pack(view.look) if view.look else "")


def _pack(text: str) -> str:
    return b64encode(gzip.compress(text.encode("utf-8", "replace"), 6, mtime=0)).decode()


def _stored(packed: Iterable[_Packed], shown: set[int]) -> Iterator[str]:
    """Elements that no browser runs."""
    for row, body, look in packed:
        yield f'<script type="application/gzip" data-page="{row.number}">{body}</script>'
        if look and row.number in shown:
            yield f'<script type="application/gzip" data-look="{row.number}">{look}</script>'


def _document(title: str, sides: Sides, content: str) -> str:
    assets = files("victorpy.reporting") / "assets"
    style, script = (assets.joinpath(name).read_text("utf-8") for name in ("report.css", "report.js"))
    against = f" compared with {sides.theirs}" if sides.theirs else ""
    return _DOCUMENT.format(
        policy=_policy(script),
        version=__version__,
        title=escape(f"{title} · Victor report"),
        subtitle=escape(in_one_line(f"{title}, cleaned by {sides.ours}{against}")),
        style=style,
        content=content,
        script=script,
    )


def _policy(script: str) -> str:
    """Nothing is loaded. Our script is known by its digest."""
    digest = b64encode(sha256(script.encode()).digest()).decode()
    return (
        f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; img-src data:; font-src data:; "
        "frame-src 'none'; base-uri 'none'; form-action 'none'"
    )
