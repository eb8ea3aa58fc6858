"""Kimatu: groups of blocks that are long, full of punctuation and poor in links.

X. Saralegi, I. Leturia, Kimatu, a tool for cleaning non-content text parts from HTML docs, 2007.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from victorpy.features.link_text import linked_characters
from victorpy.features.sentence_figures import sentence_end
from victorpy.features.tokens import words
from victorpy.foundation.bounds import AT_LEAST_0, FROM_0_TO_1, check_bounds
from victorpy.labelers import Labeling, Untrained
from victorpy.labelers.markup_kinds import labels_of
from victorpy.labelers.survey import Setting, check_setting
from victorpy.labelers.survey.tag_groups import TagGroups, tag_groups
from victorpy.page.blocks import Label, Page
from victorpy.page.elements import Flags, Floats
from victorpy.page.passages import enclosing

# A block of so many words may be a phrase such as "posted by Jack", a quotation or a headline.
_SHORT = 12
# A phrase in so many short blocks is a repeated one, if so many of its words are the same.
_REPEATED, _SAME_WORDS = 3, 2
# So many blocks behind a block are compared with it.
_NEAR = 3
_QUOTES = "\"'“”„«»‹›「」 "

_SHARES = ("least_length", "least_average", "most_linked")
_BOUNDS = {
    **dict.fromkeys(_SHARES, FROM_0_TO_1),
    **dict.fromkeys(("least_punctuation", "most_links_per_word", "headline_distance"), AT_LEAST_0),
}


@dataclass(frozen=True)
class Kimatu(Untrained):
    """Keeps groups of blocks by four ratios, without repeated phrases and quotations, and the headlines near them.

    A group has at least the share `least-length` of the characters of the longest one, `least-average` of the highest
    average of a group's blocks, and `least-punctuation` marks for each word. By the `letter`, it has at most
    `most-links-per-word` links, and short blocks near it are headlines. As is `best`, it has at most the share
    `most-linked` of its text in links, and headings near it are headlines. Headlines are at most `headline-distance`
    blocks before it.
    """

    setting: Setting = "best"
    least_length: float = 0.05
    least_average: float = 0.1
    least_punctuation: float = 0.02
    most_links_per_word: float = 0.05
    most_linked: float = 0.3
    headline_distance: int = 2

    def __post_init__(self) -> None:
        check_setting(self.setting)
        check_bounds(self, _BOUNDS)

    def labeling(self, page: Page) -> Labeling:
        if not len(page):
            return Labeling([])
        groups = tag_groups(page)
        candidates = self._candidates(groups)[groups.of_block]
        stays = candidates & ~are_repeated_phrases(page) & ~are_quotations(page, candidates)
        headlines = self._headlines(page, stays)
        labels = labels_of(page, stays | headlines)
        return Labeling(_with_headers(labels, headlines))

    def _candidates(self, groups: TagGroups) -> Flags:
        is_long = _relative(groups.characters) >= self.least_length
        is_full = _relative(groups.characters / groups.blocks) >= self.least_average
        counts = np.maximum(groups.words, 1)
        has_marks = groups.marks / counts >= self.least_punctuation
        return is_long & is_full & has_marks & self._have_few_links(groups, counts)

    def _have_few_links(self, groups: TagGroups, counts: Floats) -> Flags:
        few: Flags = (
            groups.links <= self.most_links_per_word * counts
            if self.setting == "letter"
            else groups.in_links <= self.most_linked * groups.characters
        )
        return few

    def _headlines(self, page: Page, kept: Flags) -> Flags:
        """The blocks near the next kept block that can be headlines, but are no candidates."""
        is_near = np.zeros(len(page), np.bool_)
        for distance in range(1, min(self.headline_distance, len(page) - 1) + 1):
            is_near[:-distance] |= kept[distance:]
        return is_near & ~kept & self._can_be_headlines(page)

    def _can_be_headlines(self, page: Page) -> Flags:
        is_heading: Flags = enclosing(page, *page.markup.class_header) >= 0
        if self.setting == "best":
            return is_heading
        is_link = 2 * linked_characters(page) > page.lengths
        return is_heading | ((words(page) <= _SHORT) & ~sentence_end(page) & ~is_link)


def _relative(values: Floats) -> Floats:
    shares: Floats = values / max(values.max(), 1)
    return shares


def _with_headers(labels: Sequence[Label], headlines: Flags) -> list[Label]:
    return [
        Label.HEADER if is_headline and label is not Label.CONTINUATION else label
        for label, is_headline in zip(labels, headlines.tolist(), strict=True)
    ]


def are_repeated_phrases(page: Page) -> Flags:
    """Short blocks that begin, or end, with the same two words as several others: "posted by Jack"."""
    short = [text.lower().split() if count <= _SHORT else [] for text, count in _counted(page)]
    firsts, lasts = ([_key(found[side]) for found in short] for side in (_FIRSTS, _LASTS))
    counts = Counter(filter(None, firsts)), Counter(filter(None, lasts))
    repeated = [
        max(counts[0][first], counts[1][last]) >= _REPEATED if first else False
        for first, last in zip(firsts, lasts, strict=True)
    ]
    return np.array(repeated, np.bool_)


_FIRSTS, _LASTS = slice(None, _SAME_WORDS), slice(-_SAME_WORDS, None)


def _key(found: Sequence[str]) -> tuple[str, ...]:
    return tuple(found) if len(found) == _SAME_WORDS else ()


def _counted(page: Page) -> list[tuple[str, int]]:
    return list(zip(page.texts, words(page).tolist(), strict=True))


def are_quotations(page: Page, candidates: Flags) -> Flags:
    """Small blocks whose text is part of a candidate shortly before them."""
    folded = [" ".join(text.lower().split()) for text in page.texts]
    counts = words(page).tolist()
    quoted = np.zeros(len(page), np.bool_)
    for block in np.flatnonzero(candidates).tolist():
        for near in range(block + 1, min(block + 1 + _NEAR, len(page))):
            is_small = counts[near] > _SAME_WORDS and 2 * counts[near] < counts[block]
            quoted[near] |= is_small and folded[near].strip(_QUOTES) in folded[block]
    return quoted
