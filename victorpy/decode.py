"""Bytes → text, as the WHATWG Encoding Standard says; by the bytes themselves where a page says nothing, or lies."""

import codecs
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import chain
from typing import Literal, NamedTuple

import webencodings

Origin = Literal["bom", "given", "meta", "utf-8", "detected", "fallback", "text"]


class Decoded(NamedTuple):
    """Text; `replaced` counts the U+FFFD that stand for bytes which meant nothing, not those the page had itself."""

    text: str
    encoding: str
    replaced: int
    origin: Origin


_MARKS: Mapping[bytes, str] = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF32_LE: "utf-32le",  # begins with the mark of UTF-16, so it is looked for before that
    codecs.BOM_UTF32_BE: "utf-32be",
    codecs.BOM_UTF16_LE: "utf-16le",
    codecs.BOM_UTF16_BE: "utf-16be",
}

# The standard's tables are those of Windows, which hold more characters than Python's codecs of the same names.
_MULTIBYTE: Mapping[str, str] = {
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

# The letters beyond ASCII of the languages that are written in each encoding, by which it is told from the others.
_ALPHABETS: Mapping[str, tuple[str, ...]] = {
    "windows-1252": (
        *("àâæçéèêëîïôœùûüÿ", "áéíñóúü", "áâãàçéêíóôõú", "àçèéíïòóúü", "àèéìòóù", "äöüß", "éëïèöü"),
        *("åäöé", "åæøé", "áðéíóúýþæö"),
    ),
    "windows-1250": (*("áčďéěíňóřšťúůýž", "áäčďéíĺľňóôŕšťúýž", "ąćęłńóśźż", "áéíóöőúüű", "ăâîşţ", "čćđšž"),),
    "windows-1254": ("çğıöşüâîû",),
    "windows-1257": ("ąčęėįšųūž", "āčēģīķļņšūž", "äöõüšž"),
}
_LATIN = {**_ALPHABETS, "iso-8859-2": _ALPHABETS["windows-1250"]}

# Pages name the one and are written in the other.
_CENTRAL_EUROPEAN = ("iso-8859-2", "windows-1250")

# Detection chooses among what the web is written in; Python's name → the standard's.
_OTHER_SCRIPTS: Mapping[str, str] = {
    "cp1251": "windows-1251",
    "koi8_u": "koi8-u",
    "koi8_r": "koi8-r",
    "cp866": "ibm866",
    "iso8859_5": "iso-8859-5",
    "cp1253": "windows-1253",
    "iso8859_7": "iso-8859-7",
    "cp1255": "windows-1255",
    "cp1256": "windows-1256",
    "cp874": "windows-874",
    "gb18030": "gb18030",
    "big5hkscs": "big5",
    "cp932": "shift_jis",
    "euc_jp": "euc-jp",
    "cp949": "euc-kr",
}

_HEAD = 8_192
_SAMPLE = 8_192
_HANDFUL = 5
_HIGH = bytes(range(0x80, 0x100))
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"


def decode(data: bytes, charset: str | None = None) -> Decoded:
    """The text of a page; `charset` is what is said of it from outside, such as by HTTP."""
    mark, marked = _mark(data)
    data = data[len(mark) :] if mark else data
    declared = _declared(data, charset)
    wide = marked if mark and marked != "utf-8" else _wide_encoding(data, declared)
    if wide:
        return _decoded(data, wide, "bom" if mark else declared.get(wide, "detected"))
    narrow = {name: origin for name, origin in declared.items() if not name.startswith("utf-16")}
    if mark:
        narrow = {"utf-8": "bom", **{name: origin for name, origin in narrow.items() if name != "utf-8"}}
    try:
        return _valid_utf8(data, data.decode(), narrow)
    except UnicodeDecodeError as error:
        return _damaged_utf8(data, narrow, error.start) or _legacy(data, narrow, error.start)


def _mark(data: bytes) -> tuple[bytes, str]:
    return next(((mark, name) for mark, name in _MARKS.items() if data.startswith(mark)), (b"", ""))


def _valid_utf8(data: bytes, text: str, declared: Mapping[str, Origin]) -> Decoded:
    """Text in another encoding is hardly ever valid UTF-8, which therefore outweighs what a page says of itself."""
    # One byte is looked for first: finding two takes longer than the decoding.
    if b"\x1b" in data and b"\x1b$" in data and (japanese := _iso_2022_jp(data, declared)):
        return japanese
    if text.isascii():
        name, origin = next(iter(declared.items()), ("utf-8", "utf-8"))
        return Decoded(text, name, 0, origin)
    return Decoded(text, "utf-8", 0, declared.get("utf-8", "utf-8"))


def _iso_2022_jp(data: bytes, declared: Mapping[str, Origin]) -> Decoded | None:
    decoded = _decoded(data, "iso-2022-jp", declared.get("iso-2022-jp", "detected"))
    is_meant = "iso-2022-jp" in declared or decoded.replaced == 0
    return decoded if is_meant and not decoded.text.isascii() else None


def _damaged_utf8(data: bytes, declared: Mapping[str, Origin], damage: int) -> Decoded | None:
    """UTF-8 with faults: most of its non-ASCII characters are whole, or only the page's last one is cut."""
    seen = data[: damage + (1 << 18)]
    text = seen.decode("utf-8", "replace")
    replaced = text.count(_REPLACEMENT) - seen.count(_REPLACEMENT.encode())
    whole = len(text) - len(seen.translate(None, _HIGH)) - replaced
    is_cut = "utf-8" in declared and replaced == 1 and text.endswith(_REPLACEMENT)
    if whole > replaced or is_cut:
        return _decoded(data, "utf-8", declared.get("utf-8", "detected"))
    return None


def _legacy(data: bytes, declared: Mapping[str, Origin], start: int) -> Decoded:
    """What is declared if it fits, else what is likely; `start` is where the first byte stands that is not UTF-8."""
    # Counted against what is not ASCII: markup would hide that half of the words came out wrong.
    tolerance = max(_HANDFUL, (len(data) - len(data.translate(None, _HIGH))) // 40)
    faults: dict[tuple[str, Origin], int] = {}
    for name, origin in chain(_named(data, declared, start), _detected(data, start)):
        faults[name, origin] = _faults(data, name)
        if faults[name, origin] <= tolerance:
            return _decoded(data, name, origin)
    if not faults:
        return _decoded(data, "windows-1252", "fallback")
    return _decoded(data, *min(faults, key=lambda found: faults[found]))


def _named(data: bytes, declared: Mapping[str, Origin], start: int) -> Iterator[tuple[str, Origin]]:
    for name, origin in declared.items():
        if name in _CENTRAL_EUROPEAN:
            sample = _sample(_telling_pieces(data, start), _SAMPLE)
            yield max(name, *_CENTRAL_EUROPEAN, key=lambda other: _usual_letters(sample, other)), origin
        elif name != "utf-8":
            yield name, origin


def _faults(data: bytes, name: str) -> int:
    """How many bytes or characters tell that the text is not in this encoding."""
    if name in _MULTIBYTE:
        return _decoded(data, name, "detected").replaced
    _, odd, _ = _table(name)
    return len(data) - len(data.translate(None, odd))


def _decoded(data: bytes, name: str, origin: Origin) -> Decoded:
    if name not in _MULTIBYTE:
        table, _, undefined = _table(name)
        replaced = len(data) - len(data.translate(None, undefined)) if undefined else 0
        return Decoded(codecs.charmap_decode(data, "replace", table)[0], name, replaced, origin)
    text, replaced = _multibyte_text(data, name)
    for python, standard in _SIGNS.get(name, {}).items():
        text = text.replace(python, standard)
    return Decoded(text, name, replaced, origin)


def _multibyte_text(data: bytes, name: str) -> tuple[str, int]:
    codec = _MULTIBYTE[name]
    try:
        return data.decode(codec), 0
    except UnicodeDecodeError:
        text = data.decode(codec, "replace")
    # Bounded, because a handler in Python costs a thousand times what the codec's own does.
    if name in ("euc-jp", "iso-2022-jp") and text.count(_REPLACEMENT) < len(text) // 10 + _HANDFUL:
        text = data.decode(codec, "victorpy.nec")
    return text, max(text.count(_REPLACEMENT) - _own_replacements(data, codec), 0)


def _own_replacements(data: bytes, codec: str) -> int:
    """How many U+FFFD the page itself has, where its encoding can write it."""
    written = _REPLACEMENT.encode(codec, "ignore")
    return data.count(written) if written else 0


def _nec_character(error: UnicodeError) -> tuple[str, int]:
    """The characters that Windows adds to JIS X 0208, circled digits and so on, by way of their place in Shift_JIS."""
    assert isinstance(error, UnicodeDecodeError)
    row, cell = (byte - 0x20 for byte in (error.object[error.start : error.start + 2] + b"\0\0")[:2])
    if row > 94 and cell > 94:
        row, cell = row - 0x80, cell - 0x80
    if not (1 <= row <= 94 and 1 <= cell <= 94):
        return _REPLACEMENT, error.end
    lead = (row - 1) // 2 + (0x81 if row < 63 else 0xC1)
    trail = cell + (0x9E if row % 2 == 0 else 0x3F if cell < 64 else 0x40)
    character = bytes((lead, trail)).decode("cp932", "replace")
    return (character, error.start + 2) if _REPLACEMENT not in character else (_REPLACEMENT, error.end)


codecs.register_error("victorpy.nec", _nec_character)


@cache
def _table(name: str) -> tuple[str, bytes, bytes]:
    """A single-byte encoding: its characters, the bytes no text would hold, and those that mean nothing at all."""
    codec = _SINGLE_BYTE.get(name, name)
    found = [bytes((byte,)).decode(codec, "replace") for byte in range(0x100)]
    # Bytes from 0x80 to 0x9F without a meaning are control characters to the standard, and not errors.
    filled = [chr(byte) if sign == _REPLACEMENT and byte < 0xA0 else sign for byte, sign in enumerate(found)]
    undefined = bytes(byte for byte, sign in enumerate(filled) if sign == _REPLACEMENT)
    controls = bytes(byte for byte, sign in enumerate(filled) if "\x80" <= sign < "\xa0")
    return "".join(filled).replace(_REPLACEMENT, "\ufffe"), controls + undefined, undefined


# What a page says of itself.

_COMMENT_OR_META = re.compile(rb"<(?:!--(?:-?>|.*?(?:--!?>|\Z))|meta(?=[\s/])([^>]*))", re.I | re.S)
_ATTRIBUTE = re.compile(rb"""([^\s=>"'/]+)(?:\s*=\s*("[^"]*"?|'[^']*'?|[^\s>]+))?""")
_CHARSET = re.compile(rb"""charset\s*=\s*["']?\s*([^\s"';]+)""", re.I)
# CLEANEVAL's <text encoding=> speaks for the page it wraps.
_XML = re.compile(rb"""<(?:\?xml|text)\s[^<>]*?\bencoding\s*=\s*["']([^"'>]*)""", re.I)


def _declared(data: bytes, charset: str | None) -> dict[str, Origin]:
    """The encodings that are named for a page, the weightiest first."""
    given = _encoding(charset) if charset else None
    declared: dict[str, Origin] = {given: "given"} if given else {}
    for label in _labels(data[:_HEAD]):
        name = _encoding(label)
        if name:
            # Whoever could read the label so far has not read UTF-16.
            declared.setdefault("utf-8" if name.startswith("utf-16") else name, "meta")
    return declared


def _encoding(label: str) -> str | None:
    """The standard's name for a label; no label reaches a codec of Python's that the standard does not know."""
    known = webencodings.lookup(label.strip(" \t\r\n\f\"'")) if label.isascii() else None
    if known is None or known.name == "replacement":
        return None
    return "windows-1252" if known.name == "x-user-defined" else str(known.name)


def _labels(head: bytes) -> Iterator[str]:
    for found in _COMMENT_OR_META.finditer(head):
        label = _meta_label(found[1]) if found[1] else None
        if label:
            yield label.decode("latin-1")
    xml = _XML.search(head)
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


# What the bytes say.


def _wide_encoding(data: bytes, declared: Mapping[str, Origin]) -> str | None:
    """UTF-16 and UTF-32 without a mark: the markup of any page has a NUL in every other byte, or three in four."""
    sample = data[:4096]
    if b"\0" not in sample:
        return None
    named = next((name for name in declared if name.startswith("utf-16")), None)
    return _by_nuls(sample) or named


def _by_nuls(sample: bytes) -> str | None:
    if len(sample) < 8:
        return None
    first, second, third, fourth = (sample[place::4].count(0) / len(sample[place::4]) for place in range(4))
    if first < 0.1 and min(third, fourth) > 0.9:
        return "utf-32le"
    if fourth < 0.1 and min(first, second) > 0.9:
        return "utf-32be"
    if min(second, fourth) > max(0.05, 4 * max(first, third)):
        return "utf-16le"
    if min(first, third) > max(0.05, 4 * max(second, fourth)):
        return "utf-16be"
    return None


_BETWEEN_TAGS = re.compile(rb"[^<>\r\n]+")
_HIGH_BYTE = re.compile(rb"[\x80-\xff]")
# No-break spaces, rows of bullets and the like say nothing of the script.
_PAIR = re.compile(rb"([\x80-\x9f\xa1-\xff])(?!\1)(?=[\x80-\x9f\xa1-\xff])")
_WORD = re.compile(r"[^\W\d_]+")
_CONTROL_SIGN = re.compile(r"[\x80-\x9f]")
_KANA = re.compile(rb"[\xa4\xa5][\xa1-\xf6]")


def _detected(data: bytes, start: int) -> Iterator[tuple[str, Origin]]:
    pieces = _telling_pieces(data, start)
    # The smaller sample may be without the one bad character that rules out the right encoding.
    for size in (_SAMPLE, _SAMPLE // 4):
        name = _likeliest(_sample(pieces, size))
        if name:
            yield name, "detected"
            return


def _telling_pieces(data: bytes, start: int) -> list[bytes]:
    """The text that is not ASCII, from `start` on; cut where no encoding has the middle of a character."""
    begin = max(data.rfind(b"<", 0, start), data.rfind(b">", 0, start), data.rfind(b"\n", 0, start), 0)
    region = data[max(begin, start - 4_096) : start + (1 << 16)]
    return [piece for piece in _BETWEEN_TAGS.findall(region) if not piece.isascii()]


def _sample(pieces: list[bytes], size: int) -> bytes:
    # A long line is cut behind white space, which is never the second half of a character either.
    joined = b"\n".join(pieces)
    return joined if len(joined) <= size else joined[:size].rpartition(b" " if b" " in joined[:size] else b"\n")[0]


def _likeliest(sample: bytes) -> str | None:
    if _is_latin(sample):
        return max(_LATIN, key=lambda name: _usual_letters(sample, name))
    if _is_euc_jp(sample):
        return "euc-jp"
    # Takes 20 ms to import, and hardly any page needs it.
    from charset_normalizer import from_bytes  # noqa: PLC0415

    names = list(_OTHER_SCRIPTS)
    best = from_bytes(sample, cp_isolation=names, preemptive_behaviour=False, enable_fallback=False).best()
    return _OTHER_SCRIPTS.get(best.encoding) if best else None


def _usual_letters(sample: bytes, name: str) -> float:
    """How many letters have their place in a language of this encoding, all in the same one."""
    text = _decoded(sample, name, "detected").text
    counts = Counter("".join(filter(_is_word, _WORD.findall(text))).lower())
    fits = (sum(counts[letter] for letter in alphabet) for alphabet in _LATIN[name])
    prior = 1 + _mixed_letters(counts) if name == "windows-1252" else 0
    # A sign that every page has may be a letter elsewhere, and counts as much.
    return max(*fits, prior) + text.count("©") + text.count("®") - len(_CONTROL_SIGN.findall(text))


def _is_word(letters: str) -> bool:
    """Unlike a © or ® that was taken for a letter."""
    return len(letters) > 1 and (letters.islower() or letters.isupper() or letters.istitle())


def _mixed_letters(counts: Counter[str]) -> float:
    """English with names from everywhere; a language that has all letters to itself is likelier."""
    return 0.8 * sum(counts[letter] for letter in set().union(*_LATIN["windows-1252"]))


def _is_euc_jp(sample: bytes) -> bool:
    """Japanese is known by its kana, which charset-normalizer takes for Korean in a short text."""
    return 6 * len(_KANA.findall(sample)) > len(_HIGH_BYTE.findall(sample)) and _faults(sample, "euc-jp") == 0


def _is_latin(sample: bytes) -> bool:
    """Letters with accents stand alone among ASCII; those of other scripts side by side."""
    return 3 * len(_PAIR.findall(sample)) < len(_HIGH_BYTE.findall(sample))


# Not a text at all.

# Only what may pass for text in its first kilobytes, or is too short to tell.
_MAGIC = (
    *(b"%PDF-", b"\x89PNG", b"GIF87a", b"GIF89a", b"\xff\xd8\xff", b"II*\0", b"MM\0*"),
    *(
        b"\x1f\x8b",
        b"PK\x03\x04",
        b"PK\x05\x06",
        b"7z\xbc\xaf\x27\x1c",
        b"Rar!\x1a\x07",
        b"\xfd7zXZ\0",
        b"\x28\xb5\x2f\xfd",
    ),
    *(b"\x7fELF", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe", b"\0asm", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"),
    *(b"OggS", b"ID3\x02", b"ID3\x03", b"ID3\x04", b"wOFF\0", b"wOF2\0", b"SQLite format 3\0"),
)
# Escape is left out: ISO-2022-JP is written with it.
_CONTROLS = bytes(byte for byte in (*range(0x20), 0x7F) if byte not in b"\t\n\v\f\r\x1b")


def is_binary(data: bytes) -> bool:
    """A picture, an archive, a program …: by its first bytes, or by the share of control characters in what follows."""
    if data[:1024].lstrip().startswith(_MAGIC):
        return True
    mark, name = _mark(data)
    sample = data[len(mark) : 8_192]
    wide = name if mark and name != "utf-8" else _by_nuls(sample)
    if wide:
        text = sample.decode(_MULTIBYTE[wide], "replace")
        sample = text.encode("utf-8").replace(_REPLACEMENT.encode(), b"\0")
    controls = len(sample) - len(sample.translate(None, _CONTROLS))
    return controls > len(sample) // 20 + _HANDFUL or (bool(sample) and controls == len(sample))
