"""Bytes → text, as the WHATWG Encoding Standard says; by the bytes themselves where a page says nothing, or lies."""

from typing import Literal, NamedTuple, cast

from victorpy import _core

__all__ = ["BINARY", "Decoded", "decode", "is_binary"]

# The problem of a page that is not text.
BINARY = "not a text: binary data"

Origin = Literal["bom", "given", "meta", "utf-8", "detected", "fallback", "text"]

is_binary = _core.is_binary


class Decoded(NamedTuple):
    """The text of a page, its encoding, how many characters were replaced by U+FFFD, and who named the encoding."""

    text: str
    encoding: str
    replaced: int
    origin: Origin


def decode(data: bytes, charset: str | None = None) -> Decoded:
    """The text of a page; `charset` is what is said of it from outside, such as by HTTP."""
    text, encoding, origin, replaced = _core.decoded(data, label_of(charset))
    return Decoded(text, encoding, replaced, cast(Origin, origin))


def label_of(charset: str | None) -> str | None:
    """What may be the label of an encoding: half of a surrogate pair, say, is part of none."""
    return charset if charset and charset.isascii() else None
