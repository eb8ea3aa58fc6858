import re

import pytest

from victorpy.features.language.symbols import symbols, tokens
from victorpy.output.cleaned import Cleaned
from victorpy.output.formats import FORMATS
from victorpy.page.blocks import Label
from victorpy.page.segment import segment

P, H, L = Label.PARAGRAPH, Label.HEADER, Label.LIST

PAGE = (
    '<title>Rain "again" &amp; &lt;snow&gt;</title>'
    "<h1>If a &lt; b</h1><p>Say &quot;no&quot;. &lt;/doc&gt;<ul><li>R&amp;D</ul>"
)


def vertical(html, labels, **known):
    return FORMATS["vertical"](Cleaned(segment(html, "x", **known), labels))


def test_a_page_is_a_document_of_paragraphs():
    assert vertical(PAGE, [H, P, L], url="https://x.example/?a=1&b=2").splitlines() == [
        '<doc id="x" url="https://x.example/?a=1&amp;b=2" title="Rain &quot;again&quot; &amp; &lt;snow&gt;">',
        '<p heading="1">',
        "If a &lt; b",
        "</p>",
        "<p>",
        'Say "no". &lt;/doc&gt;',
        "</p>",
        '<p list="1">',
        "R&amp;D",
        "</p>",
        "</doc>",
    ]


@pytest.mark.parametrize("html", ["<pre>a\n<b></b>  b\n\n&lt;p&gt;</pre>", "<p>&lt;p&gt;<br>x", "<p>&amp;lt;"])
def test_only_structures_begin_with_an_angle_bracket(html):
    page = segment(html)
    lines = FORMATS["vertical"](Cleaned(page, [P] * len(page))).splitlines()

    assert all(re.fullmatch(r'</?(doc|p)( \w+="[^"]*")*>', line) for line in lines if line.startswith("<"))
    assert "" not in lines


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("It's 3&nbsp;pm.", ["It", "<g/>", "'", "<g/>", "s", "3", "pm", "<g/>", "."]),
        ("1 &lt; 2 &amp;", ["1", "&lt;", "2", "&amp;"]),
        ("渡し舟", ["渡", "<g/>", "し", "<g/>", "舟"]),
        ("e\u0301t\u00e9 हिन्दी", ["e\u0301t\u00e9", "हिन्दी"]),
        ("a_b \U00020000\U00020001", ["a", "<g/>", "_", "<g/>", "b", "\U00020000", "<g/>", "\U00020001"]),
    ],
    ids=["punctuation", "entities", "no spaces", "marks", "rare"],
)
def test_tokens_stand_a_line_each_and_what_is_glued_is_told(text, lines):
    page = Cleaned(segment(f"<h1>{text}</h1>", "x"), [H])

    assert FORMATS["vertical-tokens"](page).splitlines()[2:-2] == lines


@pytest.mark.parametrize("text", ["The ferry leaves at seven.", "Was? – Nein!", "ฟ้า 2024", "𝒜𝒷c naïve", "שלום, world"])
def test_there_are_as_many_words_as_language_models_count(text):
    words = [token for token, _ in tokens(text) if symbols([token], "words").symbols.size > 1]

    assert len(words) == len(symbols([text], "words").symbols) - 1
