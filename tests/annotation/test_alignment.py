from collections.abc import Sequence
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from victorpy.annotation.alignment import Projection, project
from victorpy.annotation.gold_texts import GOLD_FORMATS, Segment
from victorpy.foundation.subsequence import common_subsequence
from victorpy.page.blocks import Label
from victorpy.page.markup import Markup, Mode
from victorpy.page.passages import passages
from victorpy.page.segment import segment

P, H, L, C, OTHER = Label.PARAGRAPH, Label.HEADER, Label.LIST, Label.CONTINUATION, Label.OTHER

MODES: tuple[Mode, ...] = ("victor", "block", "line")

MENU = "<ul><li>Home<li>Bread<li>Cakes</ul>"
ARTICLE = "<p>Flour and water make a dough.<p>Leave it in a warm place overnight."
GOLD = "<h>Bread <p>Flour and water make a dough. <p>Leave it in a warm place overnight."


def projected(html: str, gold: str, form: str = "cleaneval", mode: Mode = "victor") -> Projection:
    return project(segment(html, markup=Markup(mode=mode)), GOLD_FORMATS[form](gold))


def labels(html: str, gold: str, form: str = "cleaneval", mode: Mode = "victor") -> list[Label]:
    return projected(html, gold, form, mode).labels


@pytest.mark.parametrize("mode", MODES)
def test_blocks_of_the_gold_get_its_labels_and_all_others_are_noise(mode):
    html = f"{MENU}<h1>Bread</h1>{ARTICLE}<ul><li>salt<li>yeast</ul><p>Copyright"

    assert labels(html, f"{GOLD} <l>salt <l>yeast", mode=mode) == [OTHER] * 3 + [H, P, P, L, L, OTHER]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        pytest.param(f"{MENU}<h1>Bread</h1>{ARTICLE}", [OTHER] * 3 + [H, P, P], id="title in the menu"),
        pytest.param(f"<h1>Bread</h1>{ARTICLE}{MENU}", [H, P, P] + [OTHER] * 3, id="menu at the end"),
        pytest.param(
            f"<div>Home<div>Bread</div></div><h1>Bread</h1>{ARTICLE}", [OTHER] * 2 + [H, P, P], id="breadcrumb"
        ),
        pytest.param(
            f"<h1>Bread</h1><img alt=Bread><p>Flour and water<p>Read more</p>{ARTICLE}",
            [H, OTHER, OTHER, OTHER, P, P],
            id="teaser of the first paragraph",
        ),
        pytest.param(
            f"<h1>Bread</h1>{ARTICLE}<p>Related<p>Flour and water make a dough.",
            [H, P, P, OTHER, OTHER],
            id="paragraph once more",
        ),
    ],
)
def test_of_several_copies_the_one_among_the_other_content_counts(html, expected):
    assert labels(html, GOLD) == expected


def test_a_picture_of_the_same_name_is_no_headline():
    html = '<p><img alt="Rye bread at home"><a>Rye bread at home</a></p><p>All you need.'

    assert labels(html, "<h>Rye bread at home <p>All you need.") == [OTHER, H, P]


def test_blocks_that_go_on_with_a_segment_are_continuations():
    html = "<p>See <a>our shop</a> for more, or <i>Rye</i>.<p>Second paragraph."

    assert labels(html, "<p>See our shop for more, or Rye. <p>Second paragraph.") == [P, C, C, C, C, P]


def test_a_block_that_holds_several_segments_takes_the_label_of_the_first():
    assert labels("<p>Bread Flour and water", "<h>Bread <p>Flour and water", mode="block") == [H]


def test_a_word_that_tags_split_is_found():
    assert labels("<p>H<b>ell</b>o <i>big</i> world", "<p>Hello big world") == [P, C, C, C, C]
    assert labels("<p>H<b>ell</b>o <i>big</i> wide, old world", "<p>Hello big wide world") == [P, C, C, C, C]


def test_a_segment_that_noise_interrupts_is_taken_up_again():
    html = "<p>Flour and water make<div>Advertisement</div>a very fine dough."

    assert labels(html, "<p>Flour and water make a very fine dough.") == [P, OTHER, C]


def test_signs_without_words_go_with_the_text_around_them():
    html = "<p>\u201c<i>Rye</i>\u201d is a <a>grain</a>.</p><p>|</p><p>Menu"

    assert labels(html, "<p>\u201cRye\u201d is a grain.") == [P, C, C, C, C, OTHER, OTHER]


@pytest.mark.parametrize(
    ("html", "gold", "expected"),
    [
        pytest.param("<h2>Bread</h2><p>Flour", "Bread\nFlour", [H, P], id="heading"),
        pytest.param("<ul><li>Flour<li>Water, <b>warm</b></ul>", "Flour\nWater, warm", [L, L, C], id="list items"),
        pytest.param("<li><p>Flour<p>of rye</li>", "Flour\nof rye", [L, P], id="second paragraph of an item"),
        pytest.param("<p>Flour <b>and</b> water", "Flour and water", [P, C, C], id="inline tags"),
        pytest.param("<p>Flour<br>Water<br><br>Salt", "Flour\nWater\nSalt", [P, C, P], id="line breaks"),
        pytest.param("<div>Price<div>3 euros", "Price 3 euros", [P, C], id="one line of the gold"),
        pytest.param("<table><tr><td>Price<td>3 euros", "Price 3 euros", [P, P], id="cells in one line"),
        pytest.param("<p>It is done.<p>Now eat.", "It is done. Now eat.", [P, P], id="paragraphs in one line"),
        pytest.param("<h2>Bread</h2><p>Flour", "Bread Flour", [H, P], id="heading in the line of its text"),
    ],
)
def test_without_labels_in_the_gold_the_tags_say_what_a_block_is(html, gold, expected):
    assert labels(html, gold, "text") == expected


