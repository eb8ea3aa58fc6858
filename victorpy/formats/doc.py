"""The lines of CLEANEVAL's format between <doc> and </doc>, so that pages can follow one another in a corpus."""

from html import escape

from victorpy.cleaned import Cleaned
from victorpy.formats.characters import in_one_line


def doc(cleaned: Cleaned) -> str:
    named = {"id": cleaned.page.id, "url": cleaned.url, "title": cleaned.title}
    attributes = "".join(f' {name}="{escape(in_one_line(value))}"' for name, value in named.items() if value)
    lines = [f"<{passage.label}> {in_one_line(passage.text)}\n" for passage in cleaned.passages]
    return "".join([f"<doc{attributes}>\n", *lines, "</doc>\n"])
