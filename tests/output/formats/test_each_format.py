"""What is particular to one format."""

import json
from html import escape

import numpy as np
import pytest

from victorpy.annotation.anno_files import labeled_page, loads
from victorpy.annotation.gold_texts import cleaneval, markdown
from victorpy.output.cleaned import Cleaned
from victorpy.output.format_options import FormatOptions
from victorpy.output.formats import FORMATS, TABLE, printer
from victorpy.page.blocks import Label
from victorpy.page.markup import Markup
from victorpy.page.segment import segment

P, H, L, C, OTHER = Label.PARAGRAPH, Label.HEADER, Label.LIST, Label.CONTINUATION, Label.OTHER


def written(name: str, html: str, labels: list[Label], url: str | None = None) -> str:
    return FORMATS[name](Cleaned(segment(html, "x", url), labels))


def test_cleaneval_names_the_page_first_if_it_is_known():
    assert written("cleaneval", "<p>one", [P], "https://x.example/") == "URL: https://x.example/\n<p> one\n"
    assert written("cleaneval", "<p>one", [P]) == "<p> one\n"


def test_doc_puts_each_page_between_tags_that_say_where_it_is_from():
    written_page = written("doc", '<title>"A" & B</title><h1>one<p>two', [H, P], "https://x.example/?a&b")

    assert written_page == (
        '<doc id="x" url="https://x.example/?a&amp;b" title="&quot;A&quot; &amp; B">\n<h> one\n<p> two\n</doc>\n'
    )


def test_cleaneval_is_read_again_whatever_the_page_speaks_of():
    html = "<h1>The &lt;p> tag<p>&lt;L>ists &lt;h> and &lt;!-- comments -->, 1 &lt; 2"

    text = written("cleaneval", html, [H, P])

    assert text == "<h> The &lt;p> tag\n<p> &lt;L>ists &lt;h> and &lt;!-- comments -->, 1 < 2\n"
    assert cleaneval(text) == [(H, "The <p> tag"), (P, "<L>ists <h> and <!-- comments -->, 1 < 2")]


@pytest.mark.parametrize("shown", ["<!-- no comment -->", "&copy 2008", "&lt;b>", "AT&T; a<b", "1 &lt 2"])
def test_markdown_is_read_again_whatever_the_page_speaks_of(shown):
    assert markdown(written("markdown", f"<p>{escape(shown)}", [P])) == [(P, shown)]


@pytest.mark.parametrize("name", ["cleaneval", "doc", "vertical"])
def test_a_passage_of_which_nothing_may_be_printed_is_none(name):
    assert written(name, "<p>&#x81;<p>a", [P, P]) == written(name, "<p>a", [P])


def test_cleaneval_writes_preformatted_text_on_one_line():
    assert written("cleaneval", "<pre>if x:\n    y</pre>", [P, C]) == "<p> if x: y\n"


def test_text_keeps_the_lines_of_preformatted_text():
    assert written("text", "<p>Code:<pre>if x:\n    y</pre>", [P, P, C]) == "Code:\nif x:\n    y\n"


def test_json_tells_all_that_is_known():
    page = segment("<title>T</title><p>Hel<b>lo</b><p>ad", "x", "https://x.example/")
    cleaned = Cleaned(
        page, [P, C, OTHER], probabilities=np.array([0.9, 0.8, 0.1], np.float32), model="default", replaced=2
    )

    assert json.loads(FORMATS["json"](cleaned)) == {
        "id": "x",
        "url": "https://x.example/",
        "title": "T",
        "status": "ok",
        "reason": "",
        "language": None,
        "authors": [],
        **dict.fromkeys(("date_published", "date_modified", "site_name", "description", "declared_language")),
        **dict.fromkeys(("canonical_url", "image", "section", "licence", "page_type", "cms")),
        "tags": [],
        "html_title": "T",
        "evidence": {"title": "<title>"},
        "confidence": 0.905263,
        "encoding": "utf-8",
        "replaced": 2,
        "model": "default",
        "text": "Hello\n",
        "outline": [
            {
                "type": "paragraph",
                "text": "Hello",
                "spans": [{"type": "strong", "start": 3, "end": 5}],
                "blocks": [0, 1],
                "range": [19, 27],
                "xpath": "/html[1]/body[1]/p[1]",
            }
        ],
        "passages": [
            {"label": "p", "text": "Hello", "xpath": "/html[1]/body[1]/p[1]", "range": [19, 27], "blocks": [0, 1]}
        ],
        "blocks": [
            {"id": 0, "label": "p", "text": "Hel", "probability": 0.9},
            {"id": 1, "label": "c", "text": "lo", "probability": 0.8},
        ],
    }


