"""Noise blocks and main blocks by the letter of the paper: its two classifiers in tokens, then its weights of blocks.

Pan Ei San, Nilar Aye: Noise Block Cleaning and Main Content Block Extraction from Dynamic Web Page.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from victorpy.features.block_weights import Weighing, block_weights, keywords_in
from victorpy.features.shallow import NAMES, shallow
from victorpy.foundation.bounds import AT_LEAST_0, FROM_0_TO_1, check_bounds, check_choice
from victorpy.labelers import Labeling, Untrained
from victorpy.labelers.importance import are_repeated
from victorpy.labelers.markup_kinds import labels_of
from victorpy.labelers.rules import BAD, GOOD, NEAR_GOOD, SHORT, Classes, Rules, are_never_good
from victorpy.labelers.tree import Borders, kept_by_density
from victorpy.page.blocks import Page
from victorpy.page.elements import Flags, Floats

_SHARES = ("max_link_density", "stopwords_low", "stopwords_high", "link_density", "link_density_before", "region")
_NUMBERS = (
    *("length_low", "length_high", "density", "density_after", "density_before", "density_after_links"),
    *("most_similar", "title_weight", "keyword_weight", "position_weight", "least_weight"),
)
_BOUNDS = {**dict.fromkeys(_SHARES, FROM_0_TO_1), **dict.fromkeys(_NUMBERS, AT_LEAST_0)}


@dataclass(frozen=True)
class NoiseBlocks(Untrained):
    """Keeps what the paper's rules, or its printed tree, keep; then drops repeated blocks, and those of little weight.

    All lengths are in tokens. By `rules`, algorithm 1 judges each block by itself, and the context rules revise it; by
    `tree`, the printed tree decides. `most-similar` is the cosine similarity from which on a block repeats an earlier
    one (above 1: none does). The weight of a block is the sum of its title keywords, its frequent keywords and its
    position, each with its own weight; blocks of less than `least-weight` are dropped.
    """

    by: Literal["rules", "tree"] = "rules"
    max_link_density: float = 0.2
    length_low: int = 10
    length_high: int = 30
    stopwords_low: float = 0.3
    stopwords_high: float = 0.32
    language: str = ""
    stop_words: str = ""
    link_density: float = 0.3
    link_density_before: float = 0.5
    density: float = 9
    density_after: float = 10
    density_before: float = 4
    density_after_links: float = 11
    most_similar: float = 2.0
    title_weight: float = 1.0
    keyword_weight: float = 1.0
    position_weight: float = 1.0
    region: float = 0.7
    least_weight: float = 0.0

    def __post_init__(self) -> None:
        check_choice(self.by, ("rules", "tree"), "by")
        check_bounds(self, _BOUNDS)
        if self.by == "rules":
            self._words_of_language()

    def _words_of_language(self) -> Rules:
        """The rules know stop words by language, and report what is missing."""
        return Rules(language=self.language, stop_words=self.stop_words)

    def labeling(self, page: Page) -> Labeling:
        if not len(page):
            return Labeling([], probabilities=[])
        if self.by == "tree":
            return Labeling(labels_of(page, self._weighty(page, kept_by_density(page, self._borders))))
        language, stops = self._words_of_language().words_of(page)
        if not stops:
            why = f"no stop words for language '{language}', which algorithm 1 needs: judged by the printed tree"
            keeps = kept_by_density(page, self._borders)
            return Labeling(labels_of(page, self._weighty(page, keeps)), reason=why, fallback="printed tree")
        keeps = in_context(self.judged(page, stops)) == GOOD
        return Labeling(labels_of(page, self._weighty(page, keeps)))

    @property
    def _borders(self) -> Borders:
        return Borders(
            links=self.link_density,
            links_before=self.link_density_before,
            density=self.density,
            after=self.density_after,
            before=self.density_before,
            after_links=self.density_after_links,
        )

    def judged(self, page: Page, stops: Collection[str]) -> Classes:
        """Algorithm 1: the class of each block by itself."""
        figures = dict(zip(NAMES, shallow(page), strict=True))
        tokens, links = figures["shallow.words"], figures["shallow.link-density"]
        words = stop_word_density(page.texts, stops)
        is_short = tokens < self.length_low
        # The first condition that holds decides, as in the listing.
        conditions: list[tuple[Flags, np.int8]] = [
            (are_never_good(page) | (links > self.max_link_density), BAD),
            (is_short & (links > 0), BAD),
            (is_short, SHORT),
            ((words > self.stopwords_high) & (tokens > self.length_high), GOOD),
            (words > self.stopwords_high, NEAR_GOOD),
            (words > self.stopwords_low, NEAR_GOOD),
        ]
        classes = np.full(len(page), BAD)
        for condition, kind in reversed(conditions):
            classes[condition] = kind
        return classes

    def _weighty(self, page: Page, keeps: Flags) -> Flags:
        """What is left without repeated blocks and without blocks of little weight."""
        if self.most_similar > 1 and not self.least_weight:
            return keeps
        numbers = np.flatnonzero(keeps)
        words = [keywords_in(page.texts[number]) for number in numbers.tolist()]
        stays = ~are_repeated(words, self.most_similar)
        stays &= self._weights(page, numbers.tolist()) >= self.least_weight
        after = np.zeros_like(keeps)
        after[numbers[stays]] = True
        return after

    def _weights(self, page: Page, numbers: Sequence[int]) -> Floats:
        weighing = Weighing(self.title_weight, self.keyword_weight, self.position_weight, self.region)
        return block_weights(page, weighing, tuple(numbers)).weight


def stop_word_density(texts: Sequence[str], stops: Collection[str]) -> Floats:
    """The share of the tokens of each block that are stop words, without the punctuation around them."""
    return np.array([_density([word.strip(_AROUND).lower() for word in text.split()], stops) for text in texts])


_AROUND = ".,;:!?\"'“”‘’„«»()[]{}…—–-"


def _density(words: Sequence[str], stops: Collection[str]) -> float:
    return sum(map(stops.__contains__, words)) / len(words) if words else 0.0


def in_context(classes: Classes) -> Classes:
    """The context rules: every sequence of short and nearly good blocks becomes good or bad by what surrounds it.

    The edges of the page count as bad.
    """
    found = classes.copy()
    surely = np.flatnonzero((classes == GOOD) | (classes == BAD)).tolist()
    for begin, end in zip([-1, *surely], [*surely, len(classes)], strict=True):
        before = BAD if begin < 0 else classes[begin]
        after = BAD if end == len(classes) else classes[end]
        found[begin + 1 : end] = _sequence(classes[begin + 1 : end], before, after)
    return found


def _sequence(classes: Classes, before: np.int8, after: np.int8) -> Classes:
    """Between unlike neighbours, the nearly good block nearest to the bad one begins the good part."""
    if before == after:
        return np.full(len(classes), before)
    nearly = np.flatnonzero(classes == NEAR_GOOD)
    found = np.full(len(classes), BAD)
    if len(nearly) and before == BAD:
        found[nearly[0] :] = GOOD
    elif len(nearly):
        found[: nearly[-1] + 1] = GOOD
    return found
