"""The headers of records in web archives."""

import re
from typing import NamedTuple

# So many bytes show whether something begins a record.
LONGEST_LOOK = 1 << 12

_VERSION = rb"WARC/\d{1,3}\.\d{1,3}[ \t]*\r?\n"
_FIELD = rb"[A-Za-z][A-Za-z0-9_-]{0,99}[ \t]*:"
_WARC = re.compile(_VERSION + rb"(?=%b)" % _FIELD)
_NEEDED = re.compile(rb"\n(?:WARC-Type|Content-Length)[ \t]*:", re.I)
_KNOWN_FIELD = re.compile(
    rb"(?<=\n)(WARC-(?:Type|Target-URI|Record-ID|Date|Truncated|Refers-To|Refers-To-Target-URI|Segment-Number)|"
    rb"Content-(?:Length|Type))[ \t]*:((?:[^\n]|\n[ \t])*)",
    re.I,
)
# Old archives have dates of 12 or 14 digits.
_ARC = re.compile(
    rb"(?:\A|(?<=\n))[a-z][a-z0-9+.-]{1,20}:[^\n]{0,3000}? [0-9a-fA-F.:]{1,45} \d{12,14} [^\n]{0,900}\d\r?(?=\n)"
)


class WarcHead(NamedTuple):
    """Fields of a WARC record by their names in lower case. `length` is None if it is missing or no number."""

    fields: dict[str, str]
    length: int | None

    def field(self, name: str) -> str:
        return self.fields.get(name, "")

    @property
    def kind(self) -> str:
        return self.field("warc-type").lower()

    @property
    def url(self) -> str:
        """Old versions of Wget wrote addresses in angle brackets."""
        return self.field("warc-target-uri").strip("<>")


class ArcHead(NamedTuple):
    """The line before an ARC record."""

    url: str
    address: str
    date: str
    media: str
    length: int


def warc_head(head: bytes) -> WarcHead:
    """The first field of a name counts. A line that begins with a blank continues the field before it."""
    fields = dict[str, str]()
    for name, value in _KNOWN_FIELD.findall(head):
        fields.setdefault(name.lower().decode("ascii"), " ".join(value.decode("utf-8", "replace").split()))
    length = fields.get("content-length", "")
    return WarcHead(fields, int(length) if _is_length(length) else None)


def arc_head(line: bytes) -> ArcHead:
    """An address may have blanks. The version 2 of ARC has five more words before the length."""
    words = line.decode("utf-8", "replace").split()
    at = next((place for place, word in enumerate(words) if place > 1 and _is_date(word)), 0)
    if not at or at > len(words) - 2 or not _is_length(words[-1]) or ":" not in words[0]:
        raise ValueError("not a WARC or ARC record")
    media = words[at + 1] if at + 1 < len(words) - 1 else ""
    return ArcHead(" ".join(words[: at - 1]), words[at - 1], words[at], media, int(words[-1]))


def _is_date(word: str) -> bool:
    return word.isascii() and word.isdecimal() and len(word) >= 8


def _is_length(word: str) -> bool:
    return word.isascii() and word.isdecimal() and len(word) < 19


def begins_record(data: bytes) -> bool:
    """Does a record begin here, perhaps behind empty lines?"""
    begun = data[:LONGEST_LOOK].lstrip(b"\r\n")
    warc = _WARC.match(begun)
    return bool(warc and _has_needed(begun, warc.end())) or bool(_ARC.match(begun))


def next_head(data: bytes, start: int, end: int) -> int:
    """Where the next record begins, before `end`; -1 if there is none."""
    warc = next((found.start() for found in _WARC.finditer(data, start) if _has_needed(data, found.end())), -1)
    if 0 <= warc < end:
        end = warc
    else:
        warc = -1
    arc = _ARC.search(data, start, end + LONGEST_LOOK)
    return arc.start() if arc and arc.start() < end else warc


def _has_needed(data: bytes, place: int) -> bool:
    return bool(_NEEDED.search(data, place - 1, place + LONGEST_LOOK))


def iso_date(date: str) -> str:
    """A date such as 20060131120000 in the format of WARC."""
    if len(date) != 14:
        return ""
    return f"{date[:4]}-{date[4:6]}-{date[6:8]}T{date[8:10]}:{date[10:12]}:{date[12:]}Z"
