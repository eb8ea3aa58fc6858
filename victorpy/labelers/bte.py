"""Body Text Extraction: the stretch of a page that holds many words and few tags (Finn, Kushmerick, Smyth 2001)."""

from dataclasses import dataclass

import numpy as np

from victorpy.errors import MisfitError
from victorpy.features.tokens import words
from victorpy.labelers import Labeling, Untrained
from victorpy.labelers.markup_kinds import labels_of
from victorpy.page.blocks import Page
from victorpy.page.elements import Flags, Floats


@dataclass(frozen=True)
class BTE(Untrained):
    """Keeps the one stretch that maximises the tags outside of it plus the words in it; a tag counts as `tag-weight`.

    The original's is 1. Where no letters tell words apart by spaces, each letter is a word.
    """

    tag_weight: float = 1.0

    def __post_init__(self) -> None:
        if self.tag_weight < 0:
            raise MisfitError(f"0 or more is wanted, not {self.tag_weight:g}", "tag-weight")

    def labeling(self, page: Page) -> Labeling:
        return Labeling(labels_of(page, best_stretch(page, self.tag_weight)))


def best_stretch(page: Page, tag_weight: float = 1.0) -> Flags:
    """The blocks of the stretch with the greatest sum, where words count for it and tags against it.

    All tags are either inside or outside: as many as are outside are not inside, and one sum tells both.
    """
    keeps = np.zeros(len(page), np.bool_)
    if len(page):
        before, after = _sums(page, tag_weight)
        lowest = np.minimum.accumulate(before)
        last = int((after - lowest).argmax())
        keeps[int(before[: last + 1].argmin()) : last + 1] = True
    return keeps


def _sums(page: Page, tag_weight: float) -> tuple[Floats, Floats]:
    """Words less tags from the beginning of the page up to the beginning, and to the end, of each block."""
    counted = words(page)
    upto = np.cumsum(counted)
    places = page.runs.place
    before = (upto - counted) - tag_weight * places[page.first_runs]
    after = upto - tag_weight * places[page.last_runs]
    return before, after
