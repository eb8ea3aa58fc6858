"""A tiny page of somebody's own is kept; what servers and sites send instead of a page is not."""

import pytest

import victorpy
from victorpy.models import model_folder
from victorpy.models.bare_pages import REASON, labels_of_bare_page
from victorpy.models.decoding import Decoding
from victorpy.models.doubts import reviewed
from victorpy.output.cleaned import Cleaned
from victorpy.page.blocks import Label
from victorpy.page.markup import BLOCKS
from victorpy.page.segment import segment

FRAME = '<nav><a href="/">Home</a></nav>{}<footer>Copyright 2024</footer>'
WRITTEN = {
    "fragment": ("<h1>Hello</h1><p>World</p>", "Hello\nWorld\n"),
    "words": ("Hello world", "Hello world\n"),
    "page": ("<!doctype html><html lang=en><body><h1>Hello</h1><p>World</p></body></html>", "Hello\nWorld\n"),
    "title": ("<title>Hello</title><h1>Hello</h1><p>World</p>", "Hello\nWorld\n"),
    "list": ("<ul><li>a lantern<li>bread</ul>", "a lantern\nbread\n"),
    "article": (FRAME.format("<article><h1>Hello</h1><p>World</p></article>"), "Hello\nWorld\n"),
    "menu": (FRAME.format("<h1>Hello</h1><p>World</p>"), "Hello\nWorld\n"),
    "words of a status": (
        "<h1>Gone to the island</h1><p>Found 404 boats.</p>",
        "Gone to the island\nFound 404 boats.\n",
    ),
}
SENT = {
    "nginx": "<title>404 Not Found</title><center><h1>404 Not Found</h1></center><hr><center>nginx</center>",
    "number": "<p>404 : Page Not Found</p>",
    "IIS": "<h2>Bad Request - Invalid Hostname</h2><hr><p>HTTP Error 400. The request hostname is invalid.</p>",
    "phrase": "<h1>Forbidden</h1><p>No.</p>",
    "Apache, moved": '<h1>Moved</h1><p>The document has moved <a href="/x">here</a>.</p>',
    "listing": '<h1>Index of /</h1><pre><a href="a.txt">a.txt</a></pre>',
    "redirect": '<meta http-equiv="refresh" content="0; url=/x"><p>One moment.</p>',
    "application": "<p>You need to enable JavaScript to run this app.</p><script src=a.js></script>",
    "form": "<h1>Log in</h1><form><p>Name <input name=a></form>",
    "classes": '<p class="notice">Nothing here.</p>',
    "menu": FRAME.format(""),
}


def labels_where_the_model_keeps_nothing(html):
    page = segment(html, "x", markup=BLOCKS)
    labels = labels_of_bare_page(page, [Label.OTHER] * len(page))
    return page, labels


@pytest.mark.parametrize(("html", "text"), WRITTEN.values(), ids=WRITTEN)
def test_a_tiny_page_of_ones_own_is_kept(html, text):
    page, labels = labels_where_the_model_keeps_nothing(html)

    assert Cleaned(page, labels).text == text


@pytest.mark.parametrize("html", SENT.values(), ids=SENT)
def test_what_is_sent_instead_of_a_page_is_not_kept(html):
    assert labels_where_the_model_keeps_nothing(html)[1] == []


def test_where_the_model_keeps_something_it_decides():
    page = segment(WRITTEN["fragment"][0], "x", markup=BLOCKS)

    assert labels_of_bare_page(page, [Label.HEADER, Label.OTHER]) == []


def test_the_reason_says_that_the_model_has_not_decided():
    page = segment(WRITTEN["fragment"][0], "x", markup=BLOCKS)

    assert reviewed(page, [Label.OTHER] * 2, Decoding()) == ([Label.HEADER, Label.PARAGRAPH], REASON)


@pytest.mark.parametrize("options", [{"bias": -1.0}, {"method": "threshold"}, {"scope": "discussion"}], ids=str)
def test_who_asks_for_less_text_gets_what_the_model_keeps(options):
    page = segment(WRITTEN["fragment"][0], "x", markup=BLOCKS)

    assert not reviewed(page, [Label.OTHER] * 2, Decoding(**options))[0][0].is_content


@pytest.mark.parametrize("model", ["web", "whole"])
def test_web_keeps_a_tiny_page(model):
    cleaner = victorpy.load(model_folder.load("web") if model == "whole" else "web")

    assert cleaner.clean("<h1>Hello</h1><p>World</p>").text == "Hello\nWorld\n"
