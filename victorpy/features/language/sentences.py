"""Splits texts at the ends of sentences."""

import re
from itertools import pairwise

# A sentence ends after a terminal mark and its closing marks. Full stops and the like need white space after them.
_END = re.compile(
    r"(?<![.!?…])[.!?…։؟۔।॥][.!?…]*+[\"'”’»)\]]*+(?=\s)|[。！？｡]+[」』”’）]*",
)


def sentences(text: str) -> list[str]:
    """The sentences of a text, without empty ones."""
    return [text[begin:end].strip() for begin, end in sentence_ranges(text)]


def sentence_ranges(text: str) -> list[tuple[int, int]]:
    """Where each sentence begins and ends, with the white space around it; stretches of nothing else are left out."""
    borders = [0, *(match.end() for match in _END.finditer(text)), len(text)]
    return [(begin, end) for begin, end in pairwise(borders) if text[begin:end].strip()]
