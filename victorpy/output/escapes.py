"""Which characters may leave us."""

import re

# Everything that str.splitlines takes for the end of a line, but for "\n" itself, and what XML forbids as a blank.
_BLANK = re.compile("[\x0b-\r\x1c-\x1f\x85\u2028\u2029]")

# What neither XML 1.0 nor HTML lets a text hold.
_NO_TEXT = re.compile("[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f]")
_NO_CHARACTER = re.compile("[\ud800-\udfff\ufffe\uffff]")

_SUSPECT = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff]")


def printable(text: str) -> str:
    """Keeps what every reader of text, XML and JSON accepts; of white space that is blanks, tabs and newlines."""
    if text.isprintable() or not _SUSPECT.search(text):
        return text
    return _NO_CHARACTER.sub("\N{REPLACEMENT CHARACTER}", _NO_TEXT.sub("", _BLANK.sub(" ", text)))


def in_one_line(text: str) -> str:
    # Most texts are tidy already, and the words of a long one would take ten times its memory.
    if text.isprintable() and "  " not in text:
        return text.strip()
    return " ".join(printable(text).split())
