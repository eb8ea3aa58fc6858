"""Writes core/src/columns/characters.bin, where the native core looks characters up, from victorpy's own table.

    python core/tables/make_characters.py

The file has three parts: of each 128 code points the number of their page, of each class of characters what is known
of it (two bytes), of each character of each page its class.
"""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from victorpy.features.characters import DIGIT, LETTER, WHITE, table

PAGE = 128
CLASSES = 256
# Behind the eleven traits: a letter that counts as two, and the number of the kind of signs.
WIDE = 1 << 11
SIGNS = 12
# The kinds of signs, in the order of the columns `block.commas` to `block.brackets`.
KINDS_OF_SIGNS = (
    ",،、，;；",
    ":：",
    "©®™℗",
    "$€£¥₽₹₩₴₺฿￥",
    "/／",
    "|｜·•‧・",
    "»›«‹→←↑↓▼▲►▶◀…<>",
    '"“”„‟「」『』《》',
    "()[]（）【】［］",
)
# By the higher bytes of a code point: East Asian letters, of which one says about as much as two of an alphabet.
WIDE_PAGES = ((0x2E, 0xA4), (0xAC, 0xD7), (0xF9, 0xFA), (0x200, 0x10FF))
TARGET = Path(__file__).parents[1] / "src/columns/characters.bin"


def known() -> NDArray[np.uint16]:
    """Of every code point all that the columns ask for."""
    traits = table().astype(np.uint16)
    codes = np.arange(len(traits))
    pages = codes >> 8
    is_wide = np.logical_or.reduce([(first <= pages) & (pages <= last) for first, last in WIDE_PAGES])
    is_wide &= traits & LETTER != 0
    signs = np.zeros(len(codes), np.uint16)
    for number, kind in enumerate(KINDS_OF_SIGNS, start=1):
        signs[[ord(sign) for sign in kind]] = number
    signs[traits & (LETTER | DIGIT | WHITE) != 0] = 0
    return traits | is_wide * np.uint16(WIDE) | signs << np.uint16(SIGNS)


def main() -> None:
    values, classes = np.unique(known(), return_inverse=True)
    pages, index = np.unique(classes.reshape(-1, PAGE), axis=0, return_inverse=True)
    assert len(values) <= CLASSES
    assert len(pages) <= 256
    padded = np.zeros(CLASSES, "<u2")
    padded[: len(values)] = values
    TARGET.write_bytes(index.astype(np.uint8).tobytes() + padded.tobytes() + pages.astype(np.uint8).tobytes())
    print(f"{TARGET.name}: {len(values)} classes, {len(pages)} pages, {TARGET.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
