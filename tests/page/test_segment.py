from itertools import groupby

import pytest

from victorpy.page.blocks import Page
from victorpy.page.markup import BLOCKS, STANDARD, Markup
from victorpy.page.segment import segment

BLOCK = Markup(mode="block")
LINE = Markup(mode="line")


def texts(html: str, markup: Markup = STANDARD) -> list[str]:
    return segment(html, markup=markup).texts


def test_every_tag_ends_a_block_in_victor_mode():
    assert texts("<p>Hel<b>lo</b> all<br>of you<p>two") == ["Hel", "lo", "all", "of you", "two"]


def test_inline_tags_and_single_line_breaks_merge_in_block_mode():
    assert texts("<p>Hel<b>lo</b> all<br>of you<br><br>again<p>two", BLOCK) == ["Hello all of you", "again", "two"]


def test_every_line_break_ends_a_block_in_line_mode():
    assert texts("<p>Hel<b>lo</b> all<br>of you<br><br>again<p>two", LINE) == ["Hello all", "of you", "again", "two"]
    assert texts("<p>1. Birthday<b><br></b>2. <i>Closet</i> Classics", LINE) == ["1. Birthday", "2. Closet Classics"]


@pytest.mark.parametrize(
    ("html", "merged"),
    [
        ("<p>Hel<b>lo</b>", "Hello"),
        ("<p>one <b>two</b>", "one two"),
        ("<p>one<b> two</b>", "one two"),
        ("<p>one<b> </b>two", "one two"),
        ("<p><b>on</b><i>ly</i>", "only"),
        ("<a href=1>Home</a><a href=2>About</a>", "Home About"),
        ("<span>12</span><span>comments</span>", "12 comments"),
        ("<p>one<br>two", "one two"),
        ("<p>a<wbr>b", "ab"),
        ("<p><span>H</span>ello", "Hello"),
    ],
)
def test_merged_text_keeps_the_white_space_that_the_page_shows(html, merged):
    assert texts(html, BLOCK) == [merged]


def test_a_block_knows_its_containers_from_outermost_to_innermost():
    (block,) = segment("<div><p>see <a>").blocks

    assert block.containers == ("html", "body", "div", "p")


def test_a_merged_block_lies_in_what_encloses_all_of_it():
    page = segment("<p><a>all of <b>it</b></a><p><a>some</a> of it", markup=BLOCK)

    assert [block.containers[2:] for block in page.blocks] == [("p", "a"), ("p",)]


def test_the_distance_is_the_tags_since_the_block_before():
    one, two, three = segment("<div>one<br><hr></div><ul><li>two</li></ul>three").blocks

    assert one.distance == ("html", "head", "/head", "body", "div")
    assert two.distance == ("br", "hr", "/div", "ul", "li")
    assert three.distance == ("/li", "/ul")


def grouped(page: Page, groups: list[int]) -> set[tuple[str, ...]]:
    pairs = sorted(zip(groups, page.texts, strict=True))
    return {tuple(text for _, text in group) for _, group in groupby(pairs, key=lambda pair: pair[0])}


def test_blocks_that_descend_directly_from_the_same_div_are_a_group():
    page = segment("<div> a <div> b <i>c</i> </div> d <div> e <i>f</i> </div> g </div>")

    assert grouped(page, [block.div_group for block in page.blocks]) == {("a", "d", "g"), ("b", "c"), ("e", "f")}


def test_cells_group_blocks_too():
    page = segment("<table><tr><td>a<b>b</b><td>c</table>d")

    assert grouped(page, [block.td_group for block in page.blocks]) == {("a", "b"), ("c",), ("d",)}


def test_scripts_styles_and_embedded_objects_are_deleted():
    assert texts("<style>a{}</style><p>one<script>two</script>three<svg><text>four</text></svg>") == ["onethree"]


@pytest.mark.parametrize(
    ("html", "texts"),
    [
        ("<p>one<embed src=x><p>two</p>three", ["one", "two", "three"]),
        ("<image alt=one><p>two", ["one", "two"]),
        ("<p>one<template><p>no</template>two", ["onetwo"]),
        ("<p>one</template>two<div>three<template>no", ["onetwo", "three"]),
        ("<table><tr><template>no</template><td>one</table>two", ["one", "two"]),
        ("<p>one<svg><g>no</g></svg>two", ["onetwo"]),
        ("<p>one</p><svg><section>two</section><article>three", ["one", "two", "three"]),
        ("<svg><g>one<svg>no</svg></g><p>two", ["one", "two"]),
        ("<div><svg><foreignObject><p>one</foreignObject></svg></div>two", ["onetwo"]),
        ("<svg><title>no</title><style>no</style><![CDATA[one]]>", ["one"]),
        ("<svg><svg>no</svg><template>no</template>", []),
        ("<p>one<svg><frame>two<p>three", ["onetwo", "three"]),
        ("<p>one<math><frame>two<p>three", ["onetwo", "three"]),
        ("<math><style>no</style><title>one</title></math>", ["one"]),
        ("<title>no</title><iframe>no</iframe><noscript>one</noscript><noframes>no", ["one"]),
    ],
)
def test_text_that_browsers_show_is_in_a_block_whatever_is_broken(html, texts):
    assert segment(html, "x", markup=BLOCKS).texts == texts


