"""The format of corpus tools: <doc> and <p> on lines of their own, and between them a passage, or a token, a line."""

from collections.abc import Callable, Iterator
from html import escape

from victorpy.output.cleaned import Cleaned
from victorpy.output.formats.doc import attributes
from victorpy.output.formats.lines import lines
from victorpy.page.blocks import Label

_TAGS = {Label.HEADER: '<p heading="1">', Label.LIST: '<p list="1">'}


def vertical(cleaned: Cleaned) -> str:
    """The prevertical: text that is not divided into tokens."""
    return _document(cleaned, lambda text: iter([_escaped(text)]))


def vertical_tokens(cleaned: Cleaned) -> str:
    """The vertical. A line <g/> stands between two tokens without white space."""
    return _document(cleaned, _token_lines)


def _document(cleaned: Cleaned, inside: Callable[[str], Iterator[str]]) -> str:
    passages = ("\n".join([_TAGS.get(label, "<p>"), *inside(text), "</p>\n"]) for label, text in lines(cleaned))
    return "".join([f"<doc{attributes(cleaned)}>\n", *passages, "</doc>\n"])


def _token_lines(text: str) -> Iterator[str]:
    # Only this format needs numpy.
    from victorpy.features.language.symbols import tokens  # noqa: PLC0415

    for token in tokens(text):
        if token.is_glued:
            yield "<g/>"
        yield _escaped(token.text)


def _escaped(text: str) -> str:
    return escape(text, quote=False)
