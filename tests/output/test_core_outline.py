"""What the core gives Python of an outline: Markdown, HTML, JSON with places, and labels of whole structures."""

import json
from html import unescape
from pathlib import Path

import pytest
from lxml import html as lxml_html

from victorpy.page.encoding import decode
from victorpy.page.segment import segment

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*.html"))
P, H, OTHER = 0, 1, 4


def outline(html, labels=None, url=None):
    page = segment(html)
    return page.core.outline(bytes(len(page) if labels is None else labels), url)


def nodes_of(nodes):
    for node in nodes:
        yield node
        yield from nodes_of(node.get("children", []))


def test_an_outline_is_written_in_four_ways():
    found = outline("<h1>One</h1><p>two <a href=three>four</a>", url="http://a.org/b/")

    assert found.markdown() == "# One\n\ntwo [four](http://a.org/b/three)\n"
    assert found.markdown(without=["links"]) == "# One\n\ntwo four\n"
    assert '<p>two <a href="http://a.org/b/three">four</a></p>' in found.html()
    assert '<h1>One</h1><p>two <a href="http://a.org/b/three">four</a></p>' in found.main_html()
    assert [node["type"] for node in json.loads(found.json())["nodes"]] == ["heading", "paragraph"]


def test_only_what_is_kept_is_there():
    assert outline("<p>one<p>two<p>three", [P, OTHER, P]).markdown() == "one\n\nthree\n"


def test_labels_have_to_fit_the_page():
    page = segment("<p>one<p>two")

    for labels in (b"\0", b"\0\0\0", b"\0\5"):
        with pytest.raises(ValueError, match="one label"):
            page.core.outline(labels)
        with pytest.raises(ValueError, match="one label"):
            page.core.whole_structures(labels)


def test_an_unknown_switch_is_named():
    with pytest.raises(ValueError, match="'link', expected one of: links, images"):
        outline("<p>one").markdown(without=["link"])


def test_a_listing_that_is_mostly_kept_is_kept():
    page = segment("<p>one<pre>two\nthree\nfour</pre>")

    assert page.core.whole_structures(bytes([P, P, OTHER, P])) == bytes([P, P, 3, P])
    assert page.core.whole_structures(bytes([P, P, OTHER, P]), [1, 0, 1, 0, 1, 0]) == bytes([P, P, OTHER, P])


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_json_is_as_its_schema_says(path):
    jsonschema = pytest.importorskip("jsonschema_rs")
    schema = json.loads((ROOT / "docs/schemas/outline.json").read_text("utf-8"))

    jsonschema.validate(schema, json.loads(outline(path.read_bytes()).json()))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_places_lead_to_the_text(path):
    page = segment(decode(path.read_bytes()).text)
    source = page.core.source.encode()

    for node in nodes_of(json.loads(page.core.outline(bytes(len(page))).json())["nodes"]):
        if node.get("range") and node["text"]:
            found = unescape(source[slice(*node["range"])].decode())
            assert node["text"].lstrip()[0] in found
        for span in node.get("spans", []):
            assert 0 <= span["start"] <= span["end"] <= len(node["text"])


def test_paths_lead_to_the_elements():
    source = "<html><body><p>one</p><div><p>two</p><ul><li>three</li><li><b>four</b></li></ul></div></body></html>"
    tree = lxml_html.document_fromstring(source)

    for node in nodes_of(json.loads(outline(source).json())["nodes"]):
        if "text" in node:
            (element,) = tree.xpath(node["xpath"])
            assert element.text_content() == node["text"]


def test_ranges_count_the_wrapper():
    source = '<text id="http://a.org/" title="t"><p>one'
    (node,) = json.loads(outline(source).json())["nodes"]

    assert source[slice(*node["range"])] == "one"
