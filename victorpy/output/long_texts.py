"""Joins the pieces of a long text, without a second copy of it."""

from collections.abc import Iterable, Iterator

_CHARACTERS = 1 << 17


def joined(pieces: Iterable[str]) -> str:
    # In a loop CPython appends in place. `join` and StringIO hold the text twice.
    text = ""
    for part in _parts(pieces):
        text += part
    return text


def _parts(pieces: Iterable[str]) -> Iterator[str]:
    some: list[str] = []
    size = 0
    for piece in pieces:
        some.append(piece)
        size += len(piece)
        if size > _CHARACTERS:
            yield "".join(some)
            some, size = [], 0
    yield "".join(some)
