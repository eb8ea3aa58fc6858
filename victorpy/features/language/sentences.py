"""Texts cut at the ends of sentences."""

import re
from itertools import pairwise

# Behind a mark that ends one and whatever closes with it; full stops and their like only before white space.
_END = re.compile(
    r"(?<![.!?…])[.!?…։؟۔।॥][.!?…]*+[\"'”’»)\]]*+(?=\s)|[。！？｡]+[」』”’）]*",
)


def sentences(text: str) -> list[str]:
    """None of them is empty."""
    borders = [0, *(match.end() for match in _END.finditer(text)), len(text)]
    pieces = (text[begin:end].strip() for begin, end in pairwise(borders))
    return [piece for piece in pieces if piece]