def test_json_lists_noise_on_request():
    cleaned = Cleaned(segment("<p>one<p>ad"), [P, OTHER])

    record = json.loads(printer("json", FormatOptions(all_blocks=True))(cleaned))

    assert [block["label"] for block in record["blocks"]] == ["p", "other"]


def test_json_says_where_passages_stand_in_the_source():
    cleaned = Cleaned(segment("<p>Où <b>est</b>\n<i>là</i><ul><li>x</ul>"), [P, C, C, L])
    source = cleaned.source.encode()

    found = [(place.xpath, source[slice(*place.range)].decode()) for place in cleaned.places]
    assert found == [
        ("/html[1]/body[1]/p[1]", "Où <b>est</b>\n<i>là"),
        ("/html[1]/body[1]/ul[1]/li[1]", "x"),
    ]


@pytest.mark.parametrize("parser", ["lxml", "xml"])
def test_places_in_pages_of_another_parser_have_no_range(parser):
    cleaned = Cleaned(segment("<html><body><p>one</p></body></html>", markup=Markup(parser=parser)), [P])

    assert cleaned.places == [("/html[1]/body[1]/p[1]", None)]
    assert cleaned.markdown == "one\n"


def test_a_lead_is_the_first_heading_of_the_outline():
    cleaned = Cleaned(segment("<p>one"), [P], lead="The *ferry*")

    assert cleaned.markdown == "# The \\*ferry\\*\n\none\n"
    assert cleaned.places[0] is None
    assert [(node["type"], node["text"]) for node in cleaned.outline] == [
        ("heading", "The *ferry*"),
        ("paragraph", "one"),
    ]


def test_records_hold_the_texts_that_are_asked_for():
    options = FormatOptions(columns=("markdown", "html"), without=("emphasis",))

    record = json.loads(printer("jsonl", options)(Cleaned(segment("<p>one <b>two</b>"), [P, C])))

    assert "text" not in record
    assert record["markdown"] == "one two\n"
    assert "<strong>two</strong>" in record["html"]


@pytest.mark.parametrize(
    ("part", "markdown"),
    [
        ("links", "**a** b\n"),
        ("emphasis", "a [b](https://x.example/)\n"),
        ("images", "**a** [b](https://x.example/)\n"),
    ],
)
def test_markdown_can_do_without_some_of_its_parts(part, markdown):
    cleaned = Cleaned(segment('<p><b>a</b> <a href="https://x.example/">b</a>'), [P, C])

    assert cleaned.markdown_without(part) == markdown


def test_main_html_keeps_the_elements_of_the_page():
    html = '<div class=menu>Home</div><div id=a><p class=lead onclick="x()">one<script>y()</script></div>'

    flat = written("main-html", html, [OTHER, P]).replace("\n", "")

    assert "Home" not in flat
    assert "onclick" not in flat
    assert "script" not in flat
    assert "<p" in flat


def test_jsonl_is_the_same_object_on_one_line():
    html, labels = "<p>déjà<pre>a\nb</pre>", [P, P, C]

    assert written("jsonl", html, labels).count("\n") == 1
    assert json.loads(written("jsonl", html, labels)) == json.loads(written("json", html, labels))


@pytest.mark.parametrize("name", ["json", "jsonl"])
def test_what_lasts_of_a_record_are_texts_and_labels_without_probabilities(name):
    said = '"confidence": 0.5 and "probability":1e-06'
    page = segment(f"<p>{said}", "a")
    one, other = (
        FORMATS[name](Cleaned(page, [Label.PARAGRAPH], probabilities=[chance])) for chance in (0.123456, 1e-6)
    )

    assert one != other
    assert TABLE[name].lasting(one) == TABLE[name].lasting(other)
    assert json.dumps(said) in TABLE[name].lasting(one)


def test_an_annotation_of_a_cleaned_page_can_be_trained_on():
    html = "<p>Hel<b>lo</b><p>ad"
    annotation = loads(written("anno", html, [P, C, OTHER], "https://x.example/"))

    assert annotation.html == html
    assert labeled_page(annotation, Markup())[1] == [P, C, OTHER]


