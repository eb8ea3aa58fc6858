"""The lines of CLEANEVAL's format between <doc> and </doc>, so that pages can follow one another in a corpus."""

from html import escape

from victorpy.output.cleaned import Cleaned
from victorpy.output.formats.cleaneval import passage_lines
from victorpy.output.formats.escapes import in_one_line


def doc(cleaned: Cleaned) -> str:
    return "".join([f"<doc{attributes(cleaned)}>\n", *passage_lines(cleaned), "</doc>\n"])


def attributes(cleaned: Cleaned) -> str:
    """What is known of a page, each with a blank before it."""
    named = {"id": cleaned.page.id, "url": cleaned.url, "title": cleaned.title}
    return "".join(f' {name}="{escape(in_one_line(value))}"' for name, value in named.items() if value)
