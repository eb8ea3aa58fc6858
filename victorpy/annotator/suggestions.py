"""What a model suggests for the blocks of a page."""

import numpy as np

from victorpy.annotator.session import Suggestion
from victorpy.blocks import LABELS, Page
from victorpy.models import Model

_NUMBERS = {label: number for number, label in enumerate(LABELS)}


def suggestions(model: Model, page: Page) -> tuple[Suggestion, ...]:
    """The labels that the model's own decoding gives, each with its marginal probability."""
    labels = model.label(page)
    chances = model.marginals(page)[np.arange(len(labels)), [_NUMBERS[label] for label in labels]]
    return tuple(map(Suggestion, labels, chances.tolist()))