@pytest.mark.parametrize(
    ("text", "markdown"),
    [
        ("1. no list", r"1\. no list"),
        ("2024) no list", r"2024\) no list"),
        ("1.5 litres", "1.5 litres"),
        ("- no list", r"\- no list"),
        ("-5 degrees", "-5 degrees"),
        ("# no heading", r"\# no heading"),
        ("#hashtag", "#hashtag"),
        ("> no quotation", r"\> no quotation"),
        ("---", r"\---"),
        ("_ _ _", r"\_ _ \_"),
        ("* * *", r"\* * \*"),
        ("*no* __emphasis__", r"\*no\* \_\_emphasis\_\_"),
        ("2 * 3 = 6", "2 * 3 = 6"),
        ("snake_case", "snake_case"),
        ("`no code`", r"\`no code\`"),
        ("[no](link)", r"[no\](link)"),
        ("[no]: definition", r"[no\]: definition"),
        ("[x] no task", r"\[x] no task"),
        ("note [1]", r"note [1\]"),
        ("&lt;b> no tag", r"\<b> no tag"),
        ("1 &lt; 2", "1 < 2"),
        ("&amp;amp; is &", r"\&amp; is &"),
        ("~~not struck~~", r"\~\~not struck\~\~"),
        (r"C:\dir", r"C:\dir"),
        (r"\*", r"\\\*"),
        ("~ 5", "~ 5"),
    ],
)
def test_markdown_escapes_what_would_be_misread(text, markdown):
    assert written("markdown", f"<p>{text}", [P]) == f"{markdown}\n"


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ("<h1>a</h1>", "# a\n"),
        ("<h5><b>a</b></h5>", "##### **a**\n"),
        ("<p>a", "# a\n"),
        ("<h1>C #</h1>", "# C \\#\n"),
        ("<h1>C#</h1>", "# C#\n"),
    ],
)
def test_markdown_headings_have_the_level_of_the_page(html, markdown):
    assert written("markdown", html, [H]) == markdown


def test_markdown_lists_nest_as_on_the_page():
    html = "<ol><li>one<ul><li>a<li>b</ul><li>two</ol>"

    assert written("markdown", html, [L] * 4) == "1. one\n   - a\n   - b\n2. two\n"


def test_markdown_lists_nest_only_in_what_is_printed():
    assert written("markdown", "<ul><li>menu<ul><li>a<li>b</ul></ul>", [OTHER, L, L]) == "- - a\n  - b\n"


def test_markdown_lists_side_by_side_stay_two():
    assert written("markdown", "<ol><li>a</ol><ol><li>b<li>c</ol>", [L] * 3) == "1. a\n\n1) b\n2) c\n"


def test_markdown_items_hold_paragraphs_and_lists():
    html = "<ol><li>a<p>b</p><ul><li>c</ul><li>d</ol>"

    assert written("markdown", html, [L, P, L, L]) == "1. a\n\n   b\n\n   - c\n\n2. d\n"


def test_markdown_list_items_need_no_list():
    assert written("markdown", "<p>a<p>b", [L, L]) == "- a\n- b\n"


def test_markdown_fences_what_follows_each_other_in_one_pre():
    html = "<p>Run:<pre>if x:\n    y</pre><pre>```</pre>"

    assert written("markdown", html, [P, P, C, P]) == "Run:\n\n```\nif x:\n    y\n```\n\n````\n```\n````\n"


@pytest.mark.parametrize("labels", [[P, P], [P, C], [H, L]], ids=str)
def test_markdown_code_is_the_same_however_its_lines_are_labelled(labels):
    assert written("markdown", "<pre>a\n  *b*</pre>", labels) == "```\na\n  *b*\n```\n"


def test_html_is_a_whole_document():
    html = "<title>T &amp; U</title><h3>a</h3><p>1 &lt; 2"

    assert written("html", html, [H, P]) == (
        '<!DOCTYPE html>\n<html>\n<head>\n<meta charset="utf-8">\n<title>T &amp; U</title>\n</head>\n<body>\n'
        "<h3>a</h3>\n<p>1 &lt; 2</p>\n</body>\n</html>\n"
    )


@pytest.mark.parametrize("url", ["https://x.example/", None])
def test_html_always_has_a_title(url):
    assert f"<title>{url or 'x'}</title>" in written("html", "<p>a", [P], url)


def test_html_lists_nest_as_on_the_page():
    html = "<ol><li>one<ul><li>a<li>b</ul><li>two</ol><p>end"
    flat = written("html", html, [L, L, L, L, P]).replace("\n", "")

    assert "<ol><li>one<ul><li>a</li><li>b</li></ul></li><li>two</li></ol><p>end</p></body>" in flat


def test_html_lists_side_by_side_stay_two():
    flat = written("html", "<ol><li>a</ol><ul><li>b</ul>", [L, L]).replace("\n", "")

    assert "<ol><li>a</li></ol><ul><li>b</li></ul></body>" in flat


@pytest.mark.parametrize(
    "html",
    ["<h2>a</h2><p>b<ul><li>c<ol><li>d</ol><li>e</ul><pre>f\n  g</pre>", "<ol><li>a</ol><ul><li>b</ul><dl><dt>c</dl>"],
)
def test_html_segments_into_the_same_passages(html):
    page = segment(html)
    labels = [L] * len(page)

    assert segment(FORMATS["html"](Cleaned(page, labels))).texts == page.texts
