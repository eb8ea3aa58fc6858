"""The format of CLEANEVAL's gold texts."""

from victorpy.cleaned import Cleaned
from victorpy.formats.characters import in_one_line


def cleaneval(cleaned: Cleaned) -> str:
    """A line for each passage, its kind before it; the first line names the page."""
    lines = [f"<{passage.label}> {in_one_line(passage.text)}\n" for passage in cleaned.passages]
    return "".join([f"URL: {in_one_line(cleaned.url)}\n", *lines] if cleaned.url else lines)
