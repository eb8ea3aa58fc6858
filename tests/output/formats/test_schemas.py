"""Every format that has a schema prints what the schema allows, whatever is in the page."""

import json
from functools import cache
from pathlib import Path

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as some

from victorpy.output.cleaned import Cleaned
from victorpy.output.format_options import FormatOptions
from victorpy.output.formats import FORMATS, printer
from victorpy.page.blocks import Label
from victorpy.page.segment import segment
from victorpy.pipeline.cleaner import labeler, load

etree = pytest.importorskip("lxml.etree")
jsonschema = pytest.importorskip("jsonschema_rs")

ROOT = Path(__file__).parents[3]
SCHEMAS = ROOT / "docs" / "schemas"
EXAMPLES = sorted(ROOT.glob("examples/*.html"))
RECORD_OPTIONS = FormatOptions(all_blocks=True, columns=("text", "markdown", "html"))


@cache
def relaxng(name):
    return etree.RelaxNG(etree.parse(SCHEMAS / name))


@cache
def validator():
    schemas = {name: json.loads((SCHEMAS / name).read_text("utf-8")) for name in ("outline.json", "record.json")}
    registry = jsonschema.Registry([*schemas.items()], draft=jsonschema.Draft202012)
    return jsonschema.Draft202012Validator(schemas["record.json"], registry=registry)


def parsed_xml(text):
    return etree.fromstring(text.encode(), etree.XMLParser(huge_tree=True))


def check_all(cleaned):
    """Validates all formats, and returns the parsed XML of `tei` and `xml`."""
    trees = [parsed_xml(FORMATS[name](cleaned)) for name in ("tei", "xml", "blog-xml")]
    for tree, name in zip(trees, ("tei.rng", "outline.rng"), strict=False):
        assert relaxng(name).validate(tree), relaxng(name).error_log
    for name in ("json", "jsonl"):
        validator().validate(json.loads(printer(name, RECORD_OPTIONS)(cleaned)))
    return trees


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
@pytest.mark.parametrize("cleaner", [load(), labeler("everything"), labeler("blog")], ids=["web", "everything", "blog"])
def test_the_example_pages_are_printed_as_the_schemas_say(path, cleaner):
    check_all(cleaner.clean(path.read_bytes(), url="https://harbour.example/"))


STRUCTURES = {
    "table": "<table><caption>C<p>d</caption><tr><th>a<th colspan=2>b<tr><td>1<td>2<td>"
    "<tr><td>3<td><ul><li>4</ul><td>5</table>",
    "definitions": "<dl><dt>a<dt>b<dd>c<p>d</dl>",
    "lists": "<ol start=3><li>a<ul><li>b<pre>x\n y</pre></ul><li><p>c<p>d</ol>",
    "quotes": "<blockquote><h3>a</h3><p>b</blockquote>",
    "figure": '<figure><img src="a.png" alt="An &lt;image>" width=300 height=300><figcaption>c</figcaption></figure>',
    "details": "<details><summary>a</summary><p>b</details>",
    "math": "<p>It is \\(a<b\\) or <math><mi>x</mi></math>",
    "headings": "<p>a<h3>b</h3><h1>c</h1><p>d<h2>e</h2><h6>f</h6><hr><h2>g</h2>",
    "spans": "<p><b><i>a</i> b</b> <s>c</s> <code>d <b>e</b></code> x<sub>2</sub> <q>f</q><br>g",
    "images in links": '<p><a href="/a"><img src=a.png alt=a width=300 height=300></a>'
    '<a href="/b"><img src=b.png width=300 height=300></a>',
    "footnotes": '<p>a<sup><a href="#n1">1</a></sup><ol class=footnotes><li id=n1>b <a href="#r">↩</a></ol>',
    "nothing": "",
}


@pytest.mark.parametrize("html", STRUCTURES.values(), ids=STRUCTURES)
@pytest.mark.parametrize("label", [Label.PARAGRAPH, Label.HEADER, Label.LIST, Label.OTHER])
def test_every_structure_is_printed_as_the_schemas_say(html, label):
    page = segment(html, "x", "https://x.example/")

    check_all(Cleaned(page, [label] * len(page), lead="A <lead>"))


