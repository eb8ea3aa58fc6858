"""The text of an outline's node with its spans as XML."""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any

from victorpy.output.cleaned import OutlineNode
from victorpy.output.escapes import in_one_line

Span = Mapping[str, Any]


def inline(node: OutlineNode, line_break: str, element: Callable[[Span, str], str]) -> str:
    """The text, with what `element` makes of a span and of the markup inside it."""
    return _InlineMarkup(node["text"], node["spans"], line_break, element).between(0, len(node["text"]), None)


class _InlineMarkup:
    """Spans are nested properly, and outer ones come first. An image takes no characters."""

    def __init__(self, text: str, spans: Sequence[Span], line_break: str, element: Callable[[Span, str], str]):
        self.text, self.left, self.line_break, self.element = text, deque(spans), line_break, element

    def between(self, start: int, end: int, outer: Span | None) -> str:
        pieces, at = [], start
        while self.left and _is_inside(self.left[0], end, outer):
            span = self.left.popleft()
            pieces.append(self._plain(at, span["start"]))
            pieces.append(self.element(span, self.between(span["start"], span["end"], span)))
            at = span["end"]
        return "".join([*pieces, self._plain(at, end)])

    def _plain(self, start: int, end: int) -> str:
        return escape(self.text[start:end], quote=False).replace("\n", self.line_break)


def _is_inside(span: Span, end: int, outer: Span | None) -> bool:
    """A link around nothing but images takes no characters either."""
    if outer is None or span["start"] < end:
        return True
    return bool(outer["start"] == span["end"] == end and span["type"] != outer["type"])


def attributes(values: Mapping[str, Any]) -> str:
    """The attributes of a tag, each with a blank before it. None is left out."""
    return "".join(f' {name}="{_attribute(value)}"' for name, value in values.items() if value is not None)


def _attribute(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return escape(in_one_line(" ".join(map(str, value)) if isinstance(value, list) else str(value)))
