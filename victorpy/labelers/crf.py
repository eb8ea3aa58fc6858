"""The CRF: learned by CRFsuite, labeling by compiled tables."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Learning:
    """CRFsuite's training options, by its own names."""

    algorithm: Literal["lbfgs", "l2sgd", "ap", "pa", "arow"] = "lbfgs"
    c1: float = 0.0
    c2: float = 1.0
    max_iterations: int = 200
    min_freq: float = 0.0
