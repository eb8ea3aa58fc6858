"""Writes core/src/columns/characters.bin, where the native core looks characters up, from victorpy's own table.

    python core/tables/make_characters.py

The file has three parts: of each 128 code points the number of their page, of each class of characters what is known
of it (two bytes), of each character of each page its class.
"""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from victorpy.features import blocks, letters
from victorpy.features.characters import DIGIT, LETTER, WHITE, table

PAGE = 128
CLASSES = 256
# Behind the eleven traits: a letter that counts as two, and the number of the kind of signs.
WIDE = 1 << 11
SIGNS = 12
TARGET = Path(__file__).parents[1] / "src/columns/characters.bin"


def known() -> NDArray[np.uint16]:
    """Of every code point all that the columns ask for."""
    traits = table().astype(np.uint16)
    codes = np.arange(len(traits))
    is_wide = letters._WIDE.take(codes >> 8, mode="clip") & (traits & LETTER != 0)
    signs = blocks._numbers().take(codes, mode="clip").astype(np.uint16)
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
