"""The sentences of a page as columns: where they are, and whether they begin and end as sentences do."""

from typing import NamedTuple

import numpy as np

from victorpy.features.characters import (
    CLOSING,
    DIGIT,
    LETTER,
    LOWER,
    OPENING,
    TERMINAL,
    WHITE,
    Characters,
    characters,
)
from victorpy.features.sentence_figures import sentence_ends
from victorpy.page.blocks import Page, once_per_page
from victorpy.page.elements import Flags, Ints


class Sentences(NamedTuple):
    """For each sentence its block, and its first and last place in the text of the page, with the space around it.

    `is_whole` says which are sentences with an upper-case letter at the begin and a terminal mark at the end.
    """

    blocks: Ints
    begins: Ints
    ends: Ints
    is_whole: Flags

    @property
    def lengths(self) -> Ints:
        return self.ends - self.begins


@once_per_page
def sentences_of(page: Page) -> Sentences:
    """Every block is cut behind its sentences. What follows the last one is a sentence without an end."""
    text = characters(page)
    inner = _after_closing(text, sentence_ends(page))
    borders = np.unique(np.concatenate((text.begins, inner)))
    ends = np.append(borders[1:], text.ends[-1:])
    blocks = np.searchsorted(text.begins, borders, side="right") - 1
    ends = np.minimum(ends, text.ends[blocks])
    has_text = _counts(text, LETTER | DIGIT, borders, ends) > 0
    borders, ends, blocks = borders[has_text], ends[has_text], blocks[has_text]
    return Sentences(blocks, borders - 1, ends - 1, _begins_well(text, borders) & _ends_well(text, ends))


def _after_closing(text: Characters, ends: Ints) -> Ints:
    """The places behind the ends of sentences and their closing marks."""
    after = ends + 1
    left = np.arange(len(after))
    while len(left := left[(text.traits[after[left]] & CLOSING) != 0]):
        after[left] += 1
    return after


def _counts(text: Characters, trait: int, begins: Ints, ends: Ints) -> Ints:
    upto = np.append(0, np.cumsum(text.are(trait)))
    counts: Ints = upto[ends] - upto[begins]
    return counts


def _begins_well(text: Characters, begins: Ints) -> Flags:
    """Is the first character, after space and opening marks, a letter that is not in lower case, or a digit?"""
    firsts = begins.copy()
    left = np.arange(len(firsts))
    while len(left := left[(text.traits[firsts[left]] & (OPENING | WHITE)) != 0]):
        firsts[left] += 1
    traits = text.traits[firsts]
    well: Flags = ((traits & (LETTER | DIGIT)) != 0) & ((traits & LOWER) == 0)
    return well


def _ends_well(text: Characters, ends: Ints) -> Flags:
    lasts = ends - 1
    left = np.arange(len(lasts))
    while len(left := left[(text.traits[lasts[left]] & (CLOSING | WHITE)) != 0]):
        lasts[left] -= 1
    well: Flags = (text.traits[lasts] & TERMINAL) != 0
    return well
