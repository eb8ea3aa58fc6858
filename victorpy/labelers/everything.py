"""The labeler that drops nothing: the baseline that every other labeler has to beat."""

from dataclasses import dataclass

import numpy as np

from victorpy.labelers import Labeling, Untrained
from victorpy.labelers.markup_kinds import labels_of
from victorpy.page.blocks import Page


@dataclass(frozen=True)
class Everything(Untrained):
    """Keeps every block."""

    def labeling(self, page: Page) -> Labeling:
        return Labeling(labels_of(page, np.ones(len(page), np.bool_)))
