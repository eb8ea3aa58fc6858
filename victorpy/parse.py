"""HTML → Tree: the only place that knows lxml."""

import re
from collections.abc import Callable, Mapping
from itertools import islice, repeat
from operator import attrgetter
from typing import Any, NamedTuple, cast

from lxml import etree

from victorpy.markup import Markup

# libxml2 stops at 2,048 nested elements even with huge_tree, and drops the rest of the page without saying so.
_DEEPEST_TREE = 2_000

# A script that writes a script: the closing tag stands in a string, and what follows is still the script.
_SCRIPT_END_IN_STRING = re.compile(rb"""</script\s*>(\s*(?:\\n)?["'`]\s*[);+,])""", re.I)
# A title that nobody closed, which would hold all that follows.
_OPEN_TITLE = re.compile(rb"<title[^<>]*>(?![^<]*</title)[^<]*", re.I)
_REST_OF_STRING = re.compile(r"""\s*(?:\\n)?["'`]\s*[);+,]""")


_AT_A_TIME = 1 << 8
# In the order of Tree's columns, but for the roles. How many children there are is all that the shape takes, and
# parents cost more.
_VALUES: tuple[Callable[[Any], Any], ...] = (
    attrgetter("tag"),
    len,
    attrgetter("sourceline"),
    attrgetter("text"),
    attrgetter("tail"),
)
# Called as a function, for many elements at once: asking one after the other takes three times as long.
_attribute = etree._Element.get

LIBXML2_VERSION = ".".join(map(str, etree.LIBXML_VERSION))


class Tree(NamedTuple):
    """What the parser gives: tags in document order, how many children each has, the text inside and behind each.

    Of the attributes only those that the markup names, a column for each.
    """

    tags: list[str]
    children: list[int]
    lines: list[int]
    texts: list[str | None]
    tails: list[str | None]
    roles: list[str | None]
    title: str
    attributes: Mapping[str, list[str | None]] = {}


def parse(source: bytes, markup: Markup) -> Tree:
    source = source.translate(None, b"\0") if b"\0" in source else source
    root = _root(source)
    if root is not None and _is_confused_by_script(root):
        source = _SCRIPT_END_IN_STRING.sub(rb"\1", source)
        root = _root(source)
    if root is not None and any("<" in (title.text or "") for title in root.iter("title")):
        source = _OPEN_TITLE.sub(rb"\g<0></title>", source)
        root = _root(source)
    if root is None:
        return Tree(["html"], [0], [0], [None], [None], [None], "")
    return _flat_tree(source, markup) if _is_cut_off(root) else _walk(root, markup)


def _root(source: bytes) -> etree._Element | None:
    # huge_tree, because without it libxml2 drops whatever nests deeper than 256.
    parser = etree.HTMLParser(
        encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True, collect_ids=False
    )
    try:
        root = etree.fromstring(source, parser)
    except etree.XMLSyntaxError as error:  # there is no element and no text at all
        _check_memory(error)
        return None
    if root is None:
        return None
    # libxml2 puts what follows a </html> beside the root, and what stands between </body> and </html> behind the body.
    body = root.find("body")
    end = root if body is None or body.getnext() is not None or body.tail else body
    for late in root.itersiblings():
        end.append(late)
    return root


def _check_memory(error: etree.XMLSyntaxError) -> None:
    """A page that was too large must not pass for one without text."""
    if cast(Any, error).code == etree.ErrorTypes.ERR_NO_MEMORY:
        raise MemoryError from error


def _is_cut_off(root: etree._Element) -> bool:
    depth, node = 0, root
    while len(node):
        depth, node = depth + 1, node[-1]
    return depth >= _DEEPEST_TREE


def _is_confused_by_script(root: etree._Element) -> bool:
    """Does the rest of a string stand behind a script, or in the body behind a head that ends with one?"""
    tails = (script.tail for script in root.iter("script"))
    return any(tail and not tail.isspace() and _REST_OF_STRING.match(tail) for tail in tails) or any(
        len(head) and head[-1].tag == "script" and _REST_OF_STRING.match(_text_behind(head))
        for head in root.iter("head")
    )


def _text_behind(head: etree._Element) -> str:
    body = head.getnext()
    return "" if body is None else body.text or ""


def _walk(root: etree._Element, markup: Markup) -> Tree:
    title = next((node.text for node in root.iter("title") if not _is_in_picture(node)), None)
    etree.strip_elements(root, *markup.deleted, with_tail=False)
    tree = Tree([], [], [], [], [], [], " ".join((title or "").split()))
    named: dict[str, list[str | None]] = {"role": tree.roles, **{name: [] for name in markup.attributes}}
    nodes = iter(root.iter())
    # Some at a time: as Python objects, all the elements of a page would take more memory than the page.
    while some := [*islice(nodes, _AT_A_TIME)]:
        for column, value in zip(tree, _VALUES, strict=False):
            cast(list[Any], column).extend(map(value, some))
        for name, values in named.items():
            values.extend(map(_attribute, some, repeat(name)))
    number = -1
    for picture in root.iter("img"):
        number = tree.tags.index("img", number + 1)
        tree.texts[number] = picture.get("alt")
    return tree._replace(attributes={name: named[name] for name in markup.attributes})


def _is_in_picture(title: etree._Element) -> bool:
    parent = title.getparent()
    return parent is not None and parent.tag == "svg"


class _Flattener:
    """Takes the parser's events for pages that nest too deep for its tree."""

    def __init__(self, markup: Markup):
        self.tree = Tree([], [], [], [], [], [], "")
        self.attributes: dict[str, list[str | None]] = {name: [] for name in markup.attributes}
        self.deleted = frozenset(markup.deleted)
        self.open: list[int] = []
        self.closed: int | None = None
        self.skipping: list[str] = []
        self.title: list[str] = []

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if self.skipping or tag in self.deleted:
            self.skipping.append(tag)
            return
        if self.tree.tags:
            self.tree.children[self.open[-1] if self.open else 0] += 1
        self.tree.tags.append(tag)
        self.tree.children.append(0)
        self.tree.lines.append(0)
        self.tree.texts.append(attributes.get("alt") if tag == "img" else None)
        self.tree.tails.append(None)
        self.tree.roles.append(attributes.get("role"))
        for name, column in self.attributes.items():
            column.append(attributes.get(name))
        self.open.append(len(self.tree.tags) - 1)
        self.closed = None

    def end(self, _tag: str) -> None:
        if self.skipping:
            self.skipping.pop()
        else:
            self.closed = self.open.pop()

    def data(self, text: str) -> None:
        if self.skipping:
            if self.skipping == ["title"]:
                self.title.append(text)
        elif self.closed is not None:
            self.tree.tails[self.closed] = (self.tree.tails[self.closed] or "") + text
        elif self.open:
            self.tree.texts[self.open[-1]] = (self.tree.texts[self.open[-1]] or "") + text

    def close(self) -> Tree:
        title = " ".join("".join(self.title).split())
        return self.tree._replace(title=title, attributes=self.attributes)


def _flat_tree(source: bytes, markup: Markup) -> Tree:
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True, target=cast(Any, _Flattener(markup)))
    try:
        return cast(Tree, etree.fromstring(source, parser))
    except etree.XMLSyntaxError as error:
        _check_memory(error)
        raise
