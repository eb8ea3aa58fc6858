"""The prevertical of corpus tools: <doc> and <p> on lines of their own, and between them text without tokens yet."""

from html import escape

from victorpy.blocks import Label
from victorpy.cleaned import Cleaned
from victorpy.formats.characters import in_one_line
from victorpy.formats.doc import attributes

_TAGS = {Label.HEADER: '<p heading="1">', Label.LIST: '<p list="1">'}


def vertical(cleaned: Cleaned) -> str:
    passages = (
        f"{_TAGS.get(passage.label, '<p>')}\n{escape(in_one_line(passage.text), quote=False)}\n</p>\n"
        for passage in cleaned.passages
    )
    return "".join([f"<doc{attributes(cleaned)}>\n", *passages, "</doc>\n"])
