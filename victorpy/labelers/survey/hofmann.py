"""The methods of Hofmann and Weerkamp: lengths of lines, a decision tree, and a language model of the titles.

K. Hofmann, W. Weerkamp, Web corpus cleaning using content and structure, 2007.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from victorpy.errors import OptionError, VictorError
from victorpy.features.characters import COUNTED, DIGIT, LETTER, counts
from victorpy.features.link_text import linked_characters
from victorpy.features.tokens import words
from victorpy.foundation.bounds import check_choice
from victorpy.labelers import Labeling, Untrained
from victorpy.labelers.markup_kinds import labels_of
from victorpy.labelers.survey import Setting, check_setting
from victorpy.labelers.survey.block_features import ALL_FEATURES, block_features
from victorpy.labelers.survey.learned_models import LearnedPages, learned_model
from victorpy.labelers.survey.title_likelihood import title_likelihoods
from victorpy.page.blocks import Label, Page
from victorpy.page.elements import Flags, Floats, Ints

By = Literal["lines", "tree", "titles"]

KINDS = (Label.HEADER, Label.LIST, Label.PARAGRAPH, Label.OTHER)

# "More than 10 words, and an average length of word above 3"; shorter lines than 3 characters are left out.
_MOST_WORDS_OF_HEADLINE, _LONGEST_AVERAGE_OF_HEADLINE, _SHORTEST_LINE = 10, 3, 3
_MOST_LINKED = 0.3
# A text without words of the titles has a likelihood of ln(1/2) for each.
_LEAST_LIKELIHOOD = -0.6
_LEAF = -1


@dataclass(frozen=True, kw_only=True)
class BlockTreeModel:
    """`labeler-models/hofmann.yaml`: a decision tree over the features of blocks.

    A row of `nodes` is: the place of a feature (-1 in a leaf), the border up to which a value goes to the first of the
    next two nodes, these nodes, and the shares of h, l, p and noise.
    """

    labeler: str = "hofmann"
    summary: str = ""
    data: LearnedPages
    features: tuple[str, ...]
    nodes: tuple[tuple[float, ...], ...]

    def shares(self, page: Page) -> Floats:
        """The shares of h, l, p and noise for each block: block × kind."""
        table = np.array(self.nodes)
        inputs = block_features(page)[:, [ALL_FEATURES.index(name) for name in self.features]]
        nodes, inner = np.zeros(len(page), np.intp), np.arange(len(page))
        while len(inner := inner[table[nodes[inner], 0] != _LEAF]):
            column, border, low, high = table[nodes[inner], :4].T
            is_above = inputs[inner, column.astype(np.intp)] > border
            nodes[inner] = np.where(is_above, high, low).astype(np.intp)
        shares: Floats = table[nodes, 4:]
        return shares


def problem_of_tree(model: BlockTreeModel) -> str:
    if model.labeler != "hofmann":
        return f"it is one of '{model.labeler}'"
    unknown = sorted({*model.features} - {*ALL_FEATURES})
    if unknown:
        return f"no feature '{unknown[0]}'"
    if not model.nodes or any(len(row) != 4 + len(KINDS) for row in model.nodes):
        return f"expected {4 + len(KINDS)} numbers in each row of nodes"
    return "" if all(_leads_on(model, place, row) for place, row in enumerate(model.nodes)) else "a node leads nowhere"


def _leads_on(model: BlockTreeModel, place: int, row: tuple[float, ...]) -> bool:
    """Is it a leaf, or does it name a feature and two later nodes?"""
    column, _, *following = row[:4]
    inside = all(place < node < len(model.nodes) and node == int(node) for node in following)
    return column == _LEAF or (column in range(len(model.features)) and inside)


@dataclass(frozen=True)
class Hofmann(Untrained):
    """Keeps blocks by the lengths of `lines`, by a decision `tree`, or by the words of the `titles`.

    `model` is the name or the file of a tree; without one, it is that of the setting: `hofmann` is the best, and
    `hofmann-letter` is by the letter.
    """

    by: By = "lines"
    setting: Setting = "best"
    model: str = ""

    def __post_init__(self) -> None:
        check_setting(self.setting)
        check_choice(self.by, get_args(By), "by")
        try:
            self.learned()
        except VictorError as error:
            raise OptionError(str(error), "model") from None

    def learned(self) -> BlockTreeModel:
        name = self.model or ("hofmann" if self.setting == "best" else "hofmann-letter")
        return learned_model(BlockTreeModel, name, problem_of_tree)

    def labeling(self, page: Page) -> Labeling:
        return _METHODS[self.by](self, page) if len(page) else Labeling([])


def _by_tree(options: Hofmann, page: Page) -> Labeling:
    """The likeliest of four kinds. As is best, a block is kept if all that is content is likelier than noise."""
    shares = options.learned().shares(page)
    kinds: Ints = shares[:, :-1].argmax(axis=1)
    is_noise = shares[:, -1] > (0.5 if options.setting == "best" else shares[:, :-1].max(axis=1))
    found = np.where(is_noise, len(KINDS) - 1, kinds)
    return Labeling([KINDS[kind] for kind in found.tolist()], probabilities=(1 - shares[:, -1]).tolist())


def _by_lines(options: Hofmann, page: Page) -> Labeling:
    """Long lines are paragraphs, all others headlines; as is best, only those without links before a paragraph."""
    paragraphs, linked = are_paragraphs(page), linked_characters(page)
    headlines = ~paragraphs & (page.lengths >= _SHORTEST_LINE)
    if options.setting == "best":
        paragraphs &= linked <= _MOST_LINKED * page.lengths
        headlines &= np.append(paragraphs[1:], False) & (linked == 0)
    pairs = zip(paragraphs.tolist(), headlines.tolist(), strict=True)
    return Labeling([_LINE_KINDS[pair] for pair in pairs])


_LINE_KINDS = {
    (True, False): Label.PARAGRAPH,
    (False, True): Label.HEADER,
    (False, False): Label.OTHER,
}


def are_paragraphs(page: Page) -> Flags:
    """Lines of more than 10 words with an average length above 3. In scripts without spaces, each letter is a word."""
    count = words(page)
    letters = counts(page)[[COUNTED.index(LETTER), COUNTED.index(DIGIT)]].sum(axis=0)
    is_unspaced = letters <= 1.2 * count
    is_long = (letters > _LONGEST_AVERAGE_OF_HEADLINE * count) | is_unspaced
    are: Flags = (count > _MOST_WORDS_OF_HEADLINE) & is_long
    return are


def _by_titles(options: Hofmann, page: Page) -> Labeling:
    found = title_likelihoods(page, in_groups=options.setting == "best")
    if found is None:
        return Labeling(labels_of(page, np.ones(len(page), np.bool_)), reason="no title or heading: all text is kept")
    return Labeling(labels_of(page, found >= _LEAST_LIKELIHOOD))


_METHODS: Mapping[By, Callable[[Hofmann, Page], Labeling]] = {
    "tree": _by_tree,
    "lines": _by_lines,
    "titles": _by_titles,
}
