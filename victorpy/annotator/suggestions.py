"""The labels that a model suggests for the blocks of a page."""

import numpy as np

from victorpy.annotator.session import Suggestion
from victorpy.models.model_folder import Model
from victorpy.page.blocks import Page


def suggestions(model: Model, page: Page) -> tuple[Suggestion, ...]:
    """The labels of the model's own decoding, each with its marginal probability."""
    labels = model.labeling(page).detailed_labels
    places = [model.labels.index(label) for label in labels]
    chances = model.detailed_marginals(page)[np.arange(len(labels)), places]
    return tuple(map(Suggestion, labels, chances.tolist()))
