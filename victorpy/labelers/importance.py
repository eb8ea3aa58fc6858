"""A second look at the blocks that a labeler keeps: drops repeated blocks, and blocks of little importance."""

from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from victorpy.foundation.words import RUNNING_WORD
from victorpy.page.blocks import Page
from victorpy.page.elements import Flags, Floats

_KEYWORDS = 10

# Nearly all function words are shorter than this.
_SHORTEST_KEYWORD = 4

# Only the last blocks with a word are compared, so that time does not grow with the square of the page's size.
_HOLDERS = 100


@dataclass(frozen=True)
class Importance:
    """The importance of a block is the weighted mean of three shares: its share of the words in the title, of the
    keywords, and of all words kept. The keywords are the ten most frequent longer words of what is kept.
    """

    most_similar: float = 2.0
    least: float = 0.0
    title: float = 1.0
    keywords: float = 1.0
    share: float = 1.0

    def kept(self, page: Page, keeps: Flags) -> Flags:
        if self.most_similar > 1 and not self.least:
            return keeps
        numbers = np.flatnonzero(keeps)
        words = [Counter(RUNNING_WORD.findall(page.texts[number].lower())) for number in numbers.tolist()]
        stays = ~are_repeated(words, self.most_similar) & (self.importance(page.title, words) >= self.least)
        after = np.zeros_like(keeps)
        after[numbers[stays]] = True
        return after

    def importance(self, title: str, words: Sequence[Counter[str]]) -> Floats:
        """The importance of each block, from 0 to 1."""
        together = sum(words, Counter[str]())
        count = max(together.total(), 1)
        of_title = {*RUNNING_WORD.findall(title.lower())}
        keywords = keywords_of(together)
        total = self.title + self.keywords + self.share
        parts = np.array([(_found(of_title, own), _found(keywords, own), own.total() / count) for own in words], float)
        weighted = parts.reshape(-1, 3) * np.array([self.title, self.keywords, self.share])
        mean: Floats = weighted.sum(axis=1) / (total or 1)
        return mean


def keywords_of(words: Counter[str]) -> set[str]:
    """The ten most frequent words of some length."""
    long = Counter({word: count for word, count in words.items() if len(word) >= _SHORTEST_KEYWORD})
    return {word for word, _ in long.most_common(_KEYWORDS)}


def _found(searched: set[str], words: Counter[str]) -> float:
    """The share of the searched words that occur."""
    return len(searched & words.keys()) / len(searched) if searched else 0.0


def are_repeated(words: Sequence[Counter[str]], most_similar: float) -> Flags:
    """Which blocks repeat an earlier block: the cosine similarity of their words is at least `most_similar`."""
    repeated = np.zeros(len(words), np.bool_)
    if most_similar > 1:
        return repeated
    lengths = [sqrt(sum(count * count for count in own.values())) for own in words]
    holders: dict[str, deque[int]] = {}
    for number, own in enumerate(words):
        products = _products(own, words, holders)
        repeated[number] = any(
            product >= most_similar * lengths[number] * lengths[other] for other, product in products.items()
        )
        if not repeated[number]:
            for word in own:
                holders.setdefault(word, deque(maxlen=_HOLDERS)).append(number)
    return repeated


def _products(own: Counter[str], words: Sequence[Counter[str]], holders: Mapping[str, Iterable[int]]) -> Counter[int]:
    """The inner products of a block's word counts with those of the earlier blocks that share a word with it."""
    products = Counter[int]()
    for word, count in own.items():
        for other in holders.get(word, ()):
            products[other] += count * words[other][word]
    return products
