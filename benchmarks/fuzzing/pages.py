"""Pages as no editor would write them: markup that is nested, crossed, cut off and lied about."""

import codecs
from collections.abc import Callable, Iterator
from itertools import count
from random import Random

Maker = Callable[[Random, Iterator[int]], str]


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split(" "))


_TAGS = _words(
    "a abbr address article aside b base bdo blockquote body br button caption center cite code col dd details dialog"
    " div dl dt em embed fieldset figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr"
    " html i iframe img input ins label legend li link main map marquee math menu meta nav noframes noscript object ol"
    " optgroup option p picture plaintext pre q rp rt ruby s script section select small span strong style sub summary"
    " sup svg table tbody td template textarea tfoot th thead time title tr u ul var video wbr xmp x-own o:p text"
)
_ATTRIBUTES = _words(
    "class id href src alt title style role itemprop itemtype rel datetime colspan rowspan start value type name lang"
    " dir hidden data-testid onclick content http-equiv charset aria-label xmlns"
)
_NAMES = _words(
    "post hentry entry-title entry-content post-body date published author vcard comment comments comment-list reply"
    " navigation main menu sidebar footer widget_x share related content text"
)
_SIGNS = _words(
    "\0 \x01 \x0b \x0c \x1b \x1f \x7f \x80 \x85 \x9f \xa0 \xad ́ ̈ ͏ \u061c \u180e \u200b \u200d \u200e \u200f \u2028"
    " \u2029 \u202a \u202e \u2060 \u2066 \u2069 \ud800 \udbff \udc00 \udfff \ufdd0 \ufe0f \ufeff \ufffd \ufffe \uffff"
    " İ ß ŉ ǅ Ω ﬁ ａ ١ ९ ² ½ 漢 字 。 かな 한국 ไทย עברית العربية 🏴 👩 🇨🇿 𝟘 𠀀 \U0001fffe \U000e0001 \U0010ffff"
)
_ENTITIES = _words(
    "&amp; &lt; &gt; &nbsp; &shy; &zwnj; &half; &fjlig; &NotEqualTilde; &nosuch; &amp &copy &ltx &#0; &#9; &#x80;"
    " &#127; &#xD800; &#xDFFF; &#xFFFE; &#x10FFFF; &#x110000; &#99999999999999999999; &#x; &#; &#-1; &#x1F600; &#8238;"
    " &; &"
)
_NUMBERS = (
    *("0", "-1", "1", "255", "256", "65536", "2147483648", "9007199254740992", "18446744073709551616"),
    *("1e400", "nan", "inf", "-0", "0x10", "٣", "²", "9" * 5_000),
)
ENCODINGS = (
    *("utf-8", "utf-8", "utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252", "cp1250"),
    *("cp1251", "koi8_r", "shift_jis", "euc_jp", "iso2022_jp", "gb18030", "big5", "euc_kr", "cp1256", "utf-7"),
)
_LABELS = (*ENCODINGS, "windows-1252", "x-user-defined", "replacement", "unicode", "none", "", "utf-8\0", "é", "cp037")


def number(chance: Random) -> str:
    return chance.choice(_NUMBERS)


def sign(chance: Random) -> str:
    return chance.choice(_SIGNS)


def _text(chance: Random, numbers: Iterator[int]) -> str:
    """Its words are numbered, so that what comes out can be found where it stood."""
    words = (
        f"w{next(numbers)}w"
        if chance.random() < 0.8
        else sign(chance) * chance.choice((1, 1, 3))
        if chance.random() < 0.7
        else chance.choice(_ENTITIES)
        for _ in range(chance.choice((1, 2, 5, 12, 40)))
    )
    return chance.choice((" ", " ", " ", "\n", "", "\t", ". ")).join(words)


def _attribute(chance: Random) -> str:
    name = chance.choice(_ATTRIBUTES) if chance.random() < 0.9 else sign(chance) * 3
    values = (chance.choice(_NAMES), number(chance), sign(chance), "/a?b=1&amp;c", "x" * 300, "2006-01-31")
    value = chance.choice(values)
    written = (f'="{value}"', f"='{value}'", f"={value}", "", f'="{value}')
    return f" {name}{chance.choice(written)}"


def _opening(chance: Random, _: Iterator[int]) -> str:
    attributes = "".join(_attribute(chance) for _ in range(chance.choice((0, 0, 1, 1, 2, 5))))
    return f"<{_tag(chance)}{attributes}{chance.choice(('>', '>', '>', '>', '/>', ' >', ''))}"


def _closing(chance: Random, _: Iterator[int]) -> str:
    return f"</{_tag(chance)}{chance.choice(('>', '>', '>', ' >', ''))}"


