import pytest

from victorpy.annotator.block_source import source_of
from victorpy.page.segment import segment

HTML = """<html>
<!-- <p>a comment -->
<script>write("<p>a script")</script>
<body><p>one</p><p>two <b>bold</b> tail</p>
<div
  class="box"
  id="second"><p>three</p><P>four &amp; more</P></div>
<p>five</p></body>"""


@pytest.mark.parametrize(
    ("block", "begin"),
    [
        (0, "<p>one</p>"),
        (1, "<p>two <b>"),
        (2, "<b>bold</b>"),
        (3, "<p>two <b>"),
        (4, "<p>three</p>"),
        (5, "<P>four &amp; more</P>"),
        (6, "<p>five</p>"),
    ],
)
def test_the_source_begins_with_the_start_tag_of_the_element(block, begin):
    assert source_of(segment(HTML), HTML, block).startswith(begin)


@pytest.mark.parametrize("unclosed", ["<!--", "<script ", "<!-- </script>"])
def test_a_page_of_nothing_but_beginnings_is_gone_through_once(unclosed):
    html = "<p>one</p>" + unclosed * 20_000

    assert source_of(segment(html), html, 0).startswith("<p>one</p>")


def test_of_a_long_element_the_part_with_the_text_is_shown():
    html = '<body class="x">' + "<p>word</p>" * 500 + "needle"

    shown = source_of(segment(html), html, 500)

    assert shown.startswith('<body class="x"> …')
    assert shown.endswith("needle")


def test_an_element_that_browsers_begin_again_behind_its_text_has_a_source():
    html = "<table><li><a></li>" + "one two\n" * 100

    assert "one two" in source_of(segment(html), html, 0)
