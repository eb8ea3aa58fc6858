"""Body Text Extraction: the stretch of a page that holds many words and few tags (Finn, Kushmerick, Smyth 2001)."""

from dataclasses import dataclass

import numpy as np

from victorpy.features.tokens import words
from victorpy.foundation.bounds import AT_LEAST_0, check_bounds
from victorpy.labelers import Labeling, Untrained
from victorpy.labelers.markup_kinds import labels_of
from victorpy.page.blocks import Page
from victorpy.page.elements import Flags, Floats


@dataclass(frozen=True)
class BTE(Untrained):
    """Keeps the one stretch that maximises the tags outside it plus the words inside it. A tag counts as `tag-weight`.

    The original's weight is 1. In scripts without spaces between words, each letter counts as a word.
    """

    tag_weight: float = 1.0

    def __post_init__(self) -> None:
        check_bounds(self, {"tag_weight": AT_LEAST_0})

    def labeling(self, page: Page) -> Labeling:
        return Labeling(labels_of(page, best_stretch(page, self.tag_weight)))


def best_stretch(page: Page, tag_weight: float = 1.0) -> Flags:
    """The blocks of the stretch with the greatest sum of words minus tags.

    Every tag is either inside or outside, so maximising the tags outside is the same as minimising the tags inside.
    """
    keeps = np.zeros(len(page), np.bool_)
    if len(page):
        before, after = _sums(page, tag_weight)
        lowest = np.minimum.accumulate(before)
        last = int((after - lowest).argmax())
        keeps[int(before[: last + 1].argmin()) : last + 1] = True
    return keeps


def _sums(page: Page, tag_weight: float) -> tuple[Floats, Floats]:
    """Words minus tags from the start of the page to the start, and to the end, of each block."""
    counted = words(page)
    upto = np.cumsum(counted)
    places = page.runs.place
    before = (upto - counted) - tag_weight * places[page.first_runs]
    after = upto - tag_weight * places[page.last_runs]
    return before, after
