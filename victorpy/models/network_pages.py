"""Pages as networks are trained on them."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from victorpy.models.network import NO_WORDS, Matrix, Words
from victorpy.page.blocks import LABELS, Label
from victorpy.page.elements import Ints

UNLABELED = -1

# In the loss, a block of content or noise counts by its length to this power.
LENGTH_POWER = 0.6


class NetworkPage(NamedTuple):
    """Figures (feature × block), label numbers, block lengths, and words of a page; `weight` is that of the page,
    `kinds_weight` that of the labels of its content blocks, and `scopes` those that its labels are right for. `fields`
    has 1 for the blocks that are a field, 0 for others, and `UNLABELED` where that is not known. `suits` is
    the scope that suits the page best where none is asked for, if that is known."""

    figures: Matrix
    labels: NDArray[np.int8]
    lengths: Ints
    weight: float = 1.0
    kinds_weight: float = 1.0
    words: Words = NO_WORDS
    scopes: tuple[str, ...] = ()
    fields: Mapping[str, NDArray[np.int8]] = {}
    suits: str = ""


def label_numbers(labels: Sequence[Label | None]) -> NDArray[np.int8]:
    return np.array([UNLABELED if label is None else LABELS.index(label) for label in labels], np.int8)


def field_marks(are: Sequence[bool | None]) -> NDArray[np.int8]:
    return np.array([UNLABELED if one is None else one for one in are], np.int8)
