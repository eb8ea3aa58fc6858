"""A small HTML document."""

from victorpy.output.cleaned import Cleaned


def html(cleaned: Cleaned) -> str:
    return cleaned.html
