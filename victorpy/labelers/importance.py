"""A second look at the blocks that a labeler keeps: which repeat another one, and which matter to their page."""

from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from victorpy.foundation.words import RUNNING_WORD
from victorpy.page.blocks import Page
from victorpy.page.elements import Flags, Floats

_KEYWORDS = 10

# Function words are nearly all shorter than this.
_SHORTEST_KEYWORD = 4

# The last blocks with a word are compared, so that time does not grow with the square of a page.
_HOLDERS = 100

Words = Counter[str]


@dataclass(frozen=True)
class Importance:
    """The importance of a block is a weighted mean: its share of the title's words, of the keywords, of all words kept.

    Keywords are the ten most frequent longer words of what is kept.
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

    def importance(self, title: str, words: Sequence[Words]) -> Floats:
        """One for each block, from 0 to 1."""
        together = sum(words, Words())
        count = max(together.total(), 1)
        of_title = {*RUNNING_WORD.findall(title.lower())}
        keywords = keywords_of(together)
        total = self.title + self.keywords + self.share
        parts = np.array([(_found(of_title, own), _found(keywords, own), own.total() / count) for own in words], float)
        mean: Floats = parts.reshape(-1, 3) @ np.array([self.title, self.keywords, self.share]) / (total or 1)
        return mean


def keywords_of(words: Words) -> set[str]:
    """The ten most frequent words of some length."""
    long = Words({word: count for word, count in words.items() if len(word) >= _SHORTEST_KEYWORD})
    return {word for word, _ in long.most_common(_KEYWORDS)}


def _found(wanted: set[str], words: Words) -> float:
    return len(wanted & words.keys()) / len(wanted) if wanted else 0.0


def are_repeated(words: Sequence[Words], most_similar: float) -> Flags:
    """Which blocks say nearly what one of those before them says: the cosine of their words is so much or more."""
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


def _products(own: Words, words: Sequence[Words], holders: Mapping[str, Iterable[int]]) -> Counter[int]:
    """The inner products of a block's words with those of the blocks that hold any of them."""
    products = Counter[int]()
    for word, count in own.items():
        for other in holders.get(word, ()):
            products[other] += count * words[other][word]
    return products
