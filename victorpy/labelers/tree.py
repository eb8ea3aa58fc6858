"""The decision trees printed in a paper, and a second look at the blocks that they keep.

Kohlschütter, Fankhauser, Nejdl: Boilerplate detection using shallow text features (2010), algorithms 1 and 2.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from victorpy.features.shallow import NAMES, shallow
from victorpy.foundation.bounds import AT_LEAST_0, FROM_0_TO_1, check_bounds, check_choice
from victorpy.labelers import Labeling, Untrained
from victorpy.labelers.importance import Importance
from victorpy.labelers.markup_kinds import labels_of
from victorpy.page.blocks import Page
from victorpy.page.elements import Flags, Floats

_NOT_NEGATIVE = dict.fromkeys(
    ("most_similar", "least_importance", "title_weight", "keyword_weight", "share_weight"), AT_LEAST_0
)


class Borders(NamedTuple):
    """The borders of the tree by density, as Boilerpipe's paper prints them."""

    links: float = 1 / 3
    links_before: float = 5 / 9
    density: float = 9
    after: float = 10
    before: float = 4
    after_links: float = 11


PRINTED = Borders()


@dataclass(frozen=True)
class Tree(Untrained):
    """Keeps the blocks that the paper's tree keeps, by the words or the text density of a block and its neighbours.

    The second look drops blocks that repeat an earlier block: the cosine similarity of their words is `most-similar` or
    more (above 1: none is dropped). It also drops blocks whose importance is less than `least-importance`.
    `link-density` and `link-density-before` are the largest link densities of a block and of the block before it.
    """

    by: Literal["words", "density"] = "words"
    link_density: float = PRINTED.links
    link_density_before: float = PRINTED.links_before
    most_similar: float = 2.0
    least_importance: float = 0.0
    title_weight: float = 1.0
    keyword_weight: float = 1.0
    share_weight: float = 1.0

    def __post_init__(self) -> None:
        check_choice(self.by, _TREES, "by")
        check_bounds(self, _NOT_NEGATIVE)
        check_bounds(self, {"link_density": FROM_0_TO_1, "link_density_before": FROM_0_TO_1})

    def labeling(self, page: Page) -> Labeling:
        if not len(page):
            return Labeling([], probabilities=[])
        keeps = kept(page, self.by, Borders(self.link_density, self.link_density_before))
        second = Importance(
            self.most_similar, self.least_importance, self.title_weight, self.keyword_weight, self.share_weight
        )
        return Labeling(labels_of(page, second.kept(page, keeps)))


def kept(page: Page, by: Literal["words", "density"], borders: Borders = PRINTED) -> Flags:
    figures = dict(zip(NAMES, shallow(page), strict=True))
    links = figures["shallow.link-density"]
    is_text = _TREES[by](figures[_FIGURES[by]], _before(links) > borders.links_before, borders)
    keeps: Flags = (links <= borders.links) & is_text
    return keeps


def kept_by_density(page: Page, borders: Borders) -> Flags:
    return kept(page, "density", borders)


def _by_words(words: Floats, follows_links: Flags, _: Borders) -> Flags:
    before, after = _before(words), _after(words)
    after_text = (words > 16) | (after > 15) | (before > 4)
    after_links = (words > 40) | (after > 17)
    return np.where(follows_links, after_links, after_text)


def _by_density(density: Floats, follows_links: Flags, borders: Borders) -> Flags:
    before, after = _before(density), _after(density)
    if_sparse = (after > borders.after) | (before > borders.before)
    after_text = np.where(density > borders.density, after > 0, if_sparse)
    return np.where(follows_links, after > borders.after_links, after_text)


_TREES: Mapping[str, Callable[[Floats, Flags, Borders], Flags]] = {"words": _by_words, "density": _by_density}
_FIGURES = {"words": "shallow.words", "density": "shallow.text-density"}


def _before(values: Floats) -> Floats:
    """The value of the block before each block; 0 before the first."""
    return np.concatenate((np.zeros(1, values.dtype), values[:-1]))


def _after(values: Floats) -> Floats:
    return np.concatenate((values[1:], np.zeros(1, values.dtype)))
