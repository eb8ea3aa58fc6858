"""Splits texts at the ends of sentences."""

import re
from itertools import pairwise

# A sentence ends after a terminal mark and its closing marks. Full stops and the like need white space after them.
_END = re.compile(
    r"(?<![.!?…])[.!?…։؟۔।॥][.!?…]*+[\"'”’»)\]]*+(?=\s)|[。！？｡]+[」』”’）]*",
)


def sentences(text: str) -> list[str]:
    """The sentences of a text, without empty ones."""
    borders = [0, *(match.end() for match in _END.finditer(text)), len(text)]
    pieces = (text[begin:end].strip() for begin, end in pairwise(borders))
    return [piece for piece in pieces if piece]
