"""The raw figures of a block, on small pages."""

import pytest

from victorpy.features import features
from victorpy.features.core_columns import OF_TAGS_AND_TEXT
from victorpy.page.markup import Markup
from victorpy.page.segment import segment


def column(name: str, html: str) -> list[float]:
    page = segment(html, markup=Markup(mode="block"))
    return [round(value, 4) for value in features([name])[name](page).tolist()]


LONG = "A sentence that is long enough to be taken for a part of an article, and then some more words to be sure."
MENU = "<ul><li><a>Home</a><li><a>News</a><li><a>About</a></ul>"
ARTICLE = f"<h1>On boats</h1><p>{LONG}</p><p>{LONG}</p><p>{LONG}</p>"
PAGE = f"<title>On boats</title><div>{MENU}</div><div>{ARTICLE}</div><div><a>Imprint</a></div>"


@pytest.mark.parametrize(
    ("text", "letters"),
    [("two words, 3!", 8), ("猫は眠る。", 8), ("кот спит", 7), ("แมว", 3), ("고양이", 6), ("12 – 14", 0)],
    ids=["latin", "japanese", "cyrillic", "thai", "korean", "no letters"],
)
def test_wide_letters_count_as_two(text, letters):
    assert column("block.letters", f"<p>{text}") == [letters]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("letters", 15),
        ("linked", 5),
        ("link-share", 5 / 15),
        ("lower-share", 13 / 15),
        ("digit-share", 2 / 24),
        ("sign-share", 3 / 24),
        ("sentence-ends", 1),
        ("letters-per-word", 15 / 5),
        ("runs", 3),
        ("commas", 1),
        ("colons", 1),
        ("currency", 0),
    ],
)
def test_what_a_block_says(name, value):
    assert column(f"block.{name}", "<p>Of <a>boats</a>, see: 12 Minis.") == [pytest.approx(value, abs=1e-4)]


def test_borders_separate_headings_from_sentences():
    first, last = column("block.first", "<p>one<p>One<p>1"), column("block.last", "<p>one.<p>one<p>one 1")

    assert len(set(first)) == len(set(last)) == 3


def test_a_block_knows_the_semantic_elements_around_it():
    html = "<nav><ul><li>a</ul></nav><article><p>b<aside>c</aside></article>d"

    assert column("inside.nav", html) == [1, 0, 0, 0]
    assert column("inside.article", html) == [0, 1, 1, 0]
    assert column("inside.aside", html) == [0, 0, 1, 0]
    assert column("inside.item", html) == [1, 0, 0, 0]


@pytest.mark.parametrize(
    ("attribute", "name"),
    [
        ("role=navigation", "nav"),
        ("role=main", "main"),
        ("role=contentinfo", "footer"),
        ("role=alertdialog", "dialog"),
        ("role=heading", "heading"),
        ("role=tab", "button"),
    ],
)
def test_a_role_is_as_good_as_a_tag(attribute, name):
    assert column(f"inside.{name}", f"<div {attribute}><p>one</div><p>two") == [1, 0]
    assert column(f"inside.{name}", "<div>" * 500 + f"<div {attribute}><p>one</div><p>two") == [1, 0]


def test_other_roles_say_nothing():
    html = "<div role=presentation>one</div>"

    assert [name for name in OF_TAGS_AND_TEXT if name.startswith("inside.") and column(name, html) != [0]] == []


def test_each_next_part_holds_more_blocks():
    html = "<div><section><div><p>one<p>two</div></section><p>three</div><p>four"

    assert column("part.1.blocks", html) == [2, 2, 3, 4]
    assert column("part.2.blocks", html) == [3, 3, 4, 4]
    assert column("part.3.blocks", html) == [4, 4, 4, 4]
    assert column("part.1.letters", html) == [6, 6, 11, 15]
    assert column("part.1.position", html) == [0, 0.5, 0.6667, 0.75]


def test_a_part_knows_how_much_of_it_is_linked():
    assert column("part.1.link-share", "<div><p><a>abc</a><p>d</div><p>e") == [0.75, 0.75, 0.6]


