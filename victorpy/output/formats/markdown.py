"""Markdown: headings, paragraphs, lists and fenced code."""

from victorpy.output.cleaned import Cleaned


def markdown(cleaned: Cleaned) -> str:
    return cleaned.markdown
