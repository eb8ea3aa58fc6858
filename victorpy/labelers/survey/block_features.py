"""The features by which the decision tree of Hofmann and Weerkamp judges blocks."""

import numpy as np

from victorpy.features.link_text import linked_characters
from victorpy.features.shallow import NAMES, shallow
from victorpy.features.tokens import words
from victorpy.labelers.survey.tag_groups import marks
from victorpy.page.blocks import Page, once_per_page
from victorpy.page.elements import Floats
from victorpy.page.passages import enclosing

_PARENTS = {
    "in-p": ("p",),
    "in-div": ("div",),
    "in-li": ("li", "dt", "dd"),
    "in-td": ("td", "th"),
    "in-heading": ("h1", "h2", "h3", "h4", "h5", "h6"),
}

LETTER_FEATURES = ("words", "word-length", "capitals", "punctuation", *_PARENTS)
ALL_FEATURES = (
    *LETTER_FEATURES,
    *("links", "words-before", "words-after", "links-before", "links-after", "position"),
)


@once_per_page
def block_features(page: Page) -> Floats:
    """All features of each block: block × feature."""
    figures = dict(zip(NAMES, shallow(page), strict=True))
    count = words(page).astype(float)
    linked = linked_characters(page) / np.maximum(page.lengths, 1)
    parents = enclosing(page, *page.markup.class_block)
    codes = page.elements.codes[np.maximum(parents, 0)] * (parents >= 0)
    rows = (
        count,
        figures["shallow.word-length"],
        figures["shallow.capitals"],
        marks(page) / np.maximum(count, 1),
        *(page.markup.members(tags)[codes] for tags in _PARENTS.values()),
        linked,
        np.append(0.0, count[:-1]),
        np.append(count[1:], 0.0),
        np.append(1.0, linked[:-1]),
        np.append(linked[1:], 1.0),
        np.arange(len(page)) / max(len(page) - 1, 1),
    )
    return np.stack(rows, axis=1).astype(float)
