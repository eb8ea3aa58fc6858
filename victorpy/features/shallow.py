"""Shallow text features of a block.

Kohlschütter, Fankhauser, Nejdl: Boilerplate detection using shallow text features (2010).
"""

import numpy as np

from victorpy.features.characters import COUNTED, DIGIT, LETTER, LOWER, SOLID, characters, counts
from victorpy.features.feature_rows import Table, share
from victorpy.features.groups import unlinked_words
from victorpy.features.sentence_figures import sentences
from victorpy.features.tokens import tokens, words
from victorpy.page.blocks import Page, once_per_page
from victorpy.page.elements import Floats, Ints

NAMES = (
    "shallow.words",
    "shallow.link-density",
    "shallow.text-density",
    "shallow.word-length",
    "shallow.capitals",
    "shallow.full-stops",
)

LINE = 80


@once_per_page
def shallow(page: Page) -> Table:
    count = words(page)
    letters = counts(page)[[COUNTED.index(LETTER), COUNTED.index(DIGIT)]].sum(axis=0)
    columns = (
        count,
        share(count - unlinked_words(page), count),
        text_density(page),
        share(letters, count),
        share(_capitals(page), count),
        sentences(page),
    )
    return np.array(columns, np.float32)


def _capitals(page: Page) -> Ints:
    """The tokens of each block that begin with a letter in upper case."""
    text, begins = characters(page), tokens(page).begins
    firsts = text.traits.take(begins)
    are_capital = ((firsts & LETTER) != 0) & ((firsts & (LOWER | SOLID)) == 0)
    places = begins[are_capital]
    return np.bincount(np.searchsorted(text.ends, places, side="right"), minlength=len(page))


@once_per_page
def text_density(page: Page) -> Floats:
    """Tokens per full line if the text is wrapped at 80 characters; all tokens if it fills no line."""
    lines, in_last = _lines(page)
    count = _tokens_in(page)
    density: Floats = np.where(lines > 1, (count - in_last) / np.maximum(lines - 1, 1), count)
    return density


def _tokens_in(page: Page) -> Ints:
    found = tokens(page)
    firsts = found.before(characters(page).begins)
    return np.diff(firsts, append=len(found.begins))


def _lines(page: Page) -> tuple[Ints, Ints]:
    """The number of lines of each block, and the tokens in its last line. All blocks are wrapped in parallel."""
    begins = tokens(page).begins
    ends = np.append(begins[1:] - 1, characters(page).ends[-1:])
    first = tokens(page).before(characters(page).begins)
    stops = np.append(first[1:], len(begins))
    lines, in_last = np.zeros(len(page), np.int32), np.zeros(len(page), np.int32)
    open_blocks = np.flatnonzero(stops > first)
    line = first[open_blocks]
    while len(open_blocks):
        # A token longer than a line gets a line of its own.
        fitting = np.searchsorted(ends, begins[line] + LINE, side="right")
        following = np.minimum(np.maximum(fitting, line + 1), stops[open_blocks])
        lines[open_blocks] += 1
        in_last[open_blocks] = following - line
        goes_on = following < stops[open_blocks]
        open_blocks, line = open_blocks[goes_on], following[goes_on]
    return lines, in_last