def test_text_around_a_deleted_element_is_one_block():
    assert texts("<p>one <script>x</script>two") == ["one two"]


def test_noscript_stays_unless_the_config_says_otherwise():
    html = "<p>one</p><noscript><p>two</noscript>"

    assert texts(html) == ["one", "two"]
    assert texts(html, Markup(keep_noscript=False)) == ["one"]


@pytest.mark.parametrize(
    "script",
    [
        """document.write("<script src='x'></script>"); var a = "<p>no text";""",
        """document.write('<script>1</script>'); document.write("<p>no text</p>");""",
        """<!-- document.write("<script src='x'></script>") -->""",
        """var a = "<script>"; var b = "<\\/script>";""",
    ],
)
def test_scripts_that_speak_of_scripts_do_not_end_early(script):
    assert texts(f"<p>one</p><script>{script}</script><p>two") == ["one", "two"]


def test_each_preformatted_line_is_a_block_with_its_indentation():
    html = "<pre>def f():\n    <b>return</b> 1\n\nf()</pre>"

    assert texts(html, BLOCK) == ["def f():", "    return 1", "f()"]


def test_what_a_picture_says_is_text_inside_of_it_and_what_a_field_holds_is_not():
    page = segment("<p>one<img alt='a &amp; b'>two<input value='no'>")

    assert page.texts == ["one", "a & b", "two"]
    assert page.blocks[1].containers[-1] == "img"


def test_entities_are_decoded():
    assert texts("<p>caf&eacute;&nbsp;&amp;&#x20AC;&lt;") == ["café &€<"]


def test_the_wrapper_of_cleaneval_names_url_and_title():
    page = segment(
        '<text id="http://a.example/?a=1&amp;b=2" title="A &amp; B" encoding="x">\n<html><p>one</html></text>'
    )

    assert (page.url, page.title, page.texts) == ("http://a.example/?a=1&b=2", "A & B", ["one"])


def test_text_after_the_end_of_the_page_comes_last():
    assert texts("<p>one</p></body>two</html>three<p>four", BLOCK) == ["one", "twothree", "four"]


def test_what_mends_scripts_adds_nothing_to_text():
    page = "<script>write('<script>x</script>');</script><p>one<img alt=\"write('</script>')\">"

    assert texts(page) == ["one", "write('</script>')"]


def test_the_title_is_not_a_block():
    page = segment("<title> One\n two </title><svg><title>no</title></svg><p>three")

    assert (page.title, page.texts) == ("One two", ["three"])


@pytest.mark.parametrize("html", ["", " \n", "<!-- x -->", "<script>x</script>", "</div>", "\ufeff", "<p>&#8203;"])
@pytest.mark.parametrize("markup", [Markup(), BLOCK, LINE], ids=["victor", "block", "line"])
def test_a_page_without_text_has_no_blocks(html, markup):
    assert len(segment(html, markup=markup)) == 0


@pytest.mark.parametrize("tag", ["div", "b", "ul><li", "table><tr><td", "font"])
@pytest.mark.parametrize("markup", [Markup(), BLOCK, LINE], ids=["victor", "block", "line"])
def test_no_text_is_lost_however_deep_it_nests(tag, markup):
    page = segment(f"<{tag}>w " * 20_000 + "end", markup=markup)

    assert page.text.split() == ["w"] * 20_000 + ["end"]
    # Deeper elements stand side by side, as browsers have them.
    assert page.elements.depths.max() <= 520


def test_a_page_that_nests_deeper_than_browsers_go_keeps_its_title_and_loses_its_scripts():
    page = segment("<title>T</title>" + "<div>" * 3_000 + "<script>no<b>no</script>one<img alt=two>three")

    assert (page.title, page.texts) == ("T", ["one", "two", "three"])


def test_control_characters_and_nul_bytes_never_reach_the_text():
    assert texts("<p>a\x00b\x01c\x7f&#2;d") == ["abcd"]


def test_half_a_surrogate_does_not_stop_the_page():
    assert texts("<p>a\ud800b") == ["a?b"]


def test_a_block_knows_its_line_in_the_source():
    page = segment("<html>\n<p>one\n<p>two")

    assert [block.line for block in page.blocks] == [2, 3]


def test_what_has_no_width_leaves_no_blank_behind():
    assert texts("<p>&#8203; &#8203;<p>x &#8203;<p>y") == ["x", "y"]


def test_a_reference_without_end_in_a_title_is_no_character():
    assert segment(f"<title>a&#{'9' * 5000};</title><p>b").title == "a\ufffd"
