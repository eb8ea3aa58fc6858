"""Writes victorpy/features/characters.npz: what Unicode, as this Python knows it, says of every code point."""

import sys
import unicodedata
from pathlib import Path

import numpy as np

from victorpy.features import characters
from victorpy.features.characters import (
    CLOSING,
    DIGIT,
    LETTER,
    LOWER,
    MARK,
    OPENING,
    PUNCTUATION,
    SIGN,
    SOLID,
    TERMINAL,
    WHITE,
)

CATEGORIES = {"L": LETTER, "M": LETTER | MARK, "N": DIGIT, "P": PUNCTUATION}
BRACKETS = {"Ps": OPENING, "Pe": CLOSING, "Pi": OPENING | CLOSING, "Pf": OPENING | CLOSING}
QUOTES = "\"'`´＂＇"
INVERTED = "¿¡"
SIGNS = "•·∙‧●○◦◉◎▪▫■□◆◇♦❖▶►▸▹▷‣⁃➔➜➤➢→⇒✓✔✗✘★☆*-–—―−»›>+"

# By their names: Python does not have the property Sentence_Terminal.
TERMINALS = ("FULL STOP", "QUESTION MARK", "EXCLAMATION MARK", "DANDA", "ELLIPSIS", "INTERROBANG", "TIBETAN MARK SHAD")
TERMINALS += ("MYANMAR SIGN SECTION", "MYANMAR SIGN LITTLE SECTION", "KHMER SIGN KHAN", "KHMER SIGN BARIYOOSAN")
# These stand before a sentence, or inside a word.
NOT_TERMINALS = ("INVERTED", "INITIAL", "ARMENIAN QUESTION", "ARMENIAN EXCLAMATION", "GREEK QUESTION")

SOLID_SCRIPTS = ("CJK UNIFIED", "CJK COMPATIBILITY", "IDEOGRAPHIC", "HIRAGANA", "KATAKANA", "HALFWIDTH KATAKANA")
SOLID_SCRIPTS += ("BOPOMOFO", "HENTAIGANA", "THAI", "LAO", "KHMER", "MYANMAR", "TIBETAN", "YI", "TANGUT", "NUSHU")
SOLID_SCRIPTS += ("TAI", "NEW TAI", "BALINESE", "JAVANESE")


def traits(character: str) -> int:
    if character.isspace():
        return WHITE
    category = unicodedata.category(character)
    found = CATEGORIES.get(category[0], 0) | BRACKETS.get(category, 0)
    found |= LOWER * (character.islower() and category[0] == "L")
    found |= (OPENING | CLOSING) * (character in QUOTES) | OPENING * (character in INVERTED)
    found |= SIGN * (character in SIGNS)
    found |= TERMINAL * (category[0] == "P" and is_terminal(character))
    return found | SOLID * (category[0] == "L" and is_solid(character))


def is_terminal(character: str) -> bool:
    name = unicodedata.name(character, "")
    return any(words in name for words in TERMINALS) and not any(words in name for words in NOT_TERMINALS)


def is_solid(character: str) -> bool:
    return unicodedata.name(character, "").replace("-", " ").startswith(tuple(f"{script} " for script in SOLID_SCRIPTS))


def main() -> None:
    table = np.array([traits(chr(code)) for code in range(sys.maxunicode + 1)], np.uint16)
    begins = np.flatnonzero(np.diff(table, prepend=~table[:1]))
    lengths = np.diff(begins, append=len(table)).astype(np.uint32)
    target = Path(characters.__file__).with_name("characters.npz")
    np.savez_compressed(target, traits=table[begins], lengths=lengths)
    print(f"{target.name}: Unicode {unicodedata.unidata_version}, {len(lengths):,} stretches")


if __name__ == "__main__":
    main()
