"""The prevertical of corpus tools: <doc> and <p> on lines of their own, and between them text without tokens yet."""

from html import escape

from victorpy.blocks import Label
from victorpy.cleaned import Cleaned
from victorpy.formats.doc import attributes
from victorpy.formats.lines import lines

_TAGS = {Label.HEADER: '<p heading="1">', Label.LIST: '<p list="1">'}


def vertical(cleaned: Cleaned) -> str:
    passages = (f"{_TAGS.get(label, '<p>')}\n{escape(text, quote=False)}\n</p>\n" for label, text in lines(cleaned))
    return "".join([f"<doc{attributes(cleaned)}>\n", *passages, "</doc>\n"])
