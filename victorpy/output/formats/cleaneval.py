"""The format of CLEANEVAL's gold texts."""

import re

from victorpy.output.cleaned import Cleaned
from victorpy.output.escapes import in_one_line
from victorpy.output.formats.lines import lines

# What readers of the format take for the beginning of a passage, or leave out.
_MISREAD = re.compile(r"<(?=[phl]>|!--)", re.I)


def cleaneval(cleaned: Cleaned) -> str:
    """A line for each passage, its kind before it; the first line names the page."""
    address = [f"URL: {in_one_line(cleaned.url)}\n"] if cleaned.url else []
    return "".join([*address, *passage_lines(cleaned)])


def passage_lines(cleaned: Cleaned) -> list[str]:
    return [f"<{label}> {_MISREAD.sub('&lt;', text)}\n" for label, text in lines(cleaned)]
