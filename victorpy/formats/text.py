"""Nothing but the text."""

from victorpy.cleaned import Cleaned
from victorpy.formats.characters import printable


def text(cleaned: Cleaned) -> str:
    """A line for each passage; preformatted text keeps its own lines."""
    return printable(cleaned.text)
