"""The format of CLEANEVAL's gold texts."""

import re

from victorpy.output.cleaned import Cleaned
from victorpy.output.escapes import in_one_line
from victorpy.output.formats.lines import lines

# Text that readers of the format would take for the beginning of a passage, or would drop.
_MISREAD = re.compile(r"<(?=[phl]>|!--)", re.I)


def cleaneval(cleaned: Cleaned) -> str:
    """A line for each passage, with its label before it. The first line is the address."""
    address = [f"URL: {in_one_line(cleaned.url)}\n"] if cleaned.url else []
    return "".join([*address, *passage_lines(cleaned)])


def passage_lines(cleaned: Cleaned) -> list[str]:
    return [f"<{label}> {_MISREAD.sub('&lt;', text)}\n" for label, text in lines(cleaned)]
