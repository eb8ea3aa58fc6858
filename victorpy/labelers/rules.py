"""Rules in two stages: they judge each block by itself, then revise the result by its neighbours.

Pomikálek, Removing Boilerplate and Duplicate Content from Web Corpora (2011), chapter 4.
"""

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from victorpy.features.tags import are_inside
from victorpy.foundation.bounds import AT_LEAST_0, FROM_0_TO_1, check_bounds
from victorpy.foundation.words import RUNNING_WORD, WIDE_LANGUAGES
from victorpy.labelers import Labeling, Untrained
from victorpy.labelers.markup_kinds import labels_of
from victorpy.labelers.stopwords import check_option, words_for
from victorpy.page.blocks import Page, once_per_page
from victorpy.page.elements import Flags, Ints
from victorpy.page.passages import enclosing

_WITHOUT_WORDS = "lengths and links alone"

Classes = NDArray[np.int8]

BAD, SHORT, NEAR_GOOD, GOOD = (np.int8(number) for number in range(4))


_BOUNDS = {
    **dict.fromkeys(("max_link_density", "stopwords_low", "stopwords_high"), FROM_0_TO_1),
    **dict.fromkeys(("length_low", "length_high", "max_heading_distance"), AT_LEAST_0),
}


@dataclass(frozen=True)
class Rules(Untrained):
    """Keeps long blocks with many stop words and few links, and the blocks among them.

    Lengths and the distance of a heading from its text are in characters. `language` is a code such as `de`; without
    one, the language of each page is detected. `stop-words` is a file with a word per line, used instead of the list of
    the language.
    """

    max_link_density: float = 0.4
    length_low: int = 70
    length_high: int = 100
    stopwords_low: float = 0.15
    stopwords_high: float = 0.2
    max_heading_distance: int = 200
    language: str = ""
    stop_words: str = ""

    def __post_init__(self) -> None:
        check_bounds(self, _BOUNDS)
        check_option(self.stop_words)

    def labeling(self, page: Page) -> Labeling:
        if not len(page):
            return Labeling([], probabilities=[])
        language, stops = self.words_of(page)
        is_good = revised(page, self.judged(page, language, stops), self.max_heading_distance) == GOOD
        labels = labels_of(page, is_good)
        if stops:
            return Labeling(labels)
        reason = f"no stop words for language '{language}': judged by {_WITHOUT_WORDS}"
        return Labeling(labels, reason=reason, fallback=_WITHOUT_WORDS)

    def words_of(self, page: Page) -> tuple[str, Collection[str]]:
        """The language of the page, and its stop words."""
        return words_for(page, _linked_characters(page), self.language, self.stop_words)

    def judged(self, page: Page, language: str, stops: Collection[str]) -> Classes:
        """The class of each block by itself. Without a list of stop words, every block counts as having enough."""
        linked = _linked_characters(page)
        lengths = page.lengths * (2 if language in WIDE_LANGUAGES else 1)
        classes = np.full(len(page), NEAR_GOOD, np.int8)
        classes[lengths > self.length_high] = GOOD
        is_short = lengths < self.length_low
        classes[is_short] = np.where(linked[is_short] > 0, BAD, SHORT)
        is_bad = (linked > self.max_link_density * page.lengths) | are_never_good(page)
        classes[is_bad] = BAD
        if stops:
            self._judge_words(page, stops, classes)
        return classes

    def _judge_words(self, page: Page, stops: Collection[str], classes: Classes) -> None:
        """Lowers the class of good and nearly good blocks that have few stop words."""
        candidates = np.flatnonzero(classes >= NEAR_GOOD)
        density = np.array([_stop_word_density(page.texts[block], stops) for block in candidates.tolist()])
        classes[candidates[density < self.stopwords_high]] = NEAR_GOOD
        classes[candidates[density < self.stopwords_low]] = BAD