def test_repeated_parts_are_counted_with_their_like():
    card = "<div><h3>one</h3><p>two</div>"
    html = f"<section>{card}{card}{card}<div><p>three<p>four</div></section><p>five"

    assert column("part.1.beside", html)[0] == 4
    assert column("part.1.same-tag", html)[0] == 4
    assert column("part.1.alike", html)[0] == 3
    assert column("part.0.same-tag", html) == [1, 1, 1, 1, 1, 1, 2, 2, 1]


def test_a_page_is_the_same_for_all_its_blocks():
    html = "<h1>abc</h1><p>de<p><a>fghij</a>"

    assert column("page.letters", html) == [10, 10, 10]
    assert column("page.link-share", html) == [0.5, 0.5, 0.5]
    assert column("page.p-share", html) == [0.7, 0.7, 0.7]
    assert column("page.h1s", html) == [1, 1, 1]
    assert column("page.longest", html) == [5, 5, 5]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("blocks", 4),
        ("sentence-ends", 1),
        ("digit-share", 3 / 16),
        ("currency", 2),
        ("commas", 1),
        ("copies-share", 0),
        ("most-alike", 3),
        ("list-share", 11 / 16),
        ("heading-share", 5 / 16),
        ("h2s", 1),
        ("lis", 3),
    ],
)
def test_figures_of_a_page(name, value):
    html = "<h2>Fares</h2><ul><li>Out, $4<li>Back: $7<li>Asks 1.</ul>"

    assert column(f"page.{name}", html) == [pytest.approx(value, abs=1e-4)] * 4


@pytest.mark.parametrize("core", ["half", "best"])
def test_the_core_of_a_page_is_the_div_of_the_article(core):
    assert column(f"core.{core}.inside", PAGE) == [0, 0, 0, 1, 1, 1, 1, 0]
    assert column(f"core.{core}.before", PAGE) == [3, 2, 1, 0, 0, 0, 0, 0]
    assert column(f"core.{core}.behind", PAGE) == [0, 0, 0, 0, 0, 0, 0, 1]


def test_the_way_to_the_core_goes_over_what_holds_both():
    assert column("core.half.steps-out", PAGE) == [1, 1, 1, 0, 0, 0, 0, 1]
    assert column("core.half.steps-in", PAGE) == [4, 4, 4, 1, 1, 1, 1, 2]


def test_the_best_stretch_need_not_be_an_element():
    html = f"{MENU}<p>{LONG}</p><p>Two</p><p>{LONG}</p>{MENU}"

    assert column("stretch.inside", html) == [0, 0, 0, 1, 1, 1, 0, 0, 0]


def test_the_heading_that_says_what_the_title_says_is_found():
    assert column("title.covered", PAGE)[3] == 1
    assert column("title.covers", PAGE)[3] == 1
    assert column("from.title", PAGE) == [-3, -2, -1, 0, 1, 2, 3, 4]
    assert column("from.h1", PAGE) == [-3, -2, -1, 0, 1, 2, 3, 4]


def test_the_title_is_known_in_other_case_and_other_scripts():
    assert column("title.covered", "<title>猫は眠る</title><h1>猫は眠る。</h1><p>犬は起きる") == [1, 0]
    assert column("title.covered", "<title>On Boats</title><h1>ON BOATS</h1><p>no") == [1, 0]


def test_a_branch_beside_the_core_counts_as_a_whole():
    html = f"{PAGE}<section><div><h2>More</h2><ul><li><a>Bridges</a><li><a>Rain</a></ul></div></section>"

    assert column("branch.blocks", html) == [3, 3, 3, 1, 1, 1, 1, 1, 3, 3, 3]
    assert column("branch.gap", html) == [-1, -1, -1, 0, 0, 0, 0, 1, 2, 2, 2]
    assert column("branch.link-share", html)[-3:] == [0.7333] * 3
    assert column("branch.position", html)[-3:] == [0, 0.3333, 0.6667]


def test_long_blocks_make_a_part_long():
    html = f"<div><p>{'a' * 80}<p>{'b' * 20}</div><p>{'c' * 79}"

    assert column("part.1.long-share", html)[:2] == [0.8, 0.8]
    assert column("page.long-share", html) == [0.4469] * 3


