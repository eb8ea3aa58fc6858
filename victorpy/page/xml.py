"""Pages parsed by libxml2, as XML or on request. Only this module uses lxml."""

import re
from collections.abc import Iterator
from typing import Any, cast

from lxml import etree

from victorpy import _core
from victorpy.page.character_references import unescaped
from victorpy.page.markup import Markup

# libxml2 stops at 2,048 nested elements even with huge_tree, and silently drops the rest of the page.
_DEEPEST_TREE = 2_000

# A script that writes a script: the closing tag is in a string, so the script goes on after it.
_SCRIPT_END_IN_STRING = re.compile(rb"""</script\s*>(\s*(?:\\n)?["'`]\s*[);+,])""", re.I)
# A title without a closing tag, which would hold everything after it.
_OPEN_TITLE = re.compile(rb"<title[^<>]*>(?![^<]*</title)[^<]*", re.I)
_REST_OF_STRING = re.compile(r"""\s*(?:\\n)?["'`]\s*[);+,]""")

# In the order of the core: tag, number of children, line, text inside, text after, attributes.
_Element = tuple[str, int, int, str, str, list[tuple[str, str]]]
_EMPTY_PAGE: list[_Element] = [("html", 0, 0, "", "", [])]

_UNDECLARED = (etree.ErrorTypes.ERR_UNDECLARED_ENTITY, etree.ErrorTypes.WAR_UNDECLARED_ENTITY)

LIBXML2_VERSION = ".".join(map(str, etree.LIBXML_VERSION))


def well_formed_document(core: _core.Document, markup: Markup) -> _core.Document:
    """The page parsed as XML if it is well-formed; else the document as it is."""
    root = _xml_root(_source(core), is_strict=True)
    return core if root is None else _of_root(core, root, markup)


def document(core: _core.Document, markup: Markup) -> _core.Document:
    """The page parsed again, by the libxml2 parser of the markup."""
    source = _source(core)
    root = _xml_root(source) if markup.parser == "xml" else _html_root(source)
    if root is None:
        return _core.of_elements(core, _EMPTY_PAGE, "", markup.core)
    if _is_cut_off(root):
        return _core.of_elements(core, _flat_elements(source), _title(root), markup.core)
    return _of_root(core, root, markup)


def _source(core: _core.Document) -> bytes:
    return core.parsed.encode("utf-8", "replace").translate(None, b"\0")


def _of_root(core: _core.Document, root: etree._Element, markup: Markup) -> _core.Document:
    return _core.of_elements(core, [*_elements(root)], _title(root), markup.core)


def _html_root(source: bytes) -> etree._Element | None:
    root = _root(source)
    if root is not None and _is_confused_by_script(root):
        source = _SCRIPT_END_IN_STRING.sub(rb"\1", source)
        root = _root(source)
    if root is not None and any("<" in (title.text or "") for title in root.iter("title")):
        root = _root(_OPEN_TITLE.sub(rb"\g<0></title>", source))
    if root is not None:
        for embed in [*root.iter("embed")]:
            _empty(embed)
    return root


def _empty(embed: etree._Element) -> None:
    """Moves what is in the element behind it: `<embed>` has no end tag, which libxml2 does not know."""
    children, tail = [*embed], embed.tail or ""
    embed.tail, embed.text = embed.text, None
    last = embed
    for child in children:
        behind = child.tail
        last.addnext(child)
        child.tail = behind
        last = child
    last.tail = (last.tail or "") + tail


def _root(source: bytes) -> etree._Element | None:
    # Without huge_tree, libxml2 drops what is nested deeper than 256 elements.
    parser = etree.HTMLParser(
        encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True, collect_ids=False
    )
    root = _parsed(source, parser)
    if root is None:
        return None
    # libxml2 puts text after </html> beside the root, and text between </body> and </html> after the body.
    body = root.find("body")
    end = root if body is None or body.getnext() is not None or body.tail else body
    for late in root.itersiblings():
        end.append(late)
    return root


