"""What the bytes of a page say of its encoding, and whether they are a text at all."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping

from victorpy.charsets import HANDFUL, MULTIBYTE, REPLACEMENT, Origin, decoded, faults, mark_of

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
CENTRAL_EUROPEAN = ("iso-8859-2", "windows-1250")

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

_SAMPLE = 8_192


def wide_encoding(data: bytes, declared: Mapping[str, Origin]) -> str | None:
    """UTF-16 and UTF-32 without a mark: the markup of any page has a NUL in every other byte, or three in four."""
    sample = _unpadded(data[:4096])
    if b"\0" not in sample:
        return None
    named = next((name for name in declared if name.startswith("utf-16")), None)
    return _by_nuls(sample) or named


def _unpadded(sample: bytes) -> bytes:
    """Without the NULs at its end, but for those that belong to a wide character."""
    end = len(sample.rstrip(b"\0"))
    return sample[: end + -end % 4]


def _by_nuls(sample: bytes) -> str | None:
    if len(sample) < 8 or b"\0" not in sample:
        return None
    first, second, third, fourth = (sample[place::4].count(0) / len(sample[place::4]) for place in range(4))
    if first < 0.1 and min(third, fourth) > 0.9:
        return "utf-32le"
    if fourth < 0.1 and min(first, second) > 0.9:
        return "utf-32be"
    is_little = min(second, fourth) > max(0.05, 4 * max(first, third))
    is_big = min(first, third) > max(0.05, 4 * max(second, fourth))
    if not (is_little or is_big) or _has_stray_nuls(sample):
        return None
    return "utf-16le" if is_little else "utf-16be"


def _has_stray_nuls(sample: bytes) -> bool:
    """ASCII with a NUL here and there: in UTF-16 every other byte of it would be one."""
    rest = sample.translate(None, b"\0")
    return len(rest) > 0.6 * len(sample) and rest.isascii() and len(rest) == len(rest.translate(None, _CONTROLS))


_BETWEEN_TAGS = re.compile(rb"[^<>\r\n]+")
_HIGH_BYTE = re.compile(rb"[\x80-\xff]")
# No-break spaces, rows of bullets and the like say nothing of the script.
_PAIR = re.compile(rb"([\x80-\x9f\xa1-\xff])(?!\1)(?=[\x80-\x9f\xa1-\xff])")
_WORD = re.compile(r"[^\W\d_]+")
_CONTROL_SIGN = re.compile(r"[\x80-\x9f]")
_KANA = re.compile(rb"[\xa4\xa5][\xa1-\xf6]")


def detected(data: bytes, start: int) -> Iterator[tuple[str, Origin]]:
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
    text = decoded(sample, name, "detected").text
    counts = Counter("".join(filter(_is_word, _WORD.findall(text))).lower())
    fits = (sum(counts[letter] for letter in alphabet) for alphabet in _LATIN[name])
    prior = 1 + _mixed_letters(counts) if name == "windows-1252" else 0
    # A sign that every page has may be a letter elsewhere, and counts as much.
    return max(*fits, prior) + text.count("©") + text.count("®") - len(_CONTROL_SIGN.findall(text))


def central_european(data: bytes, start: int, named: str) -> str:
    """Which of the two the letters speak for; the named one where they leave it open."""
    sample = _sample(_telling_pieces(data, start), _SAMPLE)
    return max(named, *CENTRAL_EUROPEAN, key=lambda name: _usual_letters(sample, name))


def _is_word(letters: str) -> bool:
    """Unlike a © or ® that was taken for a letter."""
    return len(letters) > 1 and (letters.islower() or letters.isupper() or letters.istitle())


def _mixed_letters(counts: Counter[str]) -> float:
    """English with names from everywhere; a language that has all letters to itself is likelier."""
    return 0.8 * sum(counts[letter] for letter in set().union(*_LATIN["windows-1252"]))


def _is_euc_jp(sample: bytes) -> bool:
    """Japanese is known by its kana, which charset-normalizer takes for Korean in a short text."""
    return 6 * len(_KANA.findall(sample)) > len(_HIGH_BYTE.findall(sample)) and faults(sample, "euc-jp") == 0


def _is_latin(sample: bytes) -> bool:
    """Letters with accents stand alone among ASCII; those of other scripts side by side."""
    return 3 * len(_PAIR.findall(sample)) < len(_HIGH_BYTE.findall(sample))


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
    *(b"!<arch>", b"\xde\x12\x04\x95", b"\x95\x04\x12\xde"),
    *(b"OggS", b"ID3\x02", b"ID3\x03", b"ID3\x04", b"wOFF\0", b"wOF2\0", b"SQLite format 3\0"),
)
_TAR, _TAR_PLACE = b"ustar", 257
# Escape is left out: ISO-2022-JP is written with it.
_CONTROLS = bytes(byte for byte in (*range(0x20), 0x7F) if byte not in b"\t\n\v\f\r\x1b")
_TAG = re.compile(rb"<(?:!|/?[a-z])[^<>]*>", re.I)


def is_binary(data: bytes) -> bool:
    """A picture, an archive, a program …: by its first bytes, or by the share of control characters in what follows.

    NULs tell only where there is no markup: pages are padded with them, and full of them where something went wrong.
    """
    if data[:1024].lstrip().startswith(_MAGIC) or data.startswith(_TAR, _TAR_PLACE):
        return True
    mark, name = mark_of(data)
    sample = _unpadded(data[len(mark) : 8_192])
    wide = name if mark and name != "utf-8" else _by_nuls(sample)
    if wide:
        text = sample.decode(MULTIBYTE[wide], "replace")
        sample = text.encode("utf-8").replace(REPLACEMENT.encode(), _CONTROLS[1:2])
    rest = sample.translate(None, b"\0")
    if not rest:
        return len(data) > len(mark)
    controls, nuls = len(rest) - len(rest.translate(None, _CONTROLS)), len(sample) - len(rest)
    is_text = controls <= len(rest) // 20 + HANDFUL and controls < len(rest)
    return not is_text or (nuls > len(sample) // 20 + HANDFUL and not _TAG.search(rest))
