"""The characters that outputs may contain."""

import re

# Everything except "\n" that ends a line for str.splitlines, and white space that XML forbids.
_BLANK = re.compile("[\x0b-\r\x1c-\x1f\x85\u2028\u2029]")

# Characters that XML 1.0 and HTML forbid.
_NO_TEXT = re.compile("[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f]")
_NO_CHARACTER = re.compile("[\ud800-\udfff\ufffe\uffff]")

_SUSPECT = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff]")


def printable(text: str) -> str:
    """Keeps what every reader of text, XML and JSON accepts. White space is blanks, tabs and newlines."""
    if text.isprintable() or not _SUSPECT.search(text):
        return text
    return _NO_CHARACTER.sub("\N{REPLACEMENT CHARACTER}", _NO_TEXT.sub("", _BLANK.sub(" ", text)))


def in_one_line(text: str) -> str:
    # Most texts need no change, and a list of the words of a long text takes ten times its memory.
    if text.isprintable() and "  " not in text:
        return text.strip()
    return " ".join(printable(text).split())
