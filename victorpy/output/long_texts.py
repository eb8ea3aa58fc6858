"""Joins the pieces of a long text, without a second copy of it."""

from collections.abc import Iterable, Iterator

from victorpy import _core

_CHARACTERS = 1 << 14


def joined(pieces: Iterable[str]) -> str:
    return _core.joined(_parts(pieces))


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