def test_copies_are_counted():
    assert column("block.copies", "<p>one<p>two<p>one<p>one!") == [2, 1, 2, 1]
    assert column("page.copies-share", "<p>one<p>two!<p>one") == [0.6667] * 3


def test_neighbours_count_and_beyond_the_ends_is_nothing():
    html = "<div><p>a<p>bb</div><p>ccc"

    assert column("beside.-1.letters", html) == [0, 1, 2]
    assert column("beside.+2.letters", html) == [3, 0, 0]
    assert column("beside.+1.kind", html)[2] == 0 < column("beside.+1.kind", html)[0]


def test_windows_reach_to_both_sides():
    assert column("window.2.letters", "<p>a<p>bb<p>ccc<p>dddd") == [6, 10, 10, 9]
    assert column("window.2.link-share", "<p><a>a</a><p>b<p>cc<p>ddddd") == [0.25, 0.1111, 0.1111, 0]


def test_sections_go_from_heading_to_heading():
    html = "<p>a<h2>bb</h2><p>ccc<p>dddd<h3>e</h3>"

    assert column("section.blocks-before", html) == [0, 0, 1, 2, 0]
    assert column("section.letters-before", html) == [0, 0, 2, 5, 0]
    assert column("section.blocks-behind", html) == [1, 3, 2, 1, 1]
    assert column("section.letters-behind", html) == [1, 9, 7, 4, 1]


def test_blocks_with_the_same_tags_around_them_belong_together():
    html = "<div><p>a<p>bb</div><div><p>ccc</div><p>dddd"

    assert column("path.blocks", html) == [3, 3, 3, 1]
    assert column("path.letters", html) == [6, 6, 6, 4]
    assert column("path.longest", html) == [3, 3, 3, 4]
    assert column("parent-path.blocks", html) == [3, 3, 3, 1]


def test_links_tell_where_they_lead():
    html = (
        "<link rel=canonical href=https://www.boats.example/a><p><a href=#up>Top</a> one<p><a href=/tag/sail/>Sails</a>"
        "<p><a href=https://boats.example/b>Ours</a><p><a href=//other.example>Theirs</a>"
        "<p><a href='https://social.example/sharer?u=x'>Share</a><p><a>No address</a>"
    )

    assert column("link.here-share", html) == [0.5714, 0, 0, 0, 0, 0]
    assert column("link.away-share", html) == [0, 0, 0, 1, 1, 0]
    assert column("link.service-share", html) == [0, 0, 0, 0, 1, 0]
    assert column("link.tag", html) == [0, 1, 0, 0, 0, 0]


def test_words_of_titles_in_addresses_name_no_family():
    assert column("link.comment", "<a href=/2024/what-comments-are-for>One</a>") == [0]
    assert column("link.comment", "<a href=/2024/what-comments-are-for/#comments>One</a>") == [1]


def test_the_head_says_what_the_text_repeats():
    html = (
        '<meta name=description content="The ferry leaves at noon"><script type="application/ld+json">{"@type":'
        '"NewsArticle", "articleBody": "Boats sail on Sundays, and trains do not."}</script>'
        "<p>The ferry leaves at noon!<p>Boats sail on Sundays,<p>Cookies are used here"
    )

    assert column("said.description", html) == [1, 0, 0]
    assert column("said.article", html) == [0, 1, 0]
    assert column("said.is-told", html) == [1, 1, 1]
    assert column("said.is-told", "<p>One") == [0]


def test_broken_scripts_say_nothing():
    html = '<script type="application/ld+json">{"articleBody": "Boats sail on Sun</script><p>Boats sail on Sundays'

    assert column("said.article", html) == [0]
    assert column("said.is-told", html) == [0]


def test_dates_are_known_in_short_blocks():
    assert column("said.date", f"<p>Posted on 12 March 2024<p>May<p>12<p>{LONG} 12 March 2024") == [1, 0, 0, 0]


def test_pictures_are_near_or_far():
    html = "<p>One</p><img src=a><p>Two</p><p>Three"

    assert column("picture.before", html) == [1000, 3, 5]
    assert column("picture.behind", html) == [1, 1000, 1000]
