"""GenieKnows: the semantic blocks of a page whose relevance, a weighted mean of features, is high.

W. Gao, T. Abou-Assaleh, GenieKnows web page cleaning system, 2007.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from victorpy.errors import OptionError
from victorpy.features.link_text import linked_characters
from victorpy.features.sentence_figures import sentences
from victorpy.foundation.bounds import FROM_0_TO_1, check_bounds
from victorpy.labelers import Labeling, Untrained
from victorpy.labelers.markup_kinds import labels_of
from victorpy.labelers.survey import Setting, check_setting
from victorpy.labelers.survey.tag_groups import links
from victorpy.page.blocks import Label, Page
from victorpy.page.elements import Floats, Ints
from victorpy.page.passages import enclosing

FEATURES = ("position", "font-size", "length", "sentences", "links")

# Elements that lay out a page, and end a semantic block.
_LAYOUT = (
    *("article", "aside", "blockquote", "body", "center", "div", "dl", "fieldset", "footer", "form", "header", "main"),
    *("menu", "nav", "ol", "section", "table", "td", "th", "ul"),
)


class _Usual(NamedTuple):
    """What the options are if they are not given."""

    weights: tuple[float, ...]
    neighbours: float
    least_relevance: float


_USUAL: Mapping[Setting, _Usual] = {
    "letter": _Usual((1.0, 1.0, 1.0, 1.0, 1.0), 0.3, 0.4),
    "best": _Usual((1.0, 1.0, 2.0, 2.0, 4.0), 0.2, 0.55),
}


@dataclass(frozen=True)
class GenieKnows(Untrained):
    """Keeps semantic blocks with a relevance of `least-relevance` or more.

    The relevance is the mean of five features with these `weights`: nearness to the middle of the page, text in
    headings for the size of the font, length, sentences, and fewness of links. The share `neighbours` of it is that of
    the blocks before and after. As is `best`, lengths and sentences count by their square roots and links by the text
    in them. By the `letter`, cells of tables are list items. Options that are not given are those of the setting.
    """

    setting: Setting = "best"
    weights: tuple[float, ...] = ()
    neighbours: float | None = None
    least_relevance: float | None = None

    def __post_init__(self) -> None:
        check_setting(self.setting)
        check_bounds(self, {"neighbours": FROM_0_TO_1, "least_relevance": FROM_0_TO_1})
        if self.weights and len(self.weights) != len(FEATURES):
            raise OptionError(
                f"expected {len(FEATURES)} weights ({', '.join(FEATURES)}), got {len(self.weights)}", "weights"
            )
        if any(weight < 0 for weight in self.weights) or (self.weights and not any(self.weights)):
            raise OptionError("expected at least 0 for each, and more than 0 for one", "weights")

    def labeling(self, page: Page) -> Labeling:
        if not len(page):
            return Labeling([])
        usual, blocks = _USUAL[self.setting], semantic_blocks(page)
        least = usual.least_relevance if self.least_relevance is None else self.least_relevance
        labels = labels_of(page, (self.relevance(page) >= least)[blocks])
        return Labeling(_with_cells(page, labels) if self.setting == "letter" else labels)

    def relevance(self, page: Page) -> Floats:
        """The relevance of each semantic block, from 0 to 1."""
        usual = _USUAL[self.setting]
        weights = np.array(self.weights or usual.weights)
        own: Floats = (_features(page, self.setting) * weights[:, None]).sum(axis=0) / weights.sum()
        share = usual.neighbours if self.neighbours is None else self.neighbours
        around = (np.append(0.0, own[:-1]) + np.append(own[1:], 0.0)) / 2
        relevance: Floats = (1 - share) * own + share * around
        return relevance


def semantic_blocks(page: Page) -> Ints:
    """The number of the semantic block of each text block: text blocks in a row within one element of layout."""
    around = enclosing(page, *_LAYOUT)
    blocks: Ints = np.cumsum(np.append(False, around[1:] != around[:-1]))
    return blocks


def _features(page: Page, setting: Setting) -> Floats:
    """The features, each from 0 to 1, of each semantic block: feature × block."""
    blocks = semantic_blocks(page)
    lengths, of_headings, ends, counts, linked = (
        np.bincount(blocks, column).astype(float)
        for column in (
            page.lengths,
            page.lengths * (enclosing(page, *page.markup.class_header) >= 0),
            sentences(page),
            links(page),
            linked_characters(page),
        )
    )
    middles = (np.cumsum(lengths) - lengths / 2) / lengths.sum()
    # Most pages have one long block, beside which all others have a length near 0.
    power = 1.0 if setting == "letter" else 0.5
    link_share = _relative(counts) if setting == "letter" else linked / lengths
    position, sizes = 1 - abs(2 * middles - 1), of_headings / lengths
    return np.array([position, sizes, _relative(lengths) ** power, _relative(ends) ** power, 1 - link_share])


def _relative(values: Floats) -> Floats:
    shares: Floats = values / max(float(values.max()), 1.0)
    return shares


def _with_cells(page: Page, labels: list[Label]) -> list[Label]:
    """Paragraphs in cells of tables are list items."""
    in_cell = (enclosing(page, "td", "th") >= 0).tolist()
    return [
        Label.LIST if is_cell and label is Label.PARAGRAPH else label
        for label, is_cell in zip(labels, in_cell, strict=True)
    ]
