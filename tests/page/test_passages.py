import pytest
from hypothesis import given
from hypothesis import strategies as st

from victorpy.page.blocks import LABELS, Label, Page
from victorpy.page.markup import Markup, Mode
from victorpy.page.passages import joined, passages
from victorpy.page.segment import segment

P, H, L, C, OTHER = Label.PARAGRAPH, Label.HEADER, Label.LIST, Label.CONTINUATION, Label.OTHER

MODES: tuple[Mode, ...] = ("victor", "block")


def texts(page: Page, labels: list[Label]) -> list[str]:
    return [passage.text for passage in passages(page, labels)]


def test_each_content_block_begins_a_passage_of_its_kind():
    page = segment("<h1>News</h1><p>It rains.<ul><li>wet</ul>")

    assert [(passage.label, passage.text) for passage in passages(page, [H, P, L])] == [
        (H, "News"),
        (P, "It rains."),
        (L, "wet"),
    ]


@pytest.mark.parametrize(
    ("html", "labels", "text"),
    [
        pytest.param("<p>Hel<b>lo</b>!", [P, C, C], "Hello!", id="within a word"),
        pytest.param("<p>good <b>day</b>", [P, C], "good day", id="blank before the tag"),
        pytest.param("<p>good<b> day</b>", [P, C], "good day", id="blank behind the tag"),
        pytest.param("<p>good<p>day", [P, C], "good day", id="paragraphs are apart"),
        pytest.param("<p>go<i>od</i><b>day</b>", [P, OTHER, C], "go day", id="dropped between"),
    ],
)
def test_continuations_join_with_the_white_space_of_the_page(html, labels, text):
    assert texts(segment(html), labels) == [text]


@pytest.mark.parametrize("mode", MODES)
def test_a_word_stays_whole_in_both_modes(mode):
    page = segment("<p>Hel<b>lo</b>", markup=Markup(mode=mode))

    assert texts(page, [P, C][: len(page)]) == ["Hello"]


def test_a_continuation_of_nothing_begins_a_paragraph():
    page = segment("<p>menu<p>one<p>two")

    assert passages(page, [OTHER, C, C]) == [(P, "one two", (1, 2))]


@pytest.mark.parametrize(
    "html",
    [
        "<p>one</p><pre>two</pre>",
        "<pre>one</pre><pre>two</pre>",
        "<p>one</p><table><tr><td>two</table>",
        "<table><tr><td>one<td>two</table>",
        "<ul><li>one<li>two</ul>",
        "<dl><dt>one<dd>two</dl>",
        "<h2>one</h2>two",
        "<ul><li>one</ul>two",
    ],
)
def test_a_continuation_stays_in_its_part_of_the_page(html):
    assert texts(segment(html), [P, C]) == ["one", "two"]


def test_an_empty_page_has_no_passages():
    assert passages(segment(""), []) == []


@pytest.mark.parametrize("mode", MODES)
def test_lines_of_preformatted_text_join_with_their_breaks_and_indentation(mode):
    page = segment("<pre>if x:\n    y\nz</pre>", markup=Markup(mode=mode))

    assert texts(page, [P, C, C]) == ["if x:\n    y\nz"]


def test_a_line_break_stays_where_a_line_was_dropped():
    assert texts(segment("<pre>one\ntwo\nthree</pre>"), [P, OTHER, C]) == ["one\nthree"]


def test_words_on_one_line_of_preformatted_text_stay_on_it():
    assert texts(segment("<pre>x = <b>f</b>(1)</pre>"), [P, C, C]) == ["x = f(1)"]


@pytest.mark.parametrize(
    "html", ["<p>see<pre>\n  x\n  y</pre>", "<pre>see</pre><pre>\n  x\n  y</pre>"], ids=["paragraph", "another pre"]
)
def test_what_joins_preformatted_text_from_outside_leaves_no_gap(html):
    page = segment(html, markup=Markup(mode="block"))

    assert joined(page, [0, 1]).startswith("see x")


def test_a_line_break_inside_one_pre_does_not_part_two_of_them():
    assert joined(segment("<pre>one\ntwo</pre><pre>three</pre>"), [0, 2]) == "one three"


def test_line_breaks_come_from_preformatted_text_alone():
    page = segment("<p>one<br>two\nthree<p>four<pre>five</pre>")

    assert "\n" not in texts(page, [P] + [C] * (len(page) - 1))[0]


@given(st.lists(st.sampled_from(LABELS), min_size=7, max_size=7))
def test_every_content_block_is_in_one_passage(labels):
    page = segment("<h1>a</h1><p>b<b>c</b> d<ul><li>e</ul><pre>f\ng</pre>")

    printed = [block for passage in passages(page, labels) for block in passage.blocks]

    assert printed == [number for number, label in enumerate(labels) if label.is_content]
