"""Inputs made of inputs: pieces left out, doubled, swapped, torn, and replaced by what nobody expects."""

import zlib
from collections.abc import Callable, Sequence
from random import Random

from fuzzing import pages

LONGEST = 100_000

Fragments = Callable[[Random], bytes]
Change = Callable[[Random, bytes], bytes]


def chance_of(data: bytes, seed: int = 0) -> Random:
    """The same for the same bytes."""
    return Random(zlib.crc32(data, seed) + len(data))


def markup(chance: Random) -> bytes:
    return pages.piece(chance).encode("utf-8", chance.choice(("surrogatepass", "ignore")))


def plain(chance: Random) -> bytes:
    """For formats of lines, YAML and JSON."""
    return chance.choice(_PLAIN)(chance).encode("utf-8", chance.choice(("surrogatepass", "ignore")))


_PLAIN: tuple[Callable[[Random], str], ...] = (
    pages.number,
    pages.sign,
    lambda chance: chance.choice(_OPENINGS),
    lambda chance: chance.choice(_NESTED) * chance.choice((1, 20, 2_000, 30_000)),
    lambda chance: chance.choice(_VALUES),
    lambda chance: chance.choice(_MARKS),
)

_OPENINGS = ("[", "{", "(", "<", "- ", "&a ", "*a", "!!bool ", "!!python/none ", "|", ">", "? ")
_NESTED = ("[", '{"a":', "(?:", "{a,b}", "- - ", "? ", "-", "&a [*a, ")
_VALUES = ("null", "true", "[]", "{}", '""', "~", "0", "-1", "1.5", "1e999", "NaN", "/", "\n", "\r")
_MARKS = ("\\", "\\u", "\\ud800", "\\x", "\t", ": ", ", ", "#", "---\n", "...\n", "%", '"', "'")


def mutated(chance: Random, data: bytes, fragments: Fragments, seeds: Sequence[bytes]) -> bytes:
    if chance.random() < 0.01:
        return _filled(chance, data)[:LONGEST]
    for _ in range(chance.choice((1, 1, 2, 4, 8))):
        kind = chance.randrange(9)
        if kind == 0:
            data = _with(chance, data, fragments(chance), 0)
        elif kind == 1:
            data = _with(chance, data, fragments(chance), chance.choice((1, 4, 30)))
        elif kind == 2 and seeds:
            data = _with(chance, data, _range(chance, chance.choice(seeds)), chance.choice((0, 30)))
        else:
            data = chance.choice(_CHANGES)(chance, data)
    return data[:LONGEST]


def _with(chance: Random, data: bytes, piece: bytes, instead: int) -> bytes:
    place = chance.randint(0, len(data))
    return data[:place] + piece + data[place + instead :]


def _range(chance: Random, data: bytes) -> bytes:
    begin = chance.randint(0, len(data))
    return data[begin : begin + chance.choice((1, 8, 60, 500, 5_000))]


def _cut(chance: Random, data: bytes) -> bytes:
    return data[: chance.randint(0, len(data))]


def _without(chance: Random, data: bytes) -> bytes:
    begin = chance.randint(0, len(data))
    return data[:begin] + data[begin + chance.choice((1, 2, 8, 60)) :]


def _doubled(chance: Random, data: bytes) -> bytes:
    return _with(chance, data, _range(chance, data) * chance.choice((1, 1, 2, 50)), 0)


def _filled(chance: Random, data: bytes) -> bytes:
    """One short piece over and over: what takes time by the square of its length shows."""
    begin = chance.randint(0, len(data))
    piece = data[begin : begin + chance.choice((1, 2, 3, 5, 9, 20, 60))]
    return _with(chance, data, piece * ((LONGEST - len(data)) // max(len(piece), 1)), 0)


def _flipped(chance: Random, data: bytes) -> bytes:
    place = chance.randrange(len(data)) if data else 0
    return data[:place] + bytes([chance.randrange(256)]) + data[place + 1 :]


def _lines_shuffled(chance: Random, data: bytes) -> bytes:
    lines = data.splitlines(keepends=True)
    if len(lines) > 1:
        one, other = chance.randrange(len(lines)), chance.randrange(len(lines))
        lines[one], lines[other] = lines[other], lines[one]
    return b"".join(lines)


_CHANGES: tuple[Change, ...] = (_cut, _without, _without, _doubled, _flipped, _flipped, _lines_shuffled)
