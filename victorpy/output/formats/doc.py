"""The lines of CLEANEVAL's format between <doc> and </doc>, so that pages can follow one another in a corpus."""

from html import escape

from victorpy.output.cleaned import Cleaned
from victorpy.output.escapes import in_one_line
from victorpy.output.formats.cleaneval import passage_lines


def doc(cleaned: Cleaned) -> str:
    return "".join([f"<doc{attributes(cleaned)}>\n", *passage_lines(cleaned), "</doc>\n"])


def attributes(cleaned: Cleaned) -> str:
    """The id and the known metadata of a page, each with a blank before it."""
    named = {"id": cleaned.page.id} | cleaned.metadata.known()
    return "".join(f' {name}="{escape(in_one_line(value))}"' for name, value in named.items() if value)
