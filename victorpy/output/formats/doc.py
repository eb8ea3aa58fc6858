"""The lines of CLEANEVAL's format between <doc> and </doc>, so that pages can follow one another in a corpus."""

from html import escape

from victorpy.output.cleaned import Cleaned
from victorpy.output.escapes import in_one_line
from victorpy.output.formats.cleaneval import passage_lines

# Facts that corpora do not need. The text of <title> is the title.
_LEFT_OUT = frozenset(
    (
        "title",
        "html_title",
        "date_modified",
        "description",
        "declared_language",
        "canonical_url",
        "image",
        "tags",
        "section",
        "licence",
        "page_type",
        "cms",
    )
)


def doc(cleaned: Cleaned) -> str:
    return "".join([f"<doc{attributes(cleaned)}>\n", *passage_lines(cleaned), "</doc>\n"])


def attributes(cleaned: Cleaned) -> str:
    """The id, the address, the text of `<title>` and some metadata of a page, each with a blank before it."""
    known = {name: value for name, value in cleaned.metadata.known().items() if name not in _LEFT_OUT}
    named = {"id": cleaned.page.id, "url": "", "title": cleaned.title} | known
    return "".join(f' {name}="{escape(in_one_line(value))}"' for name, value in named.items() if value)
