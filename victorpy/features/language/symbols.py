"""Turns text into symbols: a number of 64 bits for each character or word, the same on every machine.

Words are runs of letters, digits and their marks. In scripts without spaces between words, each letter is a word.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from victorpy.foundation.hashing import GOLDEN, SPECTRAL, SPLIT_MIX
from victorpy.foundation.words import SINGLE_CHARACTERS, TOKEN, WORD_CHARACTERS

Unit = Literal["words", "characters"]
Keys = NDArray[np.uint64]
Codes = NDArray[np.unsignedinteger[Any]]
Places = NDArray[np.intp]

_NONE, _PART, _SINGLE = range(3)

# Any odd numbers would do, but they are now part of the format.
_BASE = GOLDEN
_STEP = np.uint64(SPECTRAL)
_SCALES = SPLIT_MIX
_INVERSE = pow(_BASE, -1, 1 << 64)


class Symbols(NamedTuple):
    """The symbols of several texts. Each text begins with the symbol of a line end, at one of the places `begins`."""

    symbols: Keys
    begins: Places

    def offsets(self) -> Places:
        """The distance of each symbol from the beginning of its text."""
        sizes = np.diff(self.begins, append=len(self.symbols))
        return np.arange(len(self.symbols)) - np.repeat(self.begins, sizes)


class Token(NamedTuple):
    """A word or another character. It is glued if no white space separates it from the previous token."""

    text: str
    is_glued: bool


def tokens(text: str) -> Iterator[Token]:
    """The words of a text, and all other characters except white space, one by one."""
    end = -1
    for match in TOKEN.finditer(text):
        yield Token(match[0], match.start() == end)
        end = match.end()


def symbols(texts: Sequence[str], unit: Unit) -> Symbols:
    """The symbols of texts, in lower case and with all digits the same."""
    joined = "\n" + "\n".join(text.replace("\n", " ") for text in texts) if texts else ""
    codes = np.frombuffer(joined.lower().encode("utf-32-le", "surrogatepass"), "<u4")
    begins, ends = _words(codes) if unit == "words" else _characters(codes)
    is_begin = codes[begins] == ord("\n")
    plain = np.where((codes >= ord("0")) & (codes <= ord("9")), ord("0"), codes).astype(np.uint64)
    mixed = _mixed(plain)
    return Symbols(mixed if unit == "characters" else _spans(mixed, begins, ends), np.flatnonzero(is_begin))


def _characters(codes: Codes) -> tuple[Places, Places]:
    places = np.arange(len(codes))
    return places, places + 1


def _words(codes: Codes) -> tuple[Places, Places]:
    """Where words begin and end. Line ends are words, too."""
    classes = _classes().take(codes, mode="clip")
    is_part, is_single = classes == _PART, classes == _SINGLE
    begins = is_part.copy()
    begins[1:] &= ~is_part[:-1]
    ends = is_part.copy()
    ends[:-1] &= ~is_part[1:]
    return np.flatnonzero(begins | is_single), np.flatnonzero(ends | is_single) + 1


@cache
def _classes() -> NDArray[np.uint8]:
    """The class of each code point of the first plane. Beyond it are rare ideographs and pictures, one word each."""
    plane = "".join(map(chr, range(0x10000)))
    classes = np.full(0x10001, _NONE, np.uint8)
    for found, pattern in ((_PART, WORD_CHARACTERS), (_SINGLE, SINGLE_CHARACTERS)):
        for match in re.finditer(pattern, plane):
            classes[match.start() : match.end()] = found
    classes[0x10000] = _SINGLE
    return classes


def _mixed(numbers: Keys) -> Keys:
    """Spreads neighbouring numbers over all 64 bits (the finaliser of SplitMix64, Steele et al. 2014)."""
    mixed = numbers + np.uint64(_BASE)
    for shift, scale in zip((30, 27), _SCALES, strict=True):
        mixed ^= mixed >> np.uint64(shift)
        mixed *= np.uint64(scale)
    mixed ^= mixed >> np.uint64(31)
    return mixed


def _spans(mixed: Keys, begins: Places, ends: Places) -> Keys:
    """A number for each stretch, from the running sums of a polynomial over the whole text."""
    sums = np.zeros(len(mixed) + 1, np.uint64)
    np.cumsum(mixed * _powers(_BASE, len(mixed)), out=sums[1:])
    return _mixed((sums[ends] - sums[begins]) * _powers(_INVERSE, len(mixed))[begins])


def _powers(base: int, count: int) -> Keys:
    powers = np.full(count, base, np.uint64)
    powers[:1] = 1
    return np.cumprod(powers, dtype=np.uint64)


def longer(keys: Keys, symbols: Keys) -> Keys:
    """The keys of n-grams that are one symbol longer than the given ones, which end in the previous symbol."""
    grown = np.empty_like(symbols)
    grown[:1] = symbols[:1]
    np.multiply(keys[:-1], _STEP, out=grown[1:])
    grown[1:] += symbols[1:]
    return grown
