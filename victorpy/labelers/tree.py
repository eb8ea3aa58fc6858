"""The decision trees printed in a paper, and a second look at the blocks that they keep.

Kohlschütter, Fankhauser, Nejdl: Boilerplate detection using shallow text features (2010), algorithms 1 and 2.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from victorpy.errors import OptionError
from victorpy.features.shallow import NAMES, shallow
from victorpy.foundation.bounds import AT_LEAST_0, check_bounds
from victorpy.labelers import Labeling, Untrained
from victorpy.labelers.importance import Importance
from victorpy.labelers.markup_kinds import labels_of
from victorpy.page.blocks import Page
from victorpy.page.elements import Flags, Floats

_MOST_LINKS = 1 / 3
_MOST_LINKS_BEFORE = 5 / 9

_NOT_NEGATIVE = dict.fromkeys(
    ("most_similar", "least_importance", "title_weight", "keyword_weight", "share_weight"), AT_LEAST_0
)


@dataclass(frozen=True)
class Tree(Untrained):
    """Keeps the blocks that the paper's tree keeps, by the words or the text density of a block and its neighbours.

    The second look drops blocks that repeat an earlier block: the cosine similarity of their words is `most-similar` or
    more (above 1: none is dropped). It also drops blocks whose importance is less than `least-importance`.
    """

    by: Literal["words", "density"] = "words"
    most_similar: float = 2.0
    least_importance: float = 0.0
    title_weight: float = 1.0
    keyword_weight: float = 1.0
    share_weight: float = 1.0

    def __post_init__(self) -> None:
        if self.by not in _TREES:
            raise OptionError(f"expected one of {', '.join(_TREES)}, got '{self.by}'", "by")
        check_bounds(self, _NOT_NEGATIVE)

    def labeling(self, page: Page) -> Labeling:
        if not len(page):
            return Labeling([], probabilities=[])
        keeps = kept(page, self.by)
        second = Importance(
            self.most_similar, self.least_importance, self.title_weight, self.keyword_weight, self.share_weight
        )
        return Labeling(labels_of(page, second.kept(page, keeps)))


def kept(page: Page, by: Literal["words", "density"]) -> Flags:
    figures = dict(zip(NAMES, shallow(page), strict=True))
    links = figures["shallow.link-density"]
    is_text = _TREES[by](figures[_FIGURES[by]], _before(links) > _MOST_LINKS_BEFORE)
    keeps: Flags = (links <= _MOST_LINKS) & is_text
    return keeps


def _by_words(words: Floats, follows_links: Flags) -> Flags:
    before, after = _before(words), _after(words)
    after_text = (words > 16) | (after > 15) | (before > 4)
    after_links = (words > 40) | (after > 17)
    return np.where(follows_links, after_links, after_text)


def _by_density(density: Floats, follows_links: Flags) -> Flags:
    before, after = _before(density), _after(density)
    after_text = np.where(density > 9, after > 0, (after > 10) | (before > 4))
    return np.where(follows_links, after > 11, after_text)


_TREES: Mapping[str, Callable[[Floats, Flags], Flags]] = {"words": _by_words, "density": _by_density}
_FIGURES = {"words": "shallow.words", "density": "shallow.text-density"}


def _before(values: Floats) -> Floats:
    """The value of the block before each block; 0 before the first."""
    return np.concatenate((np.zeros(1, values.dtype), values[:-1]))


def _after(values: Floats) -> Floats:
    return np.concatenate((values[1:], np.zeros(1, values.dtype)))
