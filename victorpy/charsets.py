"""The encodings of the WHATWG Encoding Standard: their labels, and bytes → text in each."""

import codecs
from collections.abc import Mapping
from functools import cache
from typing import Literal, NamedTuple

import webencodings

Origin = Literal["bom", "given", "meta", "utf-8", "detected", "fallback", "text"]


class Decoded(NamedTuple):
    """Text; `replaced` counts the U+FFFD that stand for bytes which meant nothing, not those the page had itself.

    `utf8` is the text again where the page came as valid UTF-8, which spares the parser to have it encoded.
    """

    text: str
    encoding: str
    replaced: int
    origin: Origin
    utf8: bytes = b""

    @property
    def source(self) -> bytes | str:
        """What to parse."""
        return self.utf8 or self.text


_MARKS: Mapping[bytes, str] = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF32_LE: "utf-32le",  # begins with the mark of UTF-16, so it is looked for before that
    codecs.BOM_UTF32_BE: "utf-32be",
    codecs.BOM_UTF16_LE: "utf-16le",
    codecs.BOM_UTF16_BE: "utf-16be",
}

# The standard's tables are those of Windows, which hold more characters than Python's codecs of the same names.
MULTIBYTE: Mapping[str, str] = {
    "utf-8": "utf-8",
    "utf-16le": "utf-16-le",
    "utf-16be": "utf-16-be",
    "utf-32le": "utf-32-le",
    "utf-32be": "utf-32-be",
    "gbk": "gb18030",
    "gb18030": "gb18030",
    "big5": "big5hkscs",
    "shift_jis": "cp932",
    "euc-jp": "euc_jp",
    "euc-kr": "cp949",
    "iso-2022-jp": "iso2022_jp_ext",
}
_SINGLE_BYTE: Mapping[str, str] = {
    "windows-874": "cp874",
    "iso-8859-8-i": "iso8859_8",
    "macintosh": "mac_roman",
    "x-mac-cyrillic": "mac_cyrillic",
}

# Where Python's codec and the standard (which follows Windows) take the same bytes for different signs.
_JAPANESE_SIGNS = {"〜": "～", "‖": "∥", "−": "－", "¢": "￠", "£": "￡", "¬": "￢"}
_SIGNS: Mapping[str, Mapping[str, str]] = {
    "big5": {"•": "‧", "､": "﹑", "‾": "¯", "∼": "～", "♁": "⊕", "☉": "⊙", "¥": "￥", "¢": "￠", "£": "￡"},
    "euc-jp": _JAPANESE_SIGNS,
    "iso-2022-jp": _JAPANESE_SIGNS,
}

HANDFUL = 5
REPLACEMENT = "\N{REPLACEMENT CHARACTER}"


def encoding(label: str) -> str | None:
    """The standard's name for a label; no label reaches a codec of Python's that the standard does not know."""
    known = webencodings.lookup(label.strip(" \t\r\n\f\"'")) if label.isascii() else None
    if known is None or known.name == "replacement":
        return None
    return "windows-1252" if known.name == "x-user-defined" else str(known.name)


def mark_of(data: bytes) -> tuple[bytes, str]:
    return next(((mark, name) for mark, name in _MARKS.items() if data.startswith(mark)), (b"", ""))


def faults(data: bytes, name: str) -> int:
    """How many bytes or characters tell that the text is not in this encoding."""
    if name in MULTIBYTE:
        return decoded(data, name, "detected").replaced
    _, odd, _ = _table(name)
    return len(data) - len(data.translate(None, odd))


def decoded(data: bytes, name: str, origin: Origin) -> Decoded:
    if name not in MULTIBYTE:
        table, _, undefined = _table(name)
        replaced = len(data) - len(data.translate(None, undefined)) if undefined else 0
        return Decoded(codecs.charmap_decode(data, "replace", table)[0], name, replaced, origin)
    text, replaced = _multibyte_text(data, name)
    for python, standard in _SIGNS.get(name, {}).items():
        text = text.replace(python, standard)
    return Decoded(text, name, replaced, origin)


def _multibyte_text(data: bytes, name: str) -> tuple[str, int]:
    codec = MULTIBYTE[name]
    try:
        return data.decode(codec), 0
    except UnicodeDecodeError:
        text = data.decode(codec, "replace")
    # Bounded, because a handler in Python costs a thousand times what the codec's own does.
    if name in ("euc-jp", "iso-2022-jp") and text.count(REPLACEMENT) < len(text) // 10 + HANDFUL:
        text = data.decode(codec, "victorpy.nec")
    return text, max(text.count(REPLACEMENT) - _own_replacements(data, codec), 0)


def _own_replacements(data: bytes, codec: str) -> int:
    """How many U+FFFD the page itself has, where its encoding can write it."""
    written = REPLACEMENT.encode(codec, "ignore")
    return data.count(written) if written else 0


def _nec_character(error: UnicodeError) -> tuple[str, int]:
    """The characters that Windows adds to JIS X 0208, circled digits and so on, by way of their place in Shift_JIS."""
    assert isinstance(error, UnicodeDecodeError)
    row, cell = (byte - 0x20 for byte in (error.object[error.start : error.start + 2] + b"\0\0")[:2])
    if row > 94 and cell > 94:
        row, cell = row - 0x80, cell - 0x80
    if not (1 <= row <= 94 and 1 <= cell <= 94):
        return REPLACEMENT, error.end
    lead = (row - 1) // 2 + (0x81 if row < 63 else 0xC1)
    trail = cell + (0x9E if row % 2 == 0 else 0x3F if cell < 64 else 0x40)
    character = bytes((lead, trail)).decode("cp932", "replace")
    return (character, error.start + 2) if REPLACEMENT not in character else (REPLACEMENT, error.end)


codecs.register_error("victorpy.nec", _nec_character)


@cache
def _table(name: str) -> tuple[str, bytes, bytes]:
    """A single-byte encoding: its characters, the bytes no text would hold, and those that mean nothing at all."""
    codec = _SINGLE_BYTE.get(name, name)
    found = [bytes((byte,)).decode(codec, "replace") for byte in range(0x100)]
    # Bytes from 0x80 to 0x9F without a meaning are control characters to the standard, and not errors.
    filled = [chr(byte) if sign == REPLACEMENT and byte < 0xA0 else sign for byte, sign in enumerate(found)]
    undefined = bytes(byte for byte, sign in enumerate(filled) if sign == REPLACEMENT)
    controls = bytes(byte for byte, sign in enumerate(filled) if "\x80" <= sign < "\xa0")
    return "".join(filled).replace(REPLACEMENT, "\ufffe"), controls + undefined, undefined