NASTY = [
    "<script>alert(1)</script>",
    "</p></body></html>",
    "]]>",
    "<!--",
    "-->",
    "&amp;lt;script>",
    "<?xml?>",
    "<![CDATA[x]]>",
    '" onload="x()',
    "' x='",
    "javascript:alert(1)",
    "data:text/html,x",
    "\x00",
    "\x01",
    "\x0b",
    "\x1b[2J",
    "\x85",
    "\u2028",
    "\ufffe",
    "\ud800",
    "\U0010ffff",
    "---\n",
    "```",
    "[a](javascript:x)",
    "<img src=x onerror=x()>",
    "{{7*7}}",
    " ",
    "word",
]
nasty = some.lists(some.sampled_from(NASTY) | some.text(max_size=5), max_size=4).map("".join)


def quoted(text):
    return text.replace("&", "&amp;").replace('"', "&quot;")


@some.composite
def hostile_pages(draw):
    """A page with such texts in its title, its attributes and its texts."""
    pieces = [f'<title>{quoted(draw(nasty))}</title><meta name=author content="{quoted(draw(nasty))}">']
    for template in (
        '<h2 id="{}">{}</h2>',
        '<p class="{}">{} <b>{}</b>',
        '<p>a <a href="{}" title="{}">{}</a>',
        '<p>b <img src="{}" alt="{}" width=300 height=300>{}',
        '<pre class="language-{}">{}\n{}</pre>',
        '<table class="{}"><tr><th>{}<th>b<tr><td>{}<td>d</table>',
        '<ul><li id="{}">{}<li>x</ul>',
    ):
        texts = [draw(nasty) for _ in range(template.count("{}"))]
        escaped = [quoted(text).replace("<", "&lt;") if draw(some.booleans()) else quoted(text) for text in texts]
        pieces.append(template.format(*escaped))
    return "".join(pieces)


ACTIVE = {"script", "style", "iframe", "object", "embed", "form", "base", "link", "svg"}


# Shrinking a page takes minutes.
@settings(max_examples=25, deadline=None, phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(html=hostile_pages(), url=nasty, id=nasty)
def test_hostile_texts_stay_inert_and_well_formed_in_every_format(html, url, id):
    page = segment(html, id, url)
    cleaned = Cleaned(page, [Label.PARAGRAPH] * len(page), reason=id)

    trees = check_all(cleaned)

    targets = [node.get(name, "") for tree in trees for node in tree.iter() for name in ("href", "src", "target")]
    assert not [value for value in targets if value.lower().startswith(("javascript:", "data:", "vbscript:"))]
    for name in ("html", "main-html"):
        printed = segment(FORMATS[name](cleaned)).core
        assert not ACTIVE & set(printed.tags())
        assert not any(any(printed.attributes(event)) for event in ("onload", "onerror", "onclick"))
        addresses = [address for address in (*printed.attributes("href"), *printed.attributes("src")) if address]
        assert not [address for address in addresses if address.lower().startswith(("javascript:", "data:"))]
    # No half characters come out, which UTF-8 cannot write.
    assert all(FORMATS[name](cleaned).encode() is not None for name in FORMATS if name != "anno")


@pytest.mark.parametrize("handling", ["keep", "drop", "only"])
def test_comments_are_printed_as_the_schemas_say(handling):
    comments = (
        "<ol id=comments><li class=comment><b class=author>A &amp; B</b><p>Yes<sup><a href='#n1'>1</a></sup></ol>"
    )
    html = f"<h1>a</h1><p>b<h2>c</h2>{comments}<ol class=footnotes><li id=n1>d</ol>"

    trees = check_all(labeler("everything").with_comments(handling).clean(html))

    divisions = trees[0].findall(".//{*}div[@type='comments']")
    assert len(divisions) == (handling != "drop")
    assert all("Yes" in "".join(division.itertext()) for division in divisions)
