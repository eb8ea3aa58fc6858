"""Probabilities → labels."""

from dataclasses import dataclass
from typing import Literal

Method = Literal["viterbi", "expected-f1"]


@dataclass(frozen=True)
class Decoding:
    """How labels are chosen; `bias` over 0 keeps more, under 0 keeps less."""

    method: Method = "expected-f1"
    bias: float = 0.0
    prior_words: float = 100.0
    least_probability: float = 0.15
