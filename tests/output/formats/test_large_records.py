"""The objects of a large page are printed in parts, and the same is printed as of a small one."""

import tracemalloc

import pytest

from victorpy.output import cleaned as cleaned_module
from victorpy.output.cleaned import Cleaned
from victorpy.output.formats import FORMATS
from victorpy.page.blocks import Label
from victorpy.page.segment import segment

MOST_BYTES = 600
RECORDS = pytest.mark.parametrize("name", ["json", "jsonl"])


def in_parts_of(monkeypatch, blocks):
    monkeypatch.setattr(cleaned_module, "_MANY", blocks)


@RECORDS
def test_a_kept_paragraph_takes_at_most_600_bytes_to_print(name, monkeypatch):
    in_parts_of(monkeypatch, 500)
    count = 5_000
    cleaned = Cleaned(segment("<p>a" * count), [Label.PARAGRAPH] * count)
    FORMATS[name](Cleaned(segment("<p>a" * 600), [Label.PARAGRAPH] * 600))  # what is loaded once does not count

    tracemalloc.start()
    try:
        FORMATS[name](cleaned)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()

    assert peak < MOST_BYTES * count


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
