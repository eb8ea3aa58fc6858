"""Options of the command line that are numbers."""

import argparse
from collections.abc import Callable, Mapping
from math import isnan
from typing import TypeVar

from victorpy.foundation.bounds import AT_LEAST_1, FROM_0_TO_1, Range

Number = TypeVar("Number", int, float)

_ANY = Range()
_KINDS = {int: "a whole number", float: "a number"}


def number(
    kind: type[Number], allowed: Range = _ANY, words: Mapping[str, Number] | None = None
) -> Callable[[str], Number]:
    """A reader of numbers within a range; `words` are other names of some of them."""
    named = words or {}

    def read(word: str) -> Number:
        found = named[word] if word in named else _read(kind, word)
        if found is None or not (word in named or allowed.includes(found)):
            raise argparse.ArgumentTypeError(f"expected {_expected(kind, allowed, named)}, got '{word}'")
        return found

    return read


def _read(kind: type[Number], word: str) -> Number | None:
    try:
        found = kind(word)
    except ValueError:
        return None
    return None if isnan(found) else found


def _expected(kind: type, allowed: Range, words: Mapping[str, float]) -> str:
    limits = str(allowed).removeprefix("a number ")
    limited = limits if limits.startswith("from") else limits and f"({limits})"
    names = f"{', '.join(words)} or " if words else ""
    return f"{names}{_KINDS[kind]} {limited}".rstrip()


at_least_1 = number(int, AT_LEAST_1)
share = number(float, FROM_0_TO_1)
