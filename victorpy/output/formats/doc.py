"""The lines of CLEANEVAL's format between <doc> and </doc>, so that pages can follow one another in a corpus."""

from html import escape

from victorpy.output.cleaned import Cleaned
from victorpy.output.escapes import in_one_line
from victorpy.output.formats.cleaneval import passage_lines
from victorpy.page.metadata import as_text

_FOUND = ("authors", "date_published", "site_name")


def doc(cleaned: Cleaned) -> str:
    return "".join([f"<doc{attributes(cleaned)}>\n", *passage_lines(cleaned), "</doc>\n"])


def attributes(cleaned: Cleaned) -> str:
    """The id, the address, the text of `<title>` and some metadata of a page, each with a blank before it."""
    metadata = cleaned.metadata
    named = {
        "id": cleaned.page.id,
        "url": cleaned.url or "",
        "title": cleaned.title,
        "language": metadata.language or "",
        **{name: as_text(getattr(metadata, name)) for name in _FOUND},
    }
    return "".join(f' {name}="{escape(in_one_line(value))}"' for name, value in named.items() if value)