def _tag(chance: Random) -> str:
    tag = chance.choice(_TAGS)
    return tag.upper() if chance.random() < 0.1 else tag


def _element(chance: Random, numbers: Iterator[int]) -> str:
    tag = _tag(chance)
    names = f' class="{chance.choice(_NAMES)}"' if chance.random() < 0.3 else ""
    inside = "".join(_piece(chance, numbers) for _ in range(chance.choice((0, 1, 1, 2, 3))))
    return f"<{tag}{names}>{inside}</{tag}>"


def _table(chance: Random, numbers: Iterator[int]) -> str:
    rows = (
        "<tr>" + "".join(f"<td{_attribute(chance)}>{_text(chance, numbers)}" for _ in range(chance.randint(0, 4)))
        for _ in range(chance.randint(0, 4))
    )
    return f"<table>{''.join(rows)}{chance.choice(('</table>', '', '</tr>'))}"


def _list(chance: Random, numbers: Iterator[int]) -> str:
    items = "".join(f"<li>{_piece(chance, numbers)}" for _ in range(chance.randint(0, 6)))
    return f"<{chance.choice(('ul', 'ol', 'dl', 'menu'))} start={number(chance)}>{items}</ul>"


def _hidden(chance: Random, _: Iterator[int]) -> str:
    """What is no text, or begins so."""
    return chance.choice(
        (
            "<!-- x -->",
            "<!--",
            "<!-->",
            "--!>",
            "<![CDATA[ x ]]>",
            "<![CDATA[",
            "<?xml version='1.0' encoding='utf-16'?>",
            "<?php echo 1 ?>",
            "<!DOCTYPE html>",
            "<!ENTITY a 'b'>",
            "<script>document.write('<script>x</script>')</script>",
            "<script>if (a</b) { '</script>' }",
            "</script>');",
            "<style>p{}</style>",
            "<title>x",
            "</html>",
            "</body>",
            "<",
            "</",
            "<>",
            "<![if IE]>",
            "<text id='http://x.example/' title='x' encoding='cp1250'>",
        )
    )


def _lines(chance: Random, numbers: Iterator[int]) -> str:
    lines = ("  " * chance.randint(0, 3) + _text(chance, numbers) for _ in range(chance.randint(0, 5)))
    return "<pre>" + "\n".join(lines) + chance.choice(("</pre>", "\n", ""))


def _many(chance: Random, _: Iterator[int]) -> str:
    return chance.choice(("<div>", "<b>", "<br>", "<p>", "<ul><li>", "<a href=/>x</a> ", "<td>", "&amp;", " ")) * (
        chance.choice((10, 100, 300, 2_500))
    )


def _post(chance: Random, numbers: Iterator[int]) -> str:
    return (
        f"<article class=post><h2 class=entry-title>{_text(chance, numbers)}</h2>"
        f"<time datetime='{number(chance)}'>{chance.randint(1, 31)} May 20{chance.randint(0, 99):02}</time>"
        f"<div class=entry-content>{_piece(chance, numbers)}</div>{_piece(chance, numbers)}</article>"
    )


_MAKERS: tuple[Maker, ...] = (
    *(_text, _text, _text, _text, _opening, _opening, _closing, _closing, _element, _element, _element),
    *(_table, _list, _hidden, _lines, _post, _many),
)


def _piece(chance: Random, numbers: Iterator[int]) -> str:
    return chance.choice(_MAKERS)(chance, numbers)


def piece(chance: Random) -> str:
    return _piece(chance, count(chance.randrange(1_000)))


def part(chance: Random) -> str:
    """A tag, some words, or what is no text: what a piece may be made of."""
    parts = (_opening, _opening, _closing, _text, _hidden)
    makers = (*(maker(chance, count()) for maker in parts), sign(chance), number(chance)[:9], chance.choice(_ENTITIES))
    return chance.choice(makers)


def page(chance: Random) -> str:
    """Of at most 64 kB."""
    numbers = count(1)
    pieces = (_piece(chance, numbers) for _ in range(chance.choice((1, 3, 10, 40, 120))))
    return (chance.choice(("", "<!DOCTYPE html><html><head>", "<body>")) + "".join(pieces))[:60_000]


def encoded(chance: Random, text: str) -> bytes:
    """In some encoding, which the page or its first bytes may belie."""
    if chance.random() < 0.4:
        text = f"<meta charset='{chance.choice(_LABELS)}'>{text}"
    mark = chance.choice((codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF32_BE)) if chance.random() < 0.1 else b""
    name = chance.choice(ENCODINGS)
    errors = "surrogatepass" if name.startswith("utf-") and name != "utf-7" and chance.random() < 0.3 else "ignore"
    return mark + text.encode(name, errors)