def _xml_root(source: bytes, *, is_strict: bool = False) -> etree._Element | None:
    """Parse XML, which must be well-formed if `is_strict`. Undeclared entities are read as those of HTML."""
    parser = etree.XMLParser(
        encoding="utf-8",
        recover=True,
        huge_tree=True,
        remove_comments=True,
        remove_pis=True,
        resolve_entities=False,
        load_dtd=False,
        no_network=True,
    )
    root = _parsed(source.lstrip(), parser)
    is_broken = any(error.type not in _UNDECLARED for error in parser.error_log)
    return None if is_strict and is_broken else root


def _parsed(source: bytes, parser: Any) -> etree._Element | None:
    try:
        return cast(etree._Element | None, etree.fromstring(source, parser))
    except etree.XMLSyntaxError as error:  # the page has neither elements nor text
        _check_memory(error)
        return None


def _check_memory(error: etree.XMLSyntaxError) -> None:
    """A page that needs too much memory must not count as a page without text."""
    if cast(Any, error).code == etree.ErrorTypes.ERR_NO_MEMORY:
        raise MemoryError from error


def _is_cut_off(root: etree._Element) -> bool:
    depth, node = 0, root
    while len(node):
        depth, node = depth + 1, node[-1]
    return depth >= _DEEPEST_TREE


def _is_confused_by_script(root: etree._Element) -> bool:
    """Does the rest of a string follow a script, or a head that ends with a script?"""
    tails = (script.tail for script in root.iter("script"))
    return any(tail and not tail.isspace() and _REST_OF_STRING.match(tail) for tail in tails) or any(
        len(head) and head[-1].tag == "script" and _REST_OF_STRING.match(_text_after(head))
        for head in root.iter("head")
    )


def _text_after(head: etree._Element) -> str:
    body = head.getnext()
    return "" if body is None else body.text or ""


def _title(root: etree._Element) -> str:
    found = (node.text for node in root.iter("title", "{*}title") if not _is_in_picture(node))
    return " ".join((next(found, None) or "").split())


def _is_in_picture(title: etree._Element) -> bool:
    parent = title.getparent()
    return parent is not None and _name(parent) == "svg"


def _elements(root: etree._Element) -> Iterator[_Element]:
    for node in root.iter(etree.Element):
        parts = [*node]
        children = sum(1 for child in parts if child.tag is not etree.Entity)
        attributes = [(_local(str(name)), str(value)) for name, value in node.attrib.items()]
        yield _name(node), children, cast(int, node.sourceline or 0), _text(node), _tail(node), attributes


def _text(node: etree._Element) -> str:
    first = next(iter(node), None)
    return (node.text or "") + ("" if first is None else _references(first))


def _tail(node: etree._Element) -> str:
    following = node.getnext()
    return (node.tail or "") + ("" if following is None else _references(following))


def _references(node: etree._Element | None) -> str:
    """The entity references from this node on, each with the text after it."""
    text = ""
    while node is not None and node.tag is etree.Entity:
        text += unescaped(str(node.text)) + (node.tail or "")
        node = node.getnext()
    return text


def _name(node: etree._Element) -> str:
    return _local(str(node.tag)).lower()


def _local(name: str) -> str:
    """The name without its namespace."""
    return name.rpartition("}")[2]


class _Flattener:
    """Collects the parser's events, for pages that are nested too deep for its tree."""

    def __init__(self) -> None:
        self.elements: list[list[Any]] = []
        self.open: list[int] = []
        self.closed: int | None = None

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if self.elements:
            self.elements[self.open[-1] if self.open else 0][1] += 1
        self.elements.append([tag, 0, 0, "", "", [*attributes.items()]])
        self.open.append(len(self.elements) - 1)
        self.closed = None

    def end(self, _tag: str) -> None:
        self.closed = self.open.pop()

    def data(self, text: str) -> None:
        if self.closed is not None:
            self.elements[self.closed][4] += text
        elif self.open:
            self.elements[self.open[-1]][3] += text

    def close(self) -> list[_Element]:
        return [cast(_Element, tuple(element)) for element in self.elements]


def _flat_elements(source: bytes) -> list[_Element]:
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True, target=cast(Any, _Flattener()))
    try:
        return cast(list[_Element], etree.fromstring(source, parser))
    except etree.XMLSyntaxError as error:
        _check_memory(error)
        raise
