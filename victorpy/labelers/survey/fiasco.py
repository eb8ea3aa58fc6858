"""FIASCO: a support vector machine judges the target nodes of the tree.

D. Bauer and others, FIASCO: filtering the internet by automatic subtree classification, 2007.
"""

from dataclasses import dataclass

import numpy as np

from victorpy.errors import OptionError, VictorError
from victorpy.labelers import Labeling, Untrained
from victorpy.labelers.markup_kinds import labels_of
from victorpy.labelers.survey.learned_models import LearnedPages, learned_model
from victorpy.labelers.survey.target_nodes import FEATURES, node_features, target_nodes
from victorpy.page.blocks import Page
from victorpy.page.elements import Floats


@dataclass(frozen=True, kw_only=True)
class TargetNodeModel:
    """`labeler-models/fiasco.yaml`: the keywords of dirty nodes, and a linear support vector machine.

    A node has the features of itself, and of as many `neighbours` before it and after it. A feature counts by its
    weight for each `scale` that it is above its mean.
    """

    labeler: str = "fiasco"
    summary: str = ""
    data: LearnedPages
    neighbours: int
    keywords: tuple[str, ...]
    means: tuple[float, ...]
    scales: tuple[float, ...]
    weights: tuple[float, ...]
    bias: float

    def margins(self, page: Page) -> Floats:
        """How far each node of the page is on the clean side."""
        inputs = with_neighbours(node_features(page, frozenset(self.keywords)), self.neighbours)
        scaled = (inputs - np.array(self.means)) / np.array(self.scales)
        # Added up in their order on every machine.
        margins: Floats = (scaled * np.array(self.weights)).sum(axis=1) + self.bias
        return margins


def problem_of(model: TargetNodeModel) -> str:
    expected = len(FEATURES) * (2 * model.neighbours + 1)
    if model.labeler != "fiasco":
        return f"it is one of '{model.labeler}'"
    if any(len(values) != expected for values in (model.means, model.scales, model.weights)):
        return f"expected {expected} means, scales and weights"
    return "" if all(scale > 0 for scale in model.scales) else "expected scales above 0"


@dataclass(frozen=True)
class Fiasco(Untrained):
    """Keeps the text of target nodes that its support vector machine finds clean by at least `least-margin`.

    `model` is the name or the file of what it has learned: `fiasco` is the best, `fiasco-letter` is by the letter.
    """

    model: str = "fiasco"
    least_margin: float = 0.0

    def __post_init__(self) -> None:
        try:
            self.learned()
        except VictorError as error:
            raise OptionError(str(error), "model") from None

    def learned(self) -> TargetNodeModel:
        return learned_model(TargetNodeModel, self.model, problem_of)

    def labeling(self, page: Page) -> Labeling:
        if not len(page):
            return Labeling([])
        is_clean = self.learned().margins(page) >= self.least_margin
        return Labeling(labels_of(page, is_clean[target_nodes(page).of_block]))


def with_neighbours(features: Floats, neighbours: int) -> Floats:
    """The features of each node, then those of the nodes around it; outside of the page, they are 0."""
    count, width = features.shape
    padded = np.zeros((count + 2 * neighbours, width))
    padded[neighbours : neighbours + count] = features
    shifts = sorted(range(-neighbours, neighbours + 1), key=abs)
    return np.concatenate([padded[neighbours + shift : neighbours + shift + count] for shift in shifts], axis=1)
