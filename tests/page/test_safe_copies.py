"""A copy of a page for a browser: no scripts, no network, marked blocks."""

import re

import pytest

from victorpy.page.markup import BLOCKS
from victorpy.page.safe_copies import marked_html, safe_copy
from victorpy.page.segment import segment

PAGE = """<!DOCTYPE html><html lang=en><head><meta http-equiv=refresh content="0;url=https://a.example/">
<LINK rel=preconnect href=https://b.example><base href=https://c.example/><title>Ferries</title></head>
<body class=wide><p>The <b>ferry</b> leaves.</p></body></html>"""


def test_the_policy_comes_before_all_that_it_restricts():
    copy = safe_copy(PAGE)

    assert copy.startswith('<!DOCTYPE html><meta http-equiv="Content-Security-Policy" content="default-src \'none\'')


def test_nothing_in_the_copy_leads_away_from_it():
    rest = safe_copy(PAGE).partition('<meta charset="utf-8">')[2]

    assert not re.search("<(meta|link|base)[^f]", rest, re.IGNORECASE)
    assert '<basefont http-equiv=refresh content="0;url=https://a.example/">' in rest


def test_a_page_without_doctype_stays_in_quirks_mode():
    assert safe_copy("<p>one").startswith("<meta ")


def marked(html):
    return marked_html(segment(html, "x", markup=BLOCKS))


def test_each_piece_of_a_blocks_text_is_marked_with_the_number_of_the_block():
    assert marked("<h1>Rain</h1><p>It <b>pours</b> &amp; blows.") == (
        "<h1><victor-block n=0>Rain</victor-block></h1><p><victor-block n=1>It </victor-block>"
        "<b><victor-block n=1>pours</victor-block></b><victor-block n=1> &amp; blows.</victor-block>"
    )


@pytest.mark.parametrize(
    "html",
    [
        "<p>one <script>if (a < b) c()</script> two<p>three",
        "<table> <tr> <td>one</td> </tr> <tr><td>two</table>",
        "<table>moved<tr><td>cell</table><p>end",
        '<p>one <a title="a > b" href=x>two</a> three',
        '<p>one <a href="x""> two</a><br/>three',
        "<textarea>some <b>text</b></textarea><p>one",
        "<select><option>one<option>two</select>",
        "<p>one <!-- <b> --> two</p>three",
        "<p>a < b and b > c<p>d",
        "<p>雨 is rain<p>č",
        "<p>one <b",
    ],
    ids=[
        "script",
        "table",
        "moved",
        "quoted",
        "stray quote",
        "text area",
        "options",
        "comment",
        "signs",
        "wide",
        "cut",
    ],
)
def test_marks_change_neither_blocks_nor_texts(html):
    page = segment(html, "x", markup=BLOCKS)

    assert segment(marked_html(page), "x", markup=BLOCKS).texts == page.texts
