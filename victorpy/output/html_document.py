"""The outline of a page as a small HTML5 document."""

from collections.abc import Sequence
from html import escape

from victorpy.output.escapes import in_one_line
from victorpy.output.outline import Code, Heading, Item, Part
from victorpy.page.metadata import Metadata

# The title and the language have places of their own. The address is printed only where there is no title.
_NO_META = frozenset({"title", "language", "url"})

_PAGE = """\
<!DOCTYPE html>
<html{language}>
<head>
<meta charset="utf-8">
<title>{title}</title>
{meta}</head>
<body>
{body}</body>
</html>
"""


def html_document(metadata: Metadata, id: str, parts: Sequence[Part]) -> str:
    # HTML requires a title that is not empty.
    title = in_one_line(metadata.title) or in_one_line(metadata.url or id) or "Untitled"
    language = f' lang="{_attribute(metadata.language)}"' if metadata.language else ""
    return _PAGE.format(language=language, title=escape(title, quote=False), meta=_meta(metadata), body=_body(parts))


def _meta(metadata: Metadata) -> str:
    named = {name: value for name, value in metadata.known().items() if name not in _NO_META}
    return "".join(f'<meta name="{name}" content="{_attribute(value)}">\n' for name, value in named.items())


def _attribute(value: str) -> str:
    return escape(in_one_line(value))


def _body(parts: Sequence[Part]) -> str:
    lists = _OpenLists()
    pieces: list[str] = []
    for part in parts:
        if isinstance(part, Item):
            pieces += lists.item(part)
        else:
            pieces += (lists.closed_to(0), _element(part))
    return "".join([*pieces, lists.closed_to(0)])


def _element(part: Part) -> str:
    text = escape(part.text, quote=False)
    if isinstance(part, Code):
        return f"<pre>{text}</pre>\n"
    return f"<h{part.level}>{text}</h{part.level}>\n" if isinstance(part, Heading) else f"<p>{text}</p>\n"


class _OpenLists:
    """The lists that are open. Each has an open item."""

    def __init__(self) -> None:
        self.open: list[str] = []

    def closed_to(self, depth: int) -> str:
        closed = "".join(f"</li>\n</{tag}>\n" for tag in reversed(self.open[depth:]))
        del self.open[depth:]
        return closed

    def item(self, item: Item) -> list[str]:
        closed = self.closed_to(item.depth if item.is_first else item.depth + 1)
        return [closed, self._opening(item), f"<li>{escape(item.text, quote=False)}"]

    def _opening(self, item: Item) -> str:
        if not item.is_first:
            return "</li>\n"
        self.open.append("ol" if item.number else "ul")
        start = f' start="{item.number}"' if item.number > 1 else ""
        return f"{chr(10) * (item.depth > 0)}<{self.open[-1]}{start}>\n"
