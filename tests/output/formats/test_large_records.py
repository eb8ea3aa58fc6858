"""The objects of a large page are printed in parts, and the same is printed as of a small one."""

import sys
import tracemalloc

import pytest

from victorpy.output import cleaned as cleaned_module
from victorpy.output.cleaned import Cleaned
from victorpy.output.formats import FORMATS
from victorpy.page.blocks import Label
from victorpy.page.segment import segment

MOST_BYTES = 200
RECORDS = pytest.mark.parametrize("name", ["json", "jsonl"])


def in_parts_of(monkeypatch, blocks):
    monkeypatch.setattr(cleaned_module, "_MANY", blocks)
    monkeypatch.setattr(cleaned_module, "_PLACES", blocks)


def bytes_to_print(name, html):
    """The most bytes that the printing takes for each block, and the bytes of the printed text among them."""
    page = segment(html)
    cleaned = Cleaned(page, [Label.PARAGRAPH] * len(page))
    tracemalloc.start()
    try:
        printed = FORMATS[name](cleaned)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    return peak / len(page), sys.getsizeof(printed) / len(page)


SENTENCE = "A sentence of forty-nine characters is this line."
LARGE = {
    "paragraphs": "<p>a" * 2_000,
    "sentences": f"<p>{SENTENCE}" * 2_000,
    "a table": f"<table>{'<tr><td>a<td>b' * 1_000}</table>",
    "a list": f"<ul>{'<li>a' * 2_000}</ul>",
    "lines": f"<pre>{'a<br>' * 2_000}</pre>",
}


@RECORDS
@pytest.mark.parametrize("html", LARGE.values(), ids=LARGE)
def test_a_kept_block_takes_at_most_200_bytes_to_print_beyond_what_is_printed(name, html, monkeypatch):
    in_parts_of(monkeypatch, 500)
    bytes_to_print(name, "<p>a" * 600)  # what is loaded once does not count

    peak, printed = bytes_to_print(name, html)

    assert peak - printed < MOST_BYTES


PARTS = {
    "nothing": ("", []),
    "all noise": ("<p>a<p>b<p>c<p>d", [Label.OTHER] * 4),
    "continuations": ("<p>a<p>b<p>c<p>d<p>e", [Label.PARAGRAPH, *[Label.CONTINUATION] * 3, Label.HEADER]),
    "a table": ('<table><tr><td>a<td>"b"</table><ul><li>c<li>\\d</ul>', [Label.PARAGRAPH] * 4),
    "a node's text is like its list": ('<title>"nodes":[</title><p>"nodes":[{<p>]}<p>,', [Label.PARAGRAPH] * 3),
}


@RECORDS
@pytest.mark.parametrize(("html", "labels"), PARTS.values(), ids=PARTS)
def test_a_page_in_parts_is_printed_like_a_page_at_once(name, html, labels, monkeypatch):
    def printed():
        return FORMATS[name](Cleaned(segment(html, "x"), labels, lead="Ferries"))

    at_once = printed()
    in_parts_of(monkeypatch, 1)

    assert printed() == at_once
