"""Decodes character references such as &amp; and &#233; in text that no parser has read."""

import re
from html import unescape

_ZEROS = re.compile(r"&#0+(?=[0-9])")
# No character has so large a number, and Python refuses to convert thousands of digits.
_TOO_LARGE = re.compile(r"&#[0-9]{8,};?")
_UNKNOWN = "\N{REPLACEMENT CHARACTER}"


def unescaped(text: str) -> str:
    """The text with its references replaced by their characters."""
    return unescape(_TOO_LARGE.sub(_UNKNOWN, _ZEROS.sub("&#", text)) if "&#" in text else text)
