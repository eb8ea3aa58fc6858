"""Decodes bytes by the WHATWG Encoding Standard, or by detection if a page names no encoding or a wrong one."""

from typing import Literal, NamedTuple, cast

from victorpy import _core

__all__ = ["BINARY", "Decoded", "decode", "is_binary"]

# The problem of a page that is not text.
BINARY = "not a text: binary data"

Origin = Literal["bom", "given", "meta", "utf-8", "detected", "fallback", "text"]

is_binary = _core.is_binary


class Decoded(NamedTuple):
    """The text of a page, its encoding, the number of characters replaced by U+FFFD, and who named the encoding."""

    text: str
    encoding: str
    replaced: int
    origin: Origin


def decode(data: bytes, charset: str | None = None) -> Decoded:
    """Decode a page; `charset` is the encoding that HTTP, say, names."""
    text, encoding, origin, replaced = _core.decoded(data, label_of(charset))
    return Decoded(text, encoding, replaced, cast(Origin, origin))


def label_of(charset: str | None) -> str | None:
    """The charset if it can be the label of an encoding: labels are ASCII."""
    return charset if charset and charset.isascii() else None
