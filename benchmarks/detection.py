"""Detect the encoding of pages that name none: all pages, written anew in twenty encodings that have their letters.

python benchmarks/detection.py FOLDER…

Declarations are taken out. A page is a case of an encoding if that has 98 % of its characters beyond ASCII, of which
there must be some; the others become references, as browsers and servers write them. A case is right if the text is the
same. Prints a table.
"""

import argparse
import codecs
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from victorpy.page.encoding import decode

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
    "iso2022_jp",
    "euc-kr",
)
_LEAST_SHARE = 0.98
_DECLARATION = re.compile(r"<\?xml[^>]{0,200}>|<meta[^<>]{0,200}charset[^<>]{0,200}>", re.I)


def texts(folders: Sequence[Path], most: int) -> Iterator[str]:
    """The pages of each folder, evenly spread, without declarations, if they have characters beyond ASCII."""
    for folder in folders:
        paths = sorted(path for path in folder.rglob("*") if path.suffix in {".html", ".htm"})
        for path in paths[:: max(1, len(paths) // most)][:most]:
            text = _DECLARATION.sub("", decode(path.read_bytes()).text)
            if not text.isascii() and "\N{REPLACEMENT CHARACTER}" not in text:
                yield text


def written(text: str, encoding: str) -> bytes | None:
    beyond = Counter(character for character in text if not character.isascii())
    missing = sum(count for character, count in beyond.items() if not _has(encoding, character))
    if missing > (1 - _LEAST_SHARE) * beyond.total():
        return None
    return text.encode(encoding, "xmlcharrefreplace")


def _has(encoding: str, character: str) -> bool:
    try:
        codecs.encode(character, encoding)
    except UnicodeEncodeError:
        return False
    return True


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--pages", type=int, default=200, help="at most so many of a folder (200)")
    options = parser.parse_args()
    tried, right, taken_for = Counter[str](), Counter[str](), dict[str, Counter[str]]()
    for text in texts(options.folders, options.pages):
        for encoding in ENCODINGS:
            data = written(text, encoding)
            if data is None:
                continue
            tried[encoding] += 1
            found = decode(data)
            if found.text == data.decode(encoding):
                right[encoding] += 1
            else:
                taken_for.setdefault(encoding, Counter())[found.encoding] += 1
    print("| encoding | pages | right | wrong | taken for |\n| --- | ---: | ---: | ---: | --- |")
    for encoding in ENCODINGS:
        wrong = ", ".join(f"{name} {count}" for name, count in taken_for.get(encoding, Counter()).most_common(4))
        share = f"{100 * right[encoding] / max(tried[encoding], 1):.1f} %"
        print(f"| {encoding} | {tried[encoding]:,} | {share} | {tried[encoding] - right[encoding]} | {wrong} |")
    print(f"{tried.total():,} cases, {tried.total() - right.total():,} wrong")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
