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
    # What is no text, or not the one that it says.
    "binary data": lambda size: b"\x89PNG\r\n\x1a\n" + bytes(number * 7919 >> 3 & 255 for number in range(size)),
    "only NUL bytes": lambda size: b"\0" * size,
    "wrong charset": lambda size: b"<meta charset=big5>" + "Příliš žluťoučký kůň ".encode("cp1250") * (size // 21),
    "UTF-16 without a mark": lambda size: ("<p>quay " * (size // 16)).encode("utf-16-le"),
}
