"""The outline and the metadata as XML, by docs/schemas/outline.rng."""

from collections.abc import Iterable
from html import escape

from victorpy.output.cleaned import Cleaned, OutlineNode
from victorpy.output.escapes import printable
from victorpy.output.formats.inline_markup import Span, attributes, inline
from victorpy.page.metadata import Metadata

_PAGE = """\
<?xml version="1.0" encoding="utf-8"?>
<page{attributes}>
<metadata>
{fields}</metadata>
<outline>
{nodes}</outline>
</page>
"""

# Everything of a node or a span but its text and what is in it.
_CONTENT = frozenset({"type", "text", "spans", "children", "start", "end"})


def outline_xml(cleaned: Cleaned) -> str:
    named = attributes({"id": cleaned.page.id or None, "status": cleaned.status})
    return _PAGE.format(attributes=named, fields=_fields(cleaned.metadata), nodes=_nodes(cleaned.outline))


def _fields(metadata: Metadata) -> str:
    """An element for each value."""
    return "".join(
        f"<field{attributes({'name': name, 'evidence': metadata.evidence.get(name)})}>"
        f"{escape(printable(value), quote=False)}</field>\n"
        for name, found in metadata.values().items()
        for value in (found if isinstance(found, tuple) else (found,))
        if value
    )


def _nodes(nodes: Iterable[OutlineNode]) -> str:
    return "".join(map(_node, nodes))


def _node(node: OutlineNode) -> str:
    kind = node["type"]
    named = {name: value for name, value in node.items() if name not in _CONTENT}
    if kind == "list" and "start" in node:
        named["start"] = node["start"]
    opening = f"<{kind}{attributes(named)}"
    if kind == "rule":
        return f"{opening}/>\n"
    content = _text(node) if "text" in node else f"\n{_nodes(node['children'])}"
    return f"{opening}>{content}</{kind}>\n"


def _text(node: OutlineNode) -> str:
    return inline(node, "\n" if node["type"] == "code" else "<break/>", _span)


def _span(span: Span, content: str) -> str:
    named = {name: value for name, value in span.items() if name not in _CONTENT}
    return f"<{span['type']}{attributes(named)}>{content}</{span['type']}>"
