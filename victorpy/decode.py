"""Bytes → text, as the WHATWG Encoding Standard says; by the bytes themselves where a page says nothing, or lies."""

import re
from collections.abc import Iterator, Mapping
from itertools import chain

from victorpy.charsets import HANDFUL, REPLACEMENT, Decoded, Origin, decoded, encoding, faults, mark_of
from victorpy.detection import CENTRAL_EUROPEAN, central_european, detected, is_binary, wide_encoding

__all__ = ["Decoded", "decode", "is_binary"]

_HEAD = 8_192
_HIGH = bytes(range(0x80, 0x100))


def decode(data: bytes, charset: str | None = None) -> Decoded:
    """The text of a page; `charset` is what is said of it from outside, such as by HTTP."""
    mark, marked = mark_of(data)
    data = data[len(mark) :] if mark else data
    declared = _declared(data, charset)
    wide = marked if mark and marked != "utf-8" else wide_encoding(data, declared)
    if wide:
        return decoded(data, wide, "bom" if mark else declared.get(wide, "detected"))
    if b"\0" in data:
        data = data.translate(None, b"\0")
    narrow = {name: origin for name, origin in declared.items() if not name.startswith("utf-16")}
    if mark:
        narrow = {"utf-8": "bom", **{name: origin for name, origin in narrow.items() if name != "utf-8"}}
    try:
        return _valid_utf8(data, data.decode(), narrow)
    except UnicodeDecodeError as error:
        return _damaged_utf8(data, narrow, error.start) or _legacy(data, narrow, error.start)


def _valid_utf8(data: bytes, text: str, declared: Mapping[str, Origin]) -> Decoded:
    """Text in another encoding is hardly ever valid UTF-8, which therefore outweighs what a page says of itself."""
    # One byte is looked for first: finding two takes longer than the decoding.
    if b"\x1b" in data and b"\x1b$" in data and (japanese := _iso_2022_jp(data, declared)):
        return japanese
    if text.isascii():
        name, origin = next(iter(declared.items()), ("utf-8", "utf-8"))
        return Decoded(text, name, 0, origin, data)
    return Decoded(text, "utf-8", 0, declared.get("utf-8", "utf-8"), data)


def _iso_2022_jp(data: bytes, declared: Mapping[str, Origin]) -> Decoded | None:
    japanese = decoded(data, "iso-2022-jp", declared.get("iso-2022-jp", "detected"))
    is_meant = "iso-2022-jp" in declared or japanese.replaced == 0
    return japanese if is_meant and not japanese.text.isascii() else None


def _damaged_utf8(data: bytes, declared: Mapping[str, Origin], damage: int) -> Decoded | None:
    """UTF-8 with faults: most of its non-ASCII characters are whole, or only the page's last one is cut."""
    seen = data[: damage + (1 << 18)]
    text = seen.decode("utf-8", "replace")
    replaced = text.count(REPLACEMENT) - seen.count(REPLACEMENT.encode())
    whole = len(text) - len(seen.translate(None, _HIGH)) - replaced
    is_cut = "utf-8" in declared and replaced == 1 and text.endswith(REPLACEMENT)
    if whole > replaced or is_cut:
        return decoded(data, "utf-8", declared.get("utf-8", "detected"))
    return None


def _legacy(data: bytes, declared: Mapping[str, Origin], start: int) -> Decoded:
    """What is declared if it fits, else what is likely; `start` is where the first byte stands that is not UTF-8."""
    # Counted against what is not ASCII: markup would hide that half of the words came out wrong.
    tolerance = max(HANDFUL, (len(data) - len(data.translate(None, _HIGH))) // 40)
    found: dict[tuple[str, Origin], int] = {}
    for name, origin in chain(_named(data, declared, start), detected(data, start)):
        found[name, origin] = faults(data, name)
        if found[name, origin] <= tolerance:
            return decoded(data, name, origin)
    if not found:
        return decoded(data, "windows-1252", "fallback")
    return decoded(data, *min(found, key=found.__getitem__))


def _named(data: bytes, declared: Mapping[str, Origin], start: int) -> Iterator[tuple[str, Origin]]:
    for name, origin in declared.items():
        if name in CENTRAL_EUROPEAN:
            yield central_european(data, start, name), origin
        elif name != "utf-8":
            yield name, origin


_COMMENT_OR_META = re.compile(rb"<(?:!--(?:-?>|.*?(?:--!?>|\Z))|meta(?=[\s/])([^>]*))", re.I | re.S)
_ATTRIBUTE = re.compile(rb"""([^\s=>"'/]+)(?:\s*=\s*("[^"]*"?|'[^']*'?|[^\s>]+))?""")
_CHARSET = re.compile(rb"""charset\s*=\s*["']?\s*([^\s"';]+)""", re.I)
# CLEANEVAL's <text encoding=> speaks for the page it wraps.
_XML = re.compile(rb"""<(?:\?xml|text)\s[^<>]*?\bencoding\s*=\s*["']([^"'>]*)""", re.I)


def _declared(data: bytes, charset: str | None) -> dict[str, Origin]:
    """The encodings that are named for a page, the weightiest first."""
    given = encoding(charset) if charset else None
    declared: dict[str, Origin] = {given: "given"} if given else {}
    for label in _labels(data[:_HEAD]):
        name = encoding(label)
        if name:
            # Whoever could read the label so far has not read UTF-16.
            declared.setdefault("utf-8" if name.startswith("utf-16") else name, "meta")
    return declared


def _labels(head: bytes) -> Iterator[str]:
    for found in _COMMENT_OR_META.finditer(head):
        # A page has dozens of them, of which one at most speaks of this.
        label = _meta_label(found[1]) if found[1] and b"charset" in found[1].lower() else None
        if label:
            yield label.decode("latin-1")
    xml = _XML.search(head) if b"encoding" in head.lower() else None
    if xml:
        yield xml[1].decode("latin-1")


def _meta_label(attributes: bytes) -> bytes | None:
    values: dict[bytes, bytes] = {}
    for found in _ATTRIBUTE.finditer(attributes):
        values.setdefault(found[1].lower(), (found[2] or b"").strip(b"\"'"))
    if b"charset" in values:
        return values[b"charset"]
    if values.get(b"http-equiv", b"").strip().lower() != b"content-type":
        return None
    charset = _CHARSET.search(values.get(b"content", b""))
    return charset[1] if charset else None
