"""Pages that make other cleaners hang, run out of memory or die, each of any size."""

from collections.abc import Callable, Mapping

Shape = Callable[[int], bytes]


def repeated(piece: str, before: str = "", behind: str = "") -> Shape:
    """The same piece as often as the size allows."""
    encoded = piece.encode()
    return lambda size: before.encode() + encoded * (size // len(encoded)) + behind.encode()


def nested(opening: str, inside: str, closing: str) -> Shape:
    """As deep as the size allows."""
    return lambda size: (
        (opening * (size // (len(opening) + len(closing))) + inside).encode()
        + (closing * (size // (len(opening) + len(closing)))).encode()
    )


def counted(piece: str, before: str = "<p>quay", behind: str = "<p>ferry") -> Shape:
    """Pieces with a number in each, so that no two are the same."""

    def shape(size: int) -> bytes:
        count = size // (len(piece) + 4)
        return (before + "".join(piece.format(number) for number in range(count)) + behind).encode()

    return shape


def behind(opening: str, piece: str, depth: int = 600) -> Shape:
    """Pieces behind so many elements that nobody closed; `#` is a number."""
    head = "".join(opening.replace("#", str(number)) for number in range(depth))
    return repeated(piece, head)


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
    "links in paragraphs": repeated("<p><a href=/>quay</a>"),
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
    # Where the tree of the standard grows faster than the page, or is built again and again.
    "paragraphs of nothing": repeated("<p>"),
    "divs of nothing": repeated("<div></div>"),
    "unclosed divs of nothing": repeated("<div>"),
    "breaks that end": repeated("</br>"),
    "unmatched ends": repeated("<b><p></x></span></div></em>"),
    "ends of other elements, deep": behind("<span>", "</x></i></table></ul>"),
    "links and blocks": repeated("<a><div>"),
    "links and paragraphs": repeated("<a>x<p>"),
    "fonts in paragraphs": counted("<p><font size={}>x"),
    "fonts alike": counted("</p><p><font a{} b c d e f g h i j k l m>"),
    "much formatting, then paragraphs": behind("<b id=#><i>", "<p>x"),
    "much formatting, then paragraph ends": behind("<b id=#><i>", "</p>"),
    "formatting closed crosswise, in paragraphs": repeated("<b><p><i></b></p>"),
    "formatting closed crosswise, with text": repeated("<b><i><p></b></i>x"),
    "adoptions": counted("<b id={}><div></b>x"),
    "nobr in blocks": repeated("<nobr><div>"),
    "tables": repeated("<table>"),
    "tables in cells with text": repeated("<table>x<tr>y<td>z"),
    "tables with formatting": repeated("<table><b>x<tr>"),
    "much formatting in one table": repeated("<b>x<tr>", "<table>"),
    "formatting in objects in tables": counted("<table><object><b id={}></table>"),
    "objects": repeated("<object><b>"),
    "templates and formatting": repeated("<template><p><b><i><u></p>"),
    "groups of choices": repeated("<optgroup><option>", "<select>"),
    "items": repeated("<li>", "<ul>"),
    "definitions": repeated("<dd><div><dt>", "<dl>"),
    "items, deep": behind("<span>", "<li>"),
    "items and definitions, deep": behind("<div>", "<li><dd>"),
    "ends of formatting, deep": behind("<span>", "</b></a></nobr>"),
    "drawings with text": repeated("<svg><desc>"),
    "ends in drawings": repeated("<g></x></p>", "<svg>"),
    "ends in drawings, deep": behind("<g>", "</x>"),
    "CDATA in drawings": repeated("<g/><![CDATA[x]]><![CDATA[", "<svg>"),
    "bodies with attributes": counted("<body a{}=1>"),
    "roots with attributes": counted("<html a{}=1>"),
    "comments closed otherwise": repeated("<!----!><!-- >"),
    "references in an attribute": lambda size: b"<p title='" + b"x&amp;" * (size // 6) + b"'>x",
    "attributes that do not end": repeated("<p title='"),
    "scripts with many ends": repeated("</script    \n   ", "<script>"),
    "scripts with comments": repeated("<!--</scriptx><script", "<script>"),
    "styles that do not end": repeated("<style></styl>"),
    "titles and one end": repeated("<title><b>", "", "</title>"),
    "doctypes": repeated("<!doctype html PUBLIC '"),
    "other line ends": repeated("\r\n\r", "<pre>"),
    "blanks between tags of code": repeated("<b> </b>", "<pre>x\n"),
    "indented lines of code": repeated("\n  <b> </b>x", "<pre>"),
    # What only the blocks and their figures see.
    "runs of one block": repeated("<a>+.</a>", "<p>a"),
    "blanks between tags": repeated("<b> </b>", "<p>x"),
    "invisible characters": repeated("\u200b\u00ad ", "<p>"),
    "control characters": repeated("\x01a\x02 ", "<p>"),
    "paragraphs of other words": counted("<p>word{}"),
    "texts of other lengths": lambda size: b"".join(b"<p>" + b"x " * (n % 97) for n in range(size // 99)),
    "small capitals": repeated("ΟΔΟΣ İ ", "<p>"),
    "classes of many names": counted("<i class='comment-{0} nav-{0}'>x</i>"),
    "ids everywhere": counted("<p id=nav{}>x"),
    "headings and paragraphs": repeated("<h2>x<p>y"),
    "paragraphs between deep divs": behind("<div>", "<p>a<a>b</a>"),
    "a title as long as the page": repeated("ferry ", "<title>", "</title><p>ferry"),
    "a title on each line": repeated("<p>The ferry leaves", "<title>The ferry leaves</title>"),
    # What outlines, metadata and formats see.
    "names and other ends": lambda size: (
        b"".join(b"<x%d>" % n for n in range(size // 14)) + b"".join(b"</y%d>" % n for n in range(size // 14))
    ),
    "spans and other ends": lambda size: b"<span>" * (size // 12) + b"</div>" * (size // 12),
    "blocks and inline ends, mixed": repeated("<div><p><section></b></i></table></x>"),
    "open, then their ends the other way": lambda size: (
        b"<a><b><i><u><div>" * (size // 40) + b"</a></b></i></u></div>" * (size // 40)
    ),
    "cells and other ends": repeated("<td></b></caption></tr></x>", "<table><tr>"),
    "formatting ends without start": repeated("</b></i></a></font>"),
    "one link around all": repeated("<div>x</div>", "<a href=x>"),
    "links only": counted("<a href=/p{}>quay {}</a> ".replace("{}</a>", "</a>")),
    "headings only": repeated("<h2>The ferry leaves</h2>"),
    "a long table": repeated("<tr><td>quay<td>7:00<td>ferry", "<table>"),
    "a wide table": repeated("<td>quay", "<table><tr>"),
    "headed table": repeated("<tr><th>quay<td>7", "<table><thead><tr><th>a<th>b<tbody>"),
    "rows below a wide one": lambda size: (
        b"<table><tr>" + b"<td>a" * (size // 10) + b"<tr><td>x<td>y" * (size // 28) + b"</table>"
    ),
    "rowspans": repeated("<tr><td rowspan=1000>a<td colspan=1000>b", "<table>"),
    "nested tables": nested("<table><tr><td>", "x", "</td></tr></table>"),
    "long list": repeated("<li>The ferry leaves the quay</li>", "<ul>"),
    "ordered list, numbered": counted("<li value={}>quay", "<ol>"),
    "lists in lists": nested("<ul><li>a", "x", "</ul>"),
    "deep quotes": nested("<blockquote>", "x", "</blockquote>"),
    "definition list": repeated("<dt>quay<dd>The ferry leaves", "<dl>"),
    "one-word paragraphs": counted("<p>word{}</p>"),
    "sentences": repeated("<p>The ferry leaves the quay at seven in the morning, and again at noon.</p>"),
    "many meta": counted("<meta name=k{} content=v>", "", "<p>ferry"),
    "meta dates": counted("<meta name=date content='2024-05-06 {}'>", "", "<p>ferry"),
    "meta authors": counted("<meta name=author content='Ann {}'>", "", "<p>ferry"),
    "rel links": counted("<link rel=canonical href=/a{}>", "", "<p>ferry"),
    "JSON-LD, deep": lambda size: (
        b"<script type=application/ld+json>" + b'{"a":' * (size // 6) + b"1" + b"}" * (size // 6) + b"</script><p>x"
    ),
    "JSON-LD, deep lists": lambda size: (
        b"<script type=application/ld+json>" + b"[" * (size // 2) + b"]" * (size // 2) + b"</script><p>x"
    ),
    "JSON-LD, long": lambda size: (
        b'<script type=application/ld+json>{"@graph":['
        + b'{"@type":"Article","author":{"name":"Ann"},"datePublished":"2024-05-06"},' * (size // 75)
        + b"{}]}</script><p>x"
    ),
    "JSON-LD, many": repeated(
        '<script type=application/ld+json>{"@type":"Article","headline":"Quay","author":"Ann"}</script>', "", "<p>x"
    ),
    "JSON-LD, ids": lambda size: (
        b'<script type=application/ld+json>{"@graph":['
        + b"".join(b'{"@id":"#%d","author":{"@id":"#%d"}},' % (n, n + 1) for n in range(size // 36))
        + b"{}]}</script><p>x"
    ),
    "JSON-LD unclosed": lambda size: b"<script type=application/ld+json>" + b'{"a":[{"b":"' * (size // 12),
    "itemprops": repeated("<div itemscope><span itemprop=author>Ann</span></div>"),
    "times": repeated("<time datetime=2024-05-06>6 May 2024</time> "),
    "dates in text": repeated("<p>6 May 2024, by Ann Smith "),
    "bylines": counted("<p class=byline>By Ann {}"),
    "rel authors": counted("<a rel=author href=/a{}>Ann</a>"),
    "entities without semicolon": repeated("&copy&lt&ampamp&notin&eacute ", "<p>"),
    "numbers as references": repeated("&#65&#x42&#0;&#x80;", "<p>"),
    "footnotes": counted("<p>quay<a href=#f{0}>[1]</a><p id=f{0}>note "),
    "code": repeated("<pre><code>quay = 1\n</code></pre>"),
    "code in lines": repeated("<div class=line><span class=k>if</span> quay</div>", "<pre>"),
    "maths": repeated("<math><mfrac><mi>x</mi><mn>2</mn></mfrac></math>"),
    "deep maths": nested("<math><mrow>", "<mi>x", "</mrow></math>"),
    "mrow deep": nested("<mrow>", "<mi>x", "</mrow>"),
    "pictures of figures": repeated("<figure><img src=a.png alt=quay><figcaption>quay</figcaption></figure>"),
    "srcset": lambda size: b"<img alt=x srcset='" + b"a.png 1x, " * (size // 10) + b"'><p>x",
    "base and links": counted("<a href=../../{}>x</a>", "<base href=https://example.org/a/b/c/>"),
    "long address": lambda size: b"<a href='/" + b"a/../" * (size // 5) + b"'>x</a><p>y",
    "ids and classes": counted("<p id=a{0} class='b{0} c{0}'>quay"),
    "emphasis of letters": repeated("<b>a</b><i>b</i>", "<p>"),
    "stars": repeated("*_`[](<>)#\\", "<p>"),
    "backticks": lambda size: b"<code>" + b"`" * size + b"</code>",
    "backtick runs": lambda size: (
        b"<p>" + b"".join(b"<code>" + b"`" * (n % 200) + b" </code>" for n in range(size // 113))
    ),
    "pipes in a table": repeated("<tr><td>|", "<table>"),
    "spans in spans": repeated("<b><i>x</i></b>", "<p>"),
    "line breaks in a paragraph": repeated("quay<br>", "<p>"),
    "selects": repeated("<select><option>a<option>b</select>"),
    "details": repeated("<details><summary>quay</summary>ferry</details>"),
    "comments": repeated("<div class=comment><a class=author>Ann</a><time>6 May 2024</time><p>ferry</div>"),
    "posts": repeated("<article><h2>quay</h2><p>ferry</article>"),
    "unclosed comments of script": repeated("<script><!--"),
    "noscripts": repeated("<noscript>quay"),
    "framesets and text": repeated("<frameset>quay</frameset>"),
    "objects in cells": repeated("<table><td><object><tr>x"),
    "captions": repeated("<caption>x", "<table>"),
    "column groups": repeated("<colgroup><col>x", "<table>"),
    "inputs in tables": repeated("<input type=hidden><input>x", "<table>"),
    "forms in tables": repeated("<form><tr><form>x", "<table>"),
    "drawings unclosed with text": repeated("<svg><section>quay</section>"),
    "drawings, unclosed within each other": repeated("<svg><g>quay</g><svg></svg>"),
    "integration points": repeated("<svg><foreignObject><p>x"),
    "bidi": repeated("\u202e\u202dx ", "<p>"),
    "combining": lambda size: b"<p>a" + "\u0301".encode() * (size // 2),
    "emoji": repeated("👩‍👩‍👧‍👦", "<p>"),
    "tabs": repeated("\t", "<pre>x"),
    "huge tag name": lambda size: b"<" + b"x" * size + b">quay",
    "huge comment": lambda size: b"<!--" + b"-" * size + b"--><p>x",
    "huge id": lambda size: b"<p id='" + b"x" * size + b"'>a",
    "classes of one element": lambda size: b"<p class='" + b"".join(b"c%d " % n for n in range(size // 8)) + b"'>x",
    "class on each child": lambda size: b"<div class='" + b"nav " * (size // 16) + b"'>" + b"<p>x" * (size // 8),
    # What is no text, or not the one that it says.
    "binary data": lambda size: b"\x89PNG\r\n\x1a\n" + bytes(number * 7919 >> 3 & 255 for number in range(size)),
    "only NUL bytes": lambda size: b"\0" * size,
    "wrong charset": lambda size: b"<meta charset=big5>" + "Příliš žluťoučký kůň ".encode("cp1250") * (size // 21),
    "UTF-16 without a mark": lambda size: ("<p>quay " * (size // 16)).encode("utf-16-le"),
}
