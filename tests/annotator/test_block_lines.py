import pytest

from victorpy.annotator.block_lines import ListArea, last_whole, rows, top_for
from victorpy.annotator.session import Session, Suggestion, mark_toggled, moved_by, moved_to
from victorpy.annotator.widths import width
from victorpy.page.blocks import Label
from victorpy.page.markup import Markup
from victorpy.page.segment import segment

HTML = """\
<body><h2>Ferries</h2><p>The ferry <b>leaves</b> at <a href=x>seven</a>.</p>
<ul><li>a lantern</li><li><a href=y>bread</a></li></ul>
<table><tr><td>7:00</td></tr></table><blockquote>“Why?”</blockquote><pre>one
two</pre>line<br>break</body>"""
PAGE = segment(HTML)
AREA = ListArea(80, 20)


def session(page=PAGE, **more):
    return Session(page, (None,) * len(page), **more)


def texts(found):
    return ["".join(text for _, text in row.line) for row in found]


def styles(session, block):
    return " ".join(style for style, _ in rows(session, block, AREA)[0].line).replace("class:", "").split()


def test_what_a_block_is_shows_in_front_of_it():
    assert [text[4:].rstrip() for text in texts(rows(session(), 0, AREA))] == [
        "·  ## Ferries",
        "·  The ferry",
        "·  ~ leaves",
        "·  ~ at",
        "·  ~ seven",
        "·  ~ .",
        "·   • a lantern",
        "·   • bread",
        "·     │ 7:00",
        "·  ❝ “Why?”",
        "·  $ one",
        "·  $ two",
        "· line",
        "· break",
    ]


def test_links_bold_text_and_headings_have_looks_of_their_own():
    assert "header" in styles(session(), 0)
    assert "bold" in styles(session(), 2)
    assert "link" in styles(session(), 4)
    assert not {"header", "bold", "link"} & set(styles(session(), 1))


def test_the_label_is_shown_and_a_suggestion_as_no_more_than_that():
    suggestions = (Suggestion(Label.HEADER, 0.876),) * len(PAGE)
    labels = (Label.OTHER, *(None,) * (len(PAGE) - 1))
    first, second, *_ = texts(rows(Session(PAGE, labels, suggestions), 0, AREA))

    assert first.startswith("> 0 o      ")
    assert second.startswith("  1 h?87%  ")


def test_a_review_shows_both_sides_and_what_was_decided():
    one, two = (Label.HEADER,) * len(PAGE), (Label.PARAGRAPH,) * len(PAGE)
    labels = (Label.HEADER, *(None,) * (len(PAGE) - 1))
    first, second, *_ = texts(rows(Session(PAGE, labels, sides=(one, two)), 0, AREA))

    assert first.startswith("> 0 h|p h ")
    assert second.startswith("  1 h|p · ")


def test_the_marked_range_shows():
    marked = moved_by(mark_toggled(moved_to(session(), 2)), 2)

    assert [text[0] for text in texts(rows(marked, 0, AREA))][:6] == [" ", " ", "|", "|", ">", " "]


@pytest.mark.parametrize("is_wrapped", [False, True])
@pytest.mark.parametrize("size", [60, 80, 200])
def test_every_line_is_as_wide_as_the_window(size, is_wrapped):
    page = segment("<p>" + "港口 news שלום cafe\u0301 " * 40 + "<p>\x1b]0;evil" + "<div>" * 40 + "deep")
    area = ListArea(size, 50, is_wrapped)

    assert {width(text) for text in texts(rows(session(page), 0, area))} == {size}


def test_wrapped_texts_are_shown_whole():
    page = segment("<p>" + "word " * 60)
    shown = "".join(texts(rows(session(page), 0, ListArea(60, 20, is_wrapped=True))))

    assert shown.count("word") == 60


def test_the_cursor_is_always_in_sight_and_the_list_moves_no_more_than_need_be():
    page = segment("".join(f"<p>block {n} " + "word " * (n % 37) for n in range(120)), markup=Markup())
    for area in (ListArea(60, 9), ListArea(60, 9, is_wrapped=True), ListArea(200, 41)):
        top = 0
        for cursor in [*range(120), *range(119, -1, -7), 5, 110, 60]:
            at_cursor = moved_to(session(page), cursor)
            top = top_for(at_cursor, top, area)
            assert cursor in [row.block for row in rows(at_cursor, top, area)]
            assert top_for(at_cursor, top, area) == top


@pytest.mark.parametrize("is_wrapped", [False, True])
def test_the_end_of_the_page_fills_the_window(is_wrapped):
    page = segment("".join(f"<p>block {n} " + "word " * (n % 37) for n in range(60)))
    area = ListArea(60, 20, is_wrapped)

    assert len(rows(session(page), top_for(moved_to(session(page), 58), 57, area), area)) >= 18
    assert top_for(session(segment("<p>one<p>two")), 1, area) == 0


def test_the_last_whole_block_is_not_one_that_the_screen_cuts():
    page = segment("<p>one<p>" + "word " * 60)

    assert last_whole(session(page), 0, ListArea(60, 3, is_wrapped=True)) == 0
    assert last_whole(session(page), 0, ListArea(60, 20, is_wrapped=True)) == 1
    assert last_whole(session(page), 0, ListArea(60, 3)) == 1
