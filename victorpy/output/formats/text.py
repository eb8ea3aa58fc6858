"""The text alone."""

from victorpy.output.cleaned import Cleaned
from victorpy.output.escapes import printable


def text(cleaned: Cleaned) -> str:
    """A line for each passage. Preformatted text keeps its lines."""
    return printable(cleaned.text)
