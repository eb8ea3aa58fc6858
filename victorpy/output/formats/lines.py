"""One line for each passage, as several formats print it."""

from victorpy.output.cleaned import Cleaned
from victorpy.output.escapes import in_one_line
from victorpy.page.blocks import Label


def lines(cleaned: Cleaned) -> list[tuple[Label, str]]:
    """The label and the text of each passage. Passages without printable text are left out."""
    found = ((passage.label, in_one_line(passage.text)) for passage in cleaned.passages)
    return [(label, text) for label, text in found if text]
