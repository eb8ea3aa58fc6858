"""Pages that make other cleaners hang, run out of memory or die, each of any size."""

from collections.abc import Callable, Mapping

Shape = Callable[[int], bytes]


def repeated(piece: str, before: str = "", behind: str = "") -> Shape:
    """The same piece as often as the size allows."""
    encoded = piece.encode()
    return lambda size: before.encode() + encoded * (size // len(encoded)) + behind.encode()


def nested(opening: str, inside: str, closing: str) -> Shape:
    """As deep as the size allows."""
    return lambda size: (opening * (size // (len(opening) + len(closing))) + inside).encode() + (
        closing * (size // (len(opening) + len(closing)))
    ).encode()


def counted(piece: str, before: str = "<p>quay", behind: str = "<p>ferry") -> Shape:
    """Pieces with a number in each, so that no two are the same."""

    def shape(size: int) -> bytes:
        count = size // (len(piece) + 4)
        return (before + "".join(piece.format(number) for number in range(count)) + behind).encode()

    return shape


def attributes(size: int) -> bytes:
    return b"<p>quay<p" + b"".join(b" a%d" % number for number in range(size // 8)) + b">ferry"


def one_attribute(size: int) -> bytes:
    return b"<p class='" + b"quay " * (size // 5) + b"'>ferry"


SHAPES: Mapping[str, Shape] = {
    # What is known to harm other cleaners.
    "unclosed divs": repeated("<div>quay "),
    "links": repeated("<a href=/>quay</a> "),
    "unclosed links": repeated("<a href=/>quay "),
    "deep divs": nested("<div>", "quay", "</div>"),
    "deep lists": nested("<ul><li>", "quay", "</ul>"),
    "unclosed list items": repeated("<li>quay "),
    "fonts": repeated("<font>quay "),
    "fonts of many colours": counted("<font color={}>quay "),
    "one attribute": one_attribute,
    "attributes": attributes,
    "colspan of 2**53": repeated("<td colspan=9007199254740992 rowspan=9007199254740992>quay", "<table><tr>"),
    "NUL bytes": lambda size: b"<p>quay" + b"\0" * size + b"<p>ferry",
    "blanks": lambda size: b" " * size,
    "one word": lambda size: b"<p>" + b"a" * size,
    "one text": repeated("The ferry leaves the quay at seven. ", "<p>"),
    "tiny paragraphs": repeated("<p>a"),
    "line breaks": repeated("a<br>"),
    "lines of code": repeated("quay\n", "<pre>"),
    "blank lines of code": repeated("\n", "<pre>quay", "ferry"),
    "a table in each cell": repeated("<table><tr><td>quay "),
    "text between cells": repeated("<table>quay<tr>ferry"),
    "formatting across paragraphs": repeated("<b><p>quay</b>"),
    "formatting closed crosswise": repeated("<b><i>quay</b></i>"),
    "unclosed formatting": repeated("<b><i><u><s><em><strong>quay<p>"),
    "open elements and other ends": lambda size: b"<div>" * (size // 10) + b"</span>" * (size // 14),
    "paragraph ends": repeated("</p>"),
    "ends of nothing": repeated("</div>"),
    "comments that do not end": repeated("<!-- quay "),
    "comments that begin": repeated("<!-"),
    "questions": repeated("<?quay "),
    "CDATA that does not end": repeated("<![CDATA[ quay ", "<svg>"),
    "scripts that do not end": repeated("<script>quay<!--<script>"),
    "scripts in strings": repeated("""<script>document.write("<script></script>");</script>quay"""),
    "titles that do not end": repeated("<title>quay "),
    "text areas": repeated("<textarea>quay<p>ferry"),
    "opening brackets": repeated("<"),
    "open tags": repeated("<p "),
    "ampersands": repeated("&"),
    "references": repeated("&notit;&#x110000;&amp;&ampquay"),
    "long references": lambda size: b"<p>&#" + b"9" * size + b";quay",
    "quotes in attributes": repeated("<p a=\"'>quay"),
    "many tags of our own": counted("<x{0}>quay</x{0}>"),
    "pictures": repeated("<img alt='quay'>"),
    "drawings": repeated("<svg><g>quay"),
    "formulas": repeated("<math><mi>quay"),
    "leaving drawings": repeated("<svg><p>quay"),
    "templates": repeated("<template>quay"),
    "templates in tables": repeated("<table><template><tr>quay"),
    "choices": repeated("<select><option>quay"),
    "buttons": repeated("<button>quay"),
    "nobr": repeated("<nobr>quay"),
    "frames": repeated("<frameset><frame>"),
    "headings": repeated("<h1>quay<h2>"),
    "ruby": repeated("<ruby>quay<rt>ferry"),
    "plain text": repeated("<p>quay", "<plaintext>"),
    "bodies": repeated("<body class=a>quay</body>"),
    "heads": repeated("<head><title>quay</title></head>"),
    "forms": repeated("<form>quay"),
    "bases of letters": repeated("é̀̂ ", "<p>"),
    "no spaces": repeated("渡船离开码头。", "<p>"),
    "sentence ends": repeated(". ", "<p>"),
    "copies": repeated("<p>The ferry leaves the quay at seven."),
    "many roles": repeated("<div role=navigation class='comment nav related'>quay</div>"),
    "declared often": repeated("<meta charset=gbk>"),
    "half a character": lambda size: b"<p>quay" + b"\xe2\x82" * (size // 2),
    "bytes of no encoding": lambda size: b"<p>quay " + bytes(range(128, 256)) * (size // 128),
    "UTF-16 without a mark": lambda size: ("<p>quay " * (size // 16)).encode("utf-16-le"),
}
