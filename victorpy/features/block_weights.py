"""The weights of blocks: title keywords, frequent keywords and position, by the equations 3 to 7 of the paper.

Pan Ei San, Nilar Aye: Noise Block Cleaning and Main Content Block Extraction from Dynamic Web Page.
"""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from victorpy.features.feature_rows import Table
from victorpy.foundation.words import RUNNING_WORD
from victorpy.page.blocks import Page, once_per_page
from victorpy.page.elements import Floats, Ints
from victorpy.page.passages import enclosing

NAMES = (
    "weight.title-keywords",
    "weight.frequent-keywords",
    "weight.position",
    "weight.block",
    "weight.main-block",
)

_TOP = 10
# Nearly all function words are shorter than this.
_SHORTEST_KEYWORD = 4
# A main block is what the nearest of these holds.
_REGIONS = ("div", "td", "article", "section", "main", "body", "html")


class Weighing(NamedTuple):
    """The constants α, β and γ of equation 3, and the ratio of equation 6."""

    title: float = 1.0
    keywords: float = 1.0
    position: float = 1.0
    region: float = 0.7


BY_THE_LETTER = Weighing()


class BlockWeights(NamedTuple):
    """For each of some blocks T_k, K_f, PF_s and the weight B_W', and the weight B_i of the main block around it."""

    title_keywords: Floats
    frequent_keywords: Floats
    position: Floats
    weight: Floats
    main_weight: Floats


@once_per_page
def block_weights(
    page: Page, weighing: Weighing = BY_THE_LETTER, numbers: tuple[int, ...] | None = None
) -> BlockWeights:
    """The weights of the blocks with these numbers (all blocks), as if the page had no others."""
    chosen = np.arange(len(page)) if numbers is None else np.array(numbers, np.intp)
    words = [_words(page.texts[number]) for number in chosen.tolist()]
    title = {word for word in _words(page.title) if _is_keyword(word)}
    regions = enclosing(page, *_REGIONS)[chosen] if len(page) else chosen
    titles = np.array([title_keywords(title, Counter(own)) for own in words], float)
    frequent = np.array(_frequent_keywords(words), float)
    position = _position([sum(map(_is_keyword, own)) for own in words], regions, weighing.region)
    weight = weighing.title * titles + weighing.keywords * frequent + weighing.position * position
    return BlockWeights(titles, frequent, position, weight, _sums(weight, regions))


def weight_rows(page: Page) -> Table:
    return np.array(block_weights(page), np.float32)


def _words(text: str) -> list[str]:
    return RUNNING_WORD.findall(text.lower())


def _is_keyword(word: str) -> bool:
    return len(word) >= _SHORTEST_KEYWORD


def keywords_in(text: str) -> Counter[str]:
    """How often each keyword occurs: words that are not short."""
    return Counter(filter(_is_keyword, _words(text)))


def title_keywords(title: set[str], words: Counter[str]) -> float:
    """Equation 4: 1 - m / (m + the sum of the frequencies), for m title keywords; 0 without any."""
    frequencies = sum(words[word] for word in title)
    return 1 - len(title) / (len(title) + frequencies) if title else 0.0


def _frequent_keywords(words: Sequence[Sequence[str]]) -> list[float]:
    """Equation 5: the frequencies of a block's ten most frequent keywords, divided by the words of the page."""
    count = max(sum(map(len, words)), 1)
    tops = (Counter(filter(_is_keyword, own)).most_common(_TOP) for own in words)
    return [sum(frequency for _, frequency in top) / count for top in tops]


def _position(keywords: Sequence[int], regions: Ints, ratio: float) -> Floats:
    """Equation 6, as it is printed: 1 for blocks of regions with at most this share of the page's keywords, else 0."""
    counts = np.array(keywords, float)
    shares = _sums(counts, regions) / max(counts.sum(), 1)
    position: Floats = (ratio >= shares).astype(float)
    return position


def _sums(values: Floats, regions: Ints) -> Floats:
    """For each block the sum over all blocks of its region (equation 7, with α = 1)."""
    _, places = np.unique(regions, return_inverse=True)
    sums: Floats = np.bincount(places, values, minlength=1).astype(float)
    return sums[places] if len(values) else values