@once_per_page
def _linked_characters(page: Page) -> Ints:
    """How many characters of each block are inside links.

    Unlike `features.link_text`, the line end behind a link that ends a block counts, if the block has other text, too.
    The published figures of this labeler are of this count.
    """
    runs = page.runs
    begins = page.starts[runs.block] + runs.start
    lengths = np.diff(begins, append=len(page.text))
    linked = np.bincount(runs.block, lengths * are_inside("a", page, runs.element), len(page))
    return np.minimum(linked, page.lengths).astype(np.int32)


def are_never_good(page: Page) -> Flags:
    """Copyright notices, and options of a `<select>`."""
    never: Flags = enclosing(page, "select") >= 0
    if "©" in page.text:
        never |= np.array(["©" in text for text in page.texts])
    return never


# The beginning of a block is enough to judge its words.
_BEGINNING = 400


def _stop_word_density(text: str, stops: Collection[str]) -> float:
    words = RUNNING_WORD.findall(text[:_BEGINNING].lower())
    # Twice as fast as a sum.
    return [*map(stops.__contains__, words)].count(True) / max(len(words), 1)


def revised(page: Page, rough: Classes, max_heading_distance: int) -> Classes:
    """Good or bad for each block. Neighbours decide about blocks that are short or nearly good."""
    is_heading = enclosing(page, *page.markup.class_header) >= 0
    classes = rough.copy()
    is_rescued = is_heading & (rough == SHORT) & _are_before_good(page, classes, max_heading_distance)
    classes[is_rescued] = NEAR_GOOD
    classes = _with_near_good(_with_short(classes))
    is_rescued = is_heading & (rough != BAD) & _are_before_good(page, classes, max_heading_distance)
    classes[is_rescued] = GOOD
    return classes


def _with_short(classes: Classes) -> Classes:
    """A short block between good ones is good; between good and bad, if a nearly good block is on the bad side."""
    is_sure = (classes == GOOD) | (classes == BAD)
    before, after = _sides(classes, is_sure)
    next_before, next_after = _sides(classes, classes != SHORT)
    is_between_good = (before == GOOD) & (after == GOOD)
    leads_to_bad = ((before == BAD) & (next_before == NEAR_GOOD)) | ((after == BAD) & (next_after == NEAR_GOOD))
    is_good = is_between_good | ((before != after) & leads_to_bad)
    return np.where(classes == SHORT, np.where(is_good, GOOD, BAD), classes)


def _with_near_good(classes: Classes) -> Classes:
    """A nearly good block is bad only between bad ones."""
    before, after = _sides(classes, classes != NEAR_GOOD)
    is_good = (before == GOOD) | (after == GOOD)
    return np.where(classes == NEAR_GOOD, np.where(is_good, GOOD, BAD), classes)


def _sides(classes: Classes, are_considered: Flags) -> tuple[Classes, Classes]:
    """The class of the nearest considered block before and after each block. Outside the page everything is bad."""
    return _nearest_before(classes, are_considered), _nearest_before(classes[::-1], are_considered[::-1])[::-1]


def _nearest_before(classes: Classes, are_considered: Flags) -> Classes:
    # Place 0 stands for the outside of the page.
    places = np.maximum.accumulate(np.where(are_considered, np.arange(1, len(classes) + 1), 0))
    with_outside = np.concatenate(([BAD], classes))
    nearest: Classes = with_outside[np.concatenate(([0], places[:-1]))]
    return nearest


def _are_before_good(page: Page, classes: Classes, distance: int) -> Flags:
    """Does a good block follow, with at most `distance` characters between?"""
    count = len(classes)
    next_good = np.minimum.accumulate(np.where(classes == GOOD, np.arange(count), count)[::-1])[::-1]
    following = np.append(next_good[1:], count)
    upto = np.concatenate(([0], np.cumsum(page.lengths)))
    near: Flags = (following < count) & (upto[following] - upto[1:] <= distance)
    return near
