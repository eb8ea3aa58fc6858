"""Passages as the formats have them that give each of them a line."""

from victorpy.output.cleaned import Cleaned
from victorpy.output.formats.escapes import in_one_line
from victorpy.page.blocks import Label


def lines(cleaned: Cleaned) -> list[tuple[Label, str]]:
    """The kind and the text of each passage; of some nothing is left that a text may hold."""
    found = ((passage.label, in_one_line(passage.text)) for passage in cleaned.passages)
    return [(label, text) for label, text in found if text]
