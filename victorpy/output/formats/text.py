"""Nothing but the text."""

from victorpy.output.cleaned import Cleaned
from victorpy.output.escapes import printable


def text(cleaned: Cleaned) -> str:
    """A line for each passage; preformatted text keeps its own lines."""
    return printable(cleaned.text)
