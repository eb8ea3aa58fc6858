import pytest

from victorpy.annotation.gold_texts import GOLD_FORMATS, Segment, likely_format
from victorpy.page.blocks import Label

CLEANEVAL = GOLD_FORMATS["cleaneval"]
MARKDOWN = GOLD_FORMATS["markdown"]
TEXT = GOLD_FORMATS["text"]

P, H, L = Label.PARAGRAPH, Label.HEADER, Label.LIST


def test_markers_begin_segments_that_go_on_to_the_next_marker():
    text = "URL: http://example.org/\n\n<h>Bread\n<p>Flour, water\n   and salt.\n\nNothing else.\n<l>flour <l>water\n"

    assert CLEANEVAL(text) == [
        Segment(H, "Bread"),
        Segment(P, "Flour, water and salt. Nothing else."),
        Segment(L, "flour"),
        Segment(L, "water"),
    ]


@pytest.mark.parametrize(
    ("text", "segments"),
    [
        pytest.param("<P>one <H>two", [Segment(P, "one"), Segment(H, "two")], id="capitals"),
        pytest.param("before\n<p>one", [Segment(None, "before"), Segment(P, "one")], id="text before any marker"),
        pytest.param("<p>\n \n<p>one", [Segment(P, "one")], id="nothing behind a marker"),
        pytest.param("<p>salt &amp; water&#039;s", [Segment(P, "salt & water's")], id="character references"),
        pytest.param(f"<p>a&#{'9' * 5000};b &#{'0' * 5000}65;", [Segment(P, "a\ufffdb A")], id="endless references"),
        pytest.param("URL: http://x\n<!-- no article -->", [], id="only a comment"),
        pytest.param("\ufeffURL: http://x\n<p>one", [Segment(P, "one")], id="byte order mark"),
        pytest.param("", [], id="empty"),
    ],
)
def test_cleaneval_gold_is_read_as_annotators_write_it(text, segments):
    assert CLEANEVAL(text) == segments


def test_a_text_has_a_segment_for_each_line_and_no_labels():
    assert TEXT("Bread\n\n  Flour  and\twater.\n") == [Segment(None, "Bread"), Segment(None, "Flour and water.")]


@pytest.mark.parametrize(
    ("text", "segments"),
    [
        pytest.param("# One\n## Two ##\n#hash", [(H, "One"), (H, "Two"), (P, "#hash")], id="headings"),
        pytest.param("One\n===\nTwo\n---\n\n---\nend", [(H, "One"), (H, "Two"), (P, "end")], id="underlined headings"),
        pytest.param("one\ntwo\n\nthree", [(P, "one two"), (P, "three")], id="paragraphs"),
        pytest.param("- a\n* b\n+ c\n1. d\n2) e", [(L, letter) for letter in "abcde"], id="list signs"),
        pytest.param(
            "- a\n  more\n    - b\n        1. c\n\nd", [(L, "a more"), (L, "b"), (L, "c"), (P, "d")], id="nested"
        ),
        pytest.param("- a\n\n  of a\n\nb", [(L, "a"), (P, "of a"), (P, "b")], id="paragraph in an item"),
        pytest.param("- [x] a\n- [ ] b", [(L, "a"), (L, "b")], id="tasks"),
        pytest.param("```py\nx = *1*\n```\nend", [(P, "x = *1*"), (P, "end")], id="fenced code"),
        pytest.param("```\nnever closed", [(P, "never closed")], id="open fence"),
        pytest.param("one\n\n    x = *1*", [(P, "one"), (P, "x = *1*")], id="indented code"),
        pytest.param("| a | b |\n|---|:-:|\n| *c* | d \\| e |", [(P, c) for c in ("a", "b", "c", "d | e")], id="table"),
        pytest.param("one\n> two\n> three\n\nfour", [(P, "one"), (P, "two three"), (P, "four")], id="quote"),
        pytest.param("> # One\n> - a", [(H, "One"), (L, "a")], id="heading and list in a quote"),
        pytest.param("see [1]\n\n[1]: http://x", [(P, "see [1]")], id="link definition"),
        pytest.param("a <!-- b\n\nc --> d", [(P, "a d")], id="comment"),
    ],
)
def test_markdown_blocks_are_segments(text, segments):
    assert MARKDOWN(text) == [Segment(*segment) for segment in segments]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a **bold** and *light* and __bold__ and _light_ word", "a bold and light and bold and light word"),
        ("***both*** and ~~gone~~", "both and gone"),
        ("snake_case_name, 2 * 3 * 4", "snake_case_name, 2 * 3 * 4"),
        ("[a link](http://x/y_(z) 'title')", "a link"),
        ("[![picture](p.png) and text](http://x)", "picture and text"),
        ("a [reference][1] link", "a reference link"),
        ("`code *stays*` and ``a ` tick``", "code *stays* and a ` tick"),
        ("[`<td>`: a cell](http://x)", "<td>: a cell"),
        ("<b>bold</b> text<br>next", "bold text next"),
        ("<https://example.org/>", "https://example.org/"),
        (r"\*no marks\* &amp; 1 &lt; 2", "*no marks* & 1 < 2"),
    ],
)
def test_inline_marks_are_reduced_to_what_a_page_shows(text, shown):
    assert MARKDOWN(text) == [Segment(P, shown)]


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("<h>Bread\n<p>Flour", "1.txt", "cleaneval"),
        ("URL: http://example.org/\n", "", "cleaneval"),
        ("\ufeffURL: http://example.org/\n", "", "cleaneval"),
        ("# Bread", "bread.MD", "markdown"),
        ("# Bread", "bread.txt", "text"),
        ("write <p> before a paragraph", "", "text"),
        ("", "", "text"),
    ],
)
def test_the_format_is_told_by_markers_or_by_the_name(text, name, expected):
    assert likely_format(text, name) == expected


@pytest.mark.parametrize("line", ["## Bread ##", "#\tBread", "# Bread # ###", "###### Bread#\t#  "])
def test_a_heading_may_be_closed(line):
    [segment] = MARKDOWN(line)

    assert segment.label is H
    assert segment.text.replace(" #", "").rstrip("#") == "Bread"


def test_a_comment_ends_where_it_is_closed_or_is_none():
    assert CLEANEVAL("<p>one <!-- two <!-- three --> four <!-- five") == [Segment(P, "one four <!-- five")]


@pytest.mark.parametrize("read", GOLD_FORMATS.values(), ids=GOLD_FORMATS)
def test_every_format_keeps_the_words_of_plain_text(read):
    segments = read("Flour and water.\n\nSalt, too.\n")

    assert " ".join(segment.text for segment in segments) == "Flour and water. Salt, too."