def test_markdown_says_what_the_tags_do_not():
    html = "<div>Bread</div><div>Flour and <b>water</b></div><div>salt</div>"

    assert labels(html, "## Bread\n\nFlour and **water**\n\n- salt", "markdown") == [H, P, C, L]


def test_text_that_differs_a_little_is_found():
    html = f"{MENU}<p>Posted by Ann on Monday: flour and water make a good dough in no time<p>Leave it overnight."

    assert labels(html, "<p>Flour and water make a dough in no time. <p>Leave it overnight.") == [OTHER] * 3 + [P, P]


def test_a_longer_block_keeps_its_first_words_from_a_neighbour_that_is_only_those():
    html = "<p>Daily Baker<p>Daily Baker reports that rye rose by 497 percent in the second quarter."

    assert labels(html, "<p>Daily Baker reports that rye rose by 487 percent in the second quarter.") == [OTHER, P]


def test_text_that_the_gold_has_in_another_order_is_found():
    html = "<p>Comment number one is short.<p>Flour and water make a dough.<p>Leave it in a warm place."
    gold = "<p>Flour and water make a dough. <p>Leave it in a warm place. <p>Comment number one is short."

    assert labels(html, gold) == [P, P, P]


def test_scattered_words_of_the_gold_are_no_content():
    html = f"<p>The<p>of<p>And more<p>In stock</p><h1>Bread</h1>{ARTICLE}"
    gold = "<h>Bread " + GOLD[4:] + " <p>The art of the loaf is in the hands of the baker and of the oven in winter"

    assert labels(html, gold)[:4] == [OTHER] * 4


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "text",
    [
        "\u6628\u65e5\u6709\u6d88\u606f\u79f0\u4eca\u5929\u4e0b\u96e8",
        "\u0e27\u0e31\u0e19\u0e19\u0e35\u0e49\u0e1d\u0e19\u0e15\u0e01\u0e2b\u0e19\u0e31\u0e01",
    ],
    ids=["Chinese", "Thai"],
)
def test_scripts_without_spaces_are_compared_by_character(text, mode):
    html = f"<div>{text[0]}</div><p>{text[:4]}<a>{text[4:6]}</a>{text[6:]}"
    expected = {"victor": [OTHER, P, C, C], "block": [OTHER, P], "line": [OTHER, P]}

    assert labels(html, text + text[:1], "text", mode) == expected[mode]


def test_the_score_is_that_of_the_printed_words():
    projection = projected(f"{MENU}<p>Flour and good water<p>Cookies", "<p>Flour and water <p>Not on this page")

    assert projection.score == pytest.approx((3 / 4, 3 / 7, 6 / 11))
    assert projection.missing == ["Not on this page"]
    assert projection.spurious == pytest.approx(1 / 4)


@pytest.mark.parametrize("html", ["", "<p>", "<p>Flour", "<p>|<p>\u2022"])
@pytest.mark.parametrize("gold", ["", "...", "Flour", "Water"])
def test_every_block_has_a_label_even_where_there_is_nothing_to_align(html, gold):
    page = segment(html)

    projection = project(page, GOLD_FORMATS["text"](gold))

    assert projection.labels == [P if text == gold else OTHER for text in page.texts]


WORDS = st.lists(st.sampled_from("abcde"), max_size=12)


@given(WORDS, WORDS, st.booleans())
def test_a_common_subsequence_rises_on_both_sides_and_none_is_longer(a, b, is_late):
    numbers = [[ord(word) for word in words] for words in (a, b)]

    pairs = common_subsequence(*numbers, is_late)

    assert all(a[i] == b[j] for i, j in pairs)
    assert all(i < k and j < m for (i, j), (k, m) in pairwise(pairs))
    assert len(pairs) == longest(a, b)


def longest(a: Sequence[str], b: Sequence[str]) -> int:
    row = [0] * (len(b) + 1)
    for word in a:
        before = row
        row = [0]
        for j, other in enumerate(b):
            row.append(before[j] + 1 if word == other else max(row[j], before[j + 1]))
    return row[-1]


def test_a_subsequence_too_long_to_keep_all_rows_is_the_same(monkeypatch):
    random = Random(1)
    a, b = ([random.randrange(9) for _ in range(200)] for _ in range(2))
    expected = common_subsequence(a, b)

    monkeypatch.setattr("victorpy.foundation.subsequence._MAX_ROW_BITS", 1_000)

    assert common_subsequence(a, b) == expected


@given(st.lists(st.lists(st.sampled_from(["salt", "rye", "oat"]), min_size=1, max_size=3), max_size=8), st.data())
def test_a_page_that_is_its_gold_scores_full_marks(lines, data):
    texts = [" ".join(line) for line in lines]
    page = segment("".join(f"<p>{text}" for text in texts), markup=Markup(mode=data.draw(st.sampled_from(MODES))))

    projection = project(page, [Segment(P, text) for text in texts])

    assert projection.labels == [P] * len(page)
    assert [passage.text for passage in passages(page, projection.labels)] == texts
    assert projection.score.f1 == 1
