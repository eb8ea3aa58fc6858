"""Pages that are read with libxml2: because somebody asks for it, or because they are XML."""

from dataclasses import replace

import pytest

import victorpy
from victorpy.page.markup import Markup
from victorpy.page.segment import segment
from victorpy.sources import find_pages, read_page

XHTML = """<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml"><head><title>The &amp; ferry</title><script src="x.js"/></head>
<body><p id="a">The ferry&nbsp;leaves<br/> at seven.</p><div class="b"/><p>Nobody is awake.</p></body></html>"""


def cut(html, parser):
    return segment(html, markup=Markup(mode="block", parser=parser))


def test_a_script_that_closes_itself_is_closed_in_xml_only():
    assert cut(XHTML, "xml").texts == ["The ferry leaves at seven.", "Nobody is awake."]
    assert cut(XHTML, "xml").title == "The & ferry"
    assert cut(XHTML + "<script></script>", "html5").texts == []


def test_a_script_that_closes_itself_is_closed_where_no_other_end_tag_stands():
    assert cut(XHTML, "html5").texts == ["The ferry leaves at seven.", "Nobody is awake."]


def test_names_and_places_of_elements_are_those_of_the_other_parser():
    page = cut("<p>one\n<p id=a>two", "lxml")

    assert page.elements.tags == ["html", "body", "p", "p"]
    assert page.attributes["id"] == [None, None, None, "a"]
    assert [block.line for block in page.blocks] == [1, 2]


def test_libxml2_knows_that_embed_has_no_end_tag():
    html = "<div>one<embed src=a>two<embed src=b><p>three</p>four<embed></div>five"

    assert cut(html, "lxml").texts == ["onetwo", "three", "four", "five"]


def test_libxml2_parses_tables_as_they_stand():
    html = "<table>one<tr><td>two</table>"

    assert cut(html, "html5").texts == ["one", "two"]
    assert "tbody" not in cut(html, "lxml").elements.tags
    assert "tbody" in cut(html, "html5").elements.tags


@pytest.mark.parametrize("parser", ["lxml", "xml"])
@pytest.mark.parametrize("html", ["", " ", "<!-- -->", "\0", "&nbsp;"])
def test_a_page_without_text_has_no_blocks_by_any_parser(html, parser):
    assert len(cut(html, parser)) == 0


def test_a_page_that_nests_too_deep_for_libxml2_keeps_its_text():
    page = cut("<title>T</title>" + "<div>" * 3_000 + "<script>no</script>one<img alt=two>three", "lxml")

    assert (page.title, page.texts) == ("T", ["one", "two", "three"])


@pytest.fixture
def cleaner():
    return victorpy.load("everything")


def test_a_page_served_as_xml_is_read_as_xml_if_it_is(cleaner):
    as_xml = cleaner.clean(XHTML.encode(), is_xml=True)
    broken = cleaner.clean(XHTML.replace("</p>", "", 1).replace('<script src="x.js"/>', "").encode(), is_xml=True)

    assert as_xml.text == "The ferry leaves at seven.\nNobody is awake.\n"
    assert (as_xml.status, as_xml.encoding) == ("ok", "utf-8")
    assert broken.text == as_xml.text


def test_a_file_named_xhtml_is_xml(cleaner, tmp_path):
    (tmp_path / "page.xhtml").write_text(XHTML)
    (location,) = find_pages([str(tmp_path / "page.xhtml")])

    assert read_page(location).is_xml


def test_the_parser_is_named_in_configs_and_kept_in_pages():
    page = cut("<p>one", "lxml")

    assert page.markup.parser == "lxml"
    assert replace(page, id="x").texts == ["one"]
