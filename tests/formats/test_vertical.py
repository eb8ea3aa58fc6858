import re

import pytest

from victorpy.blocks import Label
from victorpy.cleaned import Cleaned
from victorpy.formats import FORMATS
from victorpy.segment import segment

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
