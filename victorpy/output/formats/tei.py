"""TEI P5: the metadata in the header, and a division for each heading."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from html import escape

from victorpy.output.cleaned import Cleaned, OutlineNode
from victorpy.output.escapes import in_one_line, printable
from victorpy.output.formats.inline_markup import Span, attributes, inline
from victorpy.page.metadata import Metadata, Value

_DOCUMENT = """\
<?xml version="1.0" encoding="utf-8"?>
<TEI xmlns="http://www.tei-c.org/ns/1.0">
<teiHeader>
<fileDesc>
<titleStmt>
<title>{title}</title>
{authors}</titleStmt>
<publicationStmt>
<p>{publisher}</p>
</publicationStmt>
{notes}<sourceDesc>
<bibl>
{source}</bibl>
</sourceDesc>
</fileDesc>
</teiHeader>
<text{language}>
<body>
<div>
{content}</div>
</body>
</text>
</TEI>
"""

_COMMENTS = '</div>\n<div type="comments">\n'

# What has an element of its own in the header.
_PLACED = frozenset({"url", "title", "authors", "date_published", "site_name"})
_LANGUAGE = re.compile(r"[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*")
_DATE = re.compile(r"[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])")
_RENDERED = {
    "strong": "bold",
    "emphasis": "italic",
    "struck": "strikethrough",
    "sub": "subscript",
    "sup": "superscript",
}


def tei(cleaned: Cleaned) -> str:
    metadata = cleaned.metadata
    writer = _TeiWriter(cleaned.outline)
    language = metadata.language or metadata.declared_language or ""
    return _DOCUMENT.format(
        title=_text(metadata.title or metadata.html_title),
        authors=_elements("author", metadata.authors),
        publisher=_text(metadata.site_name),
        notes=_notes(metadata),
        source=_source(metadata),
        language=attributes({"xml:lang": language}) if _LANGUAGE.fullmatch(language) else "",
        content=_COMMENTS.join("".join(writer.divisions(nodes)) or "<p/>\n" for nodes in cleaned.outlines_apart),
    )


def _text(value: str | None) -> str:
    return escape(in_one_line(value or ""), quote=False)


def _elements(name: str, values: Iterable[str | None], named: str = "") -> str:
    return "".join(f"<{name}{named}>{_text(value)}</{name}>\n" for value in values if value)


def _notes(metadata: Metadata) -> str:
    """The fields that have no element of their own."""
    notes = "".join(
        _elements("note", _values(value), attributes({"type": name}))
        for name, value in metadata.values().items()
        if name not in _PLACED
    )
    return f"<notesStmt>\n{notes}</notesStmt>\n" if notes else ""


def _values(value: Value) -> tuple[str | None, ...]:
    return value if isinstance(value, tuple) else (value,)


def _source(metadata: Metadata) -> str:
    day = (metadata.date_published or "")[:10]
    when = attributes({"when": day}) if _DATE.fullmatch(day) else ""
    return "".join(
        (
            _elements("title", [metadata.title or metadata.html_title or "Untitled"]),
            _elements("author", metadata.authors),
            _elements("publisher", [metadata.site_name]),
            _elements("date", [metadata.date_published], when),
            _elements("idno", [metadata.url], attributes({"type": "URL"})),
        )
    )


def _labels(nodes: Iterable[OutlineNode]) -> Iterator[str]:
    for node in nodes:
        if node["type"] == "footnote":
            yield node["label"]
        yield from _labels(node.get("children", ()))


class _TeiWriter:
    """Writes nodes. TEI allows a division with its head only in divisions, and no paragraph in a head."""

    def __init__(self, nodes: list[OutlineNode]):
        # Labels may hold any characters, identifiers may not.
        self.notes = {label: f"fn-{number}" for number, label in enumerate(dict.fromkeys(_labels(nodes)), 1)}
        self.written = set[str]()
        self.kinds: dict[str, Callable[[OutlineNode], str]] = {
            "paragraph": lambda node: f"<p>{self._inline(node)}</p>\n",
            "heading": lambda node: f'<ab type="heading" n="{node["level"]}">{self._inline(node)}</ab>\n',
            "code": self._code,
            "rule": lambda _: '<milestone unit="section" rend="rule"/>\n',
            "quote": lambda node: self._around("quote", node),
            "list": self._list,
            "definitions": lambda node: self._items("definitions", node),
            "table": self._table,
            "figure": self._figure,
            "footnote": self._footnote,
            "summary": lambda node: f'<ab type="summary">{self._flat(node)}</ab>\n',
        }

    def divisions(self, nodes: Iterable[OutlineNode]) -> Iterator[str]:
        """A division within others for each heading, with all that follows it."""
        levels: list[int] = []
        for node in nodes:
            if node["type"] != "heading":
                yield self._block(node)
                continue
            while levels and levels[-1] >= node["level"]:
                levels.pop()
                yield "</div>\n"
            levels.append(node["level"])
            yield f"<div>\n<head>{self._inline(node)}</head>\n"
        yield "</div>\n" * len(levels)

    def _block(self, node: OutlineNode) -> str:
        """What has no element of its own is written as what is in it."""
        write = self.kinds.get(node["type"])
        return write(node) if write else self._blocks(node.get("children", ()))

    def _blocks(self, nodes: Iterable[OutlineNode]) -> str:
        return "".join(map(self._block, nodes))

    def _content(self, node: OutlineNode) -> str:
        children = node["children"]
        if len(children) == 1 and children[0]["type"] == "paragraph":
            return self._inline(children[0])
        return "\n" * bool(children) + self._blocks(children)

    def _around(self, name: str, node: OutlineNode, named: Mapping[str, object] | None = None) -> str:
        return f"<{name}{attributes(named or {})}>{self._content(node)}</{name}>\n"

    def _flat(self, node: OutlineNode) -> str:
        """The texts of a node, each on a line of its own."""
        if "text" in node:
            return self._inline(node)
        return "<lb/>".join(filter(None, map(self._flat, node.get("children", ()))))

    def _code(self, node: OutlineNode) -> str:
        return f'<ab type="code"><code{attributes({"lang": node["language"]})}>{_raw(node["text"])}</code></ab>\n'

    def _list(self, node: OutlineNode) -> str:
        return self._items("numbered" if node["ordered"] else "bulleted", node)

    def _items(self, rend: str, node: OutlineNode) -> str:
        first = node.get("start", 1)
        numbers = (number if node.get("ordered") else None for number in range(first, first + len(node["children"])))
        items = "".join(map(self._item, node["children"], numbers))
        return f"<list{attributes({'rend': rend})}>\n{items}</list>\n" if items else ""

    def _item(self, node: OutlineNode, number: int | None) -> str:
        kind = node["type"] if node["type"] in ("term", "definition") else None
        held = node if "children" in node else {"children": [node]}
        return self._around("item", held, {"rend": kind, "n": number})

    def _table(self, node: OutlineNode) -> str:
        heads = "".join(f"<head>{self._flat(one)}</head>\n" for one in node["children"] if one["type"] == "caption")
        rows = "".join(self._row(row) for row in node["children"] if row["type"] == "row" and row["children"])
        return f"<table>\n{heads}{rows}</table>\n" if rows else heads.replace("head>", "ab>")

    def _row(self, row: OutlineNode) -> str:
        cells = "".join(self._around("cell", cell, _cell_attributes(cell)) for cell in row["children"])
        return f"<row{attributes({'role': 'label' if row['header'] else None})}>\n{cells}</row>\n"

    def _figure(self, node: OutlineNode) -> str:
        captions = [child for child in node["children"] if child["type"] == "caption"]
        heads = "".join(f"<head>{self._flat(caption)}</head>\n" for caption in captions)
        others = (child for child in node["children"] if child["type"] != "caption")
        return f"<figure>\n{heads}{self._blocks(others)}</figure>\n"

    def _footnote(self, node: OutlineNode) -> str:
        label = node["label"]
        name = None if label in self.written else self.notes[label]
        self.written.add(label)
        return self._around("note", node, {"place": "foot", "xml:id": name, "n": label or None})

    def _inline(self, node: OutlineNode) -> str:
        if node["type"] == "code":
            return f"<code>{_raw(node['text'])}</code>"
        return inline(node, "<lb/>", self._span)

    def _span(self, span: Span, content: str) -> str:
        kind = span["type"]
        if kind in _RENDERED:
            return f'<hi rend="{_RENDERED[kind]}">{content}</hi>'
        return _SPANS[kind](span, content) if kind in _SPANS else self._reference(span, content)

    def _reference(self, span: Span, content: str) -> str:
        name = self.notes.get(span["label"])
        return f'<ref type="footnote" target="#{name}">{content}</ref>' if name else content


def _raw(text: str) -> str:
    return escape(printable(text), quote=False)


def _cell_attributes(cell: OutlineNode) -> dict[str, object]:
    spans = {"cols": cell["columns"], "rows": cell["rows"]}
    role = {"role": "label"} if cell["header"] else {}
    return role | {name: count for name, count in spans.items() if count > 1}


def _address(address: str) -> str:
    return "%20".join(address.split())


def _image(span: Span, _: str) -> str:
    description = _elements("figDesc", [span["alt"]]).rstrip("\n")
    return f"<figure><graphic{attributes({'url': _address(span['src'])})}/>{description}</figure>"


def _inline_code(_: Span, content: str) -> str:
    # Code holds text alone.
    return f'<hi rend="code">{content}</hi>' if "<" in content else f"<code>{content}</code>"


_SPANS: dict[str, Callable[[Span, str], str]] = {
    "code": _inline_code,
    "link": lambda span, content: f"<ref{attributes({'target': _address(span['href'])})}>{content}</ref>",
    "image": _image,
    "quote": lambda _, content: f"<q>{content}</q>",
    "math": lambda span, _: f'<formula notation="TeX">{_text(span["tex"])}</formula>',
}
