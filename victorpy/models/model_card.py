"""The model card: everything that `model.yaml` says of a model."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from victorpy.models.config import Config
from victorpy.page.segment import SEGMENTER_VERSION

# Increases whenever an older victorpy would misread the folder.
MODEL_FORMAT = 3


@dataclass(frozen=True)
class Share:
    """The number of blocks with a label, and their percentage."""

    blocks: int
    percent: float


@dataclass(frozen=True)
class TrainingData:
    """The pages that a model was trained on."""

    pages: int
    blocks: int
    digest: str
    labels: Mapping[str, Share]
    source: str = ""
    licence: str = ""


@dataclass(frozen=True)
class Origin:
    """The model that another was adapted from, and its training data.

    `regularization` is the strength of the penalty on changed weights. `interpolation` is the step from the old weights
    to the fitted ones, 1 being the whole step.
    """

    model: str
    digest: str
    regularization: float
    data: TrainingData
    interpolation: float = 1.0

    OLD_NAMES: ClassVar[Mapping[str, str]] = {"pull": "regularization", "way": "interpolation"}


@dataclass(frozen=True, kw_only=True)
class Card:
    """`model.yaml`: origin, quality, and all that is needed to use the model or to train it again."""

    victorpy_model: int = MODEL_FORMAT
    summary: str = ""
    data: TrainingData
    adapted_from: tuple[Origin, ...] = ()
    scores: Mapping[str, float] = field(default_factory=dict)
    segmenter: int = SEGMENTER_VERSION
    made_by: Mapping[str, str] = field(default_factory=dict)
    weights: str = ""
    config: Config
    templates: str
