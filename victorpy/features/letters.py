"""How much text a block holds, counted so that scripts with and without spaces weigh alike."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from victorpy.blocks import Page, once_per_page
from victorpy.elements import Ints
from victorpy.features.characters import (
    DIGIT,
    LETTER,
    LOWER,
    WHITE,
    Characters,
    characters,
    counted,
    counts_from,
    packed_fields,
)
from victorpy.features.inside import are_inside
from victorpy.features.sentences import sentences

Floats = NDArray[np.floating[Any]]

_FIELDS = packed_fields((LETTER, LOWER, DIGIT, WHITE))

# By the higher bytes of a code point: East Asian letters, of which one says about as much as two of an alphabet.
_WIDE = np.zeros(0x300, np.bool_)
for _first, _last in ((0x2E, 0xA4), (0xAC, 0xD7), (0xF9, 0xFA), (0x200, 0x2FF)):
    _WIDE[_first : _last + 1] = True
_FIRST_WIDE = 0x2E00


class Letters(NamedTuple):
    """Of each block; wide letters count as two in `letters` and `linked`, and only there."""

    letters: Floats
    linked: Floats
    runs: Ints
    plain: Floats
    lower: Floats
    digits: Floats
    white: Floats
    ends: Floats


@once_per_page
def letters(page: Page) -> Letters:
    text, runs = characters(page), page.runs
    begins = text.begins.take(runs.block) + runs.start
    per_run = np.empty((6, len(begins)), np.int32)
    per_run[:4] = counted(text.traits, _FIELDS, begins, _run_ends(page, begins))
    np.add(per_run[0], wide_letters(text, begins), out=per_run[4])
    np.multiply(per_run[4], are_inside(page, "a", runs.element), out=per_run[5])
    plain, lower, digits, white, weight, link = _per_block(page, per_run).astype(np.float32)
    sizes = page.last_runs - page.first_runs + 1
    return Letters(weight, link, sizes, plain, lower, digits, white, sentences(page).astype(np.float32))


def _run_ends(page: Page, begins: Ints) -> Ints:
    """Each run reaches to the next one of its block, the last one to the block's end."""
    ends = np.empty_like(begins)
    ends[:-1] = begins[1:]
    ends[page.last_runs] = characters(page).ends
    return ends


def _per_block(page: Page, per_run: Ints) -> Ints:
    if per_run.shape[1] == len(page):
        return per_run
    sums: Ints = np.add.reduceat(per_run, page.first_runs, axis=1)
    return sums


def wide_letters(text: Characters, begins: Ints) -> Ints:
    """How many stand from each of these ascending places up to the next."""
    if text.codes.dtype == np.uint8 or text.codes.max() < _FIRST_WIDE:
        return np.zeros(len(begins), np.int32)
    is_wide = _WIDE.take(text.codes >> 8, mode="clip") & text.are(LETTER)
    return counts_from(is_wide.nonzero()[0], begins)


# A block with as many unlinked letters is a long one.
LONG = 80
SUMMED = ("letters", "linked", "sentence-ends", "letters of long blocks", "digits")


@once_per_page
def sums(page: Page) -> Floats:
    """A row for each of `SUMMED`: what the blocks before each one hold, and last what all hold."""
    found = letters(page)
    unlinked = found.letters - found.linked
    before = np.zeros((len(SUMMED), len(page) + 1))
    before[0, 1:] = found.letters
    before[1, 1:] = found.linked
    before[2, 1:] = found.ends
    np.multiply(unlinked, unlinked >= LONG, out=before[3, 1:])
    before[4, 1:] = found.digits
    return before.cumsum(axis=1, out=before)


def share(part: Any, whole: Any) -> Floats:
    shares: Floats = np.asarray(part) / np.maximum(whole, 1)
    return shares
