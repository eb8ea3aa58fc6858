"""A small HTML5 document."""

from html import escape

from victorpy.output.cleaned import Cleaned
from victorpy.output.formats.escapes import in_one_line
from victorpy.output.formats.outline import Code, Heading, Item, Part, outline

_PAGE = """\
<!DOCTYPE html>
<html>
<head>
<meta charset="utf-8">
<title>{title}</title>
</head>
<body>
{body}</body>
</html>
"""


def html(cleaned: Cleaned) -> str:
    # HTML wants a title that is not empty.
    title = in_one_line(cleaned.title) or in_one_line(cleaned.url or cleaned.page.id) or "Untitled"
    return _PAGE.format(title=escape(title, quote=False), body=_body(outline(cleaned)))


def _body(parts: list[Part]) -> str:
    lists = _Lists()
    pieces: list[str] = []
    for part in parts:
        if isinstance(part, Item):
            pieces += lists.item(part)
        else:
            pieces += (lists.closed_to(0), _written(part))
    return "".join([*pieces, lists.closed_to(0)])


def _written(part: Part) -> str:
    text = escape(part.text, quote=False)
    if isinstance(part, Code):
        return f"<pre>{text}</pre>\n"
    return f"<h{part.level}>{text}</h{part.level}>\n" if isinstance(part, Heading) else f"<p>{text}</p>\n"


class _Lists:
    """The lists that are open, each with an item that is open."""

    def __init__(self) -> None:
        self.open: list[str] = []

    def closed_to(self, depth: int) -> str:
        closed = "".join(f"</li>\n</{tag}>\n" for tag in reversed(self.open[depth:]))
        del self.open[depth:]
        return closed

    def item(self, item: Item) -> list[str]:
        closed = self.closed_to(item.depth if item.is_first else item.depth + 1)
        return [closed, self._begun(item), f"<li>{escape(item.text, quote=False)}"]

    def _begun(self, item: Item) -> str:
        if not item.is_first:
            return "</li>\n"
        self.open.append("ol" if item.number else "ul")
        start = f' start="{item.number}"' if item.number > 1 else ""
        return f"{chr(10) * (item.depth > 0)}<{self.open[-1]}{start}>\n"
