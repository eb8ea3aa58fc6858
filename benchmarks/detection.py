"""Detect the encoding of pages that name none: all pages, written anew in twenty encodings that have their letters.

python benchmarks/detection.py FOLDER…

Declarations are taken out. A page is a case of an encoding if that has 98 % of its characters beyond ASCII, of which
there must be some; the others become references, as browsers and servers write them. A case is right if the text is the
same, or if the encoding is: tables of Python and of the standard differ in a few signs. Prints a table.
"""

import argparse
import codecs
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, TextIO

from victorpy.page.encoding import Decoded, decode

ENCODINGS = (
    "utf-8",
    "utf-16-le",
    "windows-1250",
    "windows-1251",
    "windows-1252",
    "windows-1253",
    "windows-1254",
    "windows-1255",
    "windows-1256",
    "windows-1257",
    "windows-1258",
    "iso8859-2",
    "koi8-r",
    "koi8-u",
    "gbk",
    "big5",
    "shift_jis",
    "euc-jp",
    "iso-2022-jp",
    "euc-kr",
)
_LEAST_SHARE = 0.98
# A page is in a language of the encoding if it has so many of these letters.
_LEAST_LETTERS = 20
_CENTRAL, _CYRILLIC, _HAN, _KANA = "[ąćęłńśźżčďěňřšťůžőű]", "[\u0400-\u045f]", "[\u4e00-\u9fff]", "[\u3041-\u30fe]"
LETTERS = {
    "windows-1250": _CENTRAL,
    "windows-1251": _CYRILLIC,
    "windows-1253": "[\u0370-\u03ff]",
    "windows-1254": "[ğşıİ]",
    "windows-1255": "[\u05d0-\u05ea]",
    "windows-1256": "[\u0620-\u064a]",
    "windows-1257": "[āčēģīķļņšūžėįų]",
    "windows-1258": "[ăâđêôơư]",
    "iso8859-2": _CENTRAL,
    "koi8-r": _CYRILLIC,
    "koi8-u": _CYRILLIC,
    "gbk": _HAN,
    "big5": _HAN,
    "shift_jis": _KANA,
    "euc-jp": _KANA,
    "iso-2022-jp": _KANA,
    "euc-kr": "[\uac00-\ud7a3]",
}
_DECLARATION = re.compile(r"<\?xml[^>]{0,200}>|<meta[^<>]{0,200}charset[^<>]{0,200}>", re.I)


class Case(NamedTuple):
    """An encoding, and whether pages are in a language that is written in it."""

    encoding: str
    is_of_language: bool


class Counts(NamedTuple):
    tried: Counter[Case]
    wrong: dict[Case, Counter[str]]


def texts(folders: Sequence[Path], most: int) -> Iterator[tuple[Path, str]]:
    """The pages of each folder, evenly spread, without declarations, if they have characters beyond ASCII."""
    for folder in folders:
        paths = sorted(path for path in folder.rglob("*") if path.suffix in {".html", ".htm"})
        for path in paths[:: max(1, len(paths) // most)][:most]:
            text = _DECLARATION.sub("", decode(path.read_bytes()).text)
            if not text.isascii() and "\N{REPLACEMENT CHARACTER}" not in text:
                yield path, text


def written(text: str, encoding: str) -> bytes | None:
    beyond = Counter(character for character in text if not character.isascii())
    missing = sum(count for character, count in beyond.items() if not _has(encoding, character))
    if missing > (1 - _LEAST_SHARE) * beyond.total():
        return None
    return text.encode(encoding, "xmlcharrefreplace")


def is_of_language(text: str, encoding: str) -> bool:
    return len(re.findall(LETTERS.get(encoding, "."), text)) >= _LEAST_LETTERS


def _has(encoding: str, character: str) -> bool:
    try:
        codecs.encode(character, encoding)
    except UnicodeEncodeError:
        return False
    return True


def is_right(data: bytes, encoding: str, found: Decoded) -> bool:
    # All that names an encoding and is ASCII has it.
    standard = decode(b"", encoding).encoding
    same = {"gbk": "gb18030"}
    return found.text == data.decode(encoding) or same.get(standard, standard) == same.get(
        found.encoding, found.encoding
    )


def counts(pages: Iterable[tuple[Path, str]], wrong_cases: TextIO) -> Counts:
    tried, wrong = Counter[Case](), dict[Case, Counter[str]]()
    for path, text in pages:
        for encoding in ENCODINGS:
            data = written(text, encoding)
            if data is None:
                continue
            case, found = Case(encoding, is_of_language(text, encoding)), decode(data)
            tried[case] += 1
            if not is_right(data, encoding, found):
                wrong.setdefault(case, Counter())[found.encoding] += 1
                print(path, *case, found.encoding, sum(byte > 127 for byte in data), sep="\t", file=wrong_cases)
    return Counts(tried, wrong)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--pages", type=int, default=200, help="at most so many of a folder (200)")
    parser.add_argument("--wrong", metavar="FILE", help="list the wrong cases: page, encoding, language, found, bytes")
    options = parser.parse_args()
    with open(options.wrong or os.devnull, "w", encoding="utf-8") as wrong_cases:
        tried, wrong = counts(texts(options.folders, options.pages), wrong_cases)
    print("| encoding | pages in its languages | wrong | taken for | other pages | wrong | taken for |")
    print("| --- | ---: | ---: | --- | ---: | ---: | --- |")
    for encoding in ENCODINGS:
        cells = [encoding]
        for case in (Case(encoding, True), Case(encoding, False)):
            names = wrong.get(case, Counter())
            taken_for = ", ".join(f"{name} {count}" for name, count in names.most_common(3))
            cells += [f"{tried[case]:,}", f"{names.total()}", taken_for]
        print(f"| {' | '.join(cells)} |")
    print(f"{tried.total():,} cases, {sum(names.total() for names in wrong.values()):,} wrong")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
