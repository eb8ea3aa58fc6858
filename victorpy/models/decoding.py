"""Probabilities → labels.

Which blocks to keep is the set with the best expected F1 of the page: with p the probability that a block is content
and w its weight, the set that maximises 2·Σkept p·w / (Σkept w + Σall p·w). Sorted by p, that set is a prefix
(Lewis 1995; Nan Ye et al. 2012). The core finds it.
"""

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal

from victorpy import _core
from victorpy.foundation.bounds import AT_LEAST_0, FROM_0_TO_1, Range, check_bounds
from victorpy.models.scopes import AUTO, Scope
from victorpy.page.blocks import LABELS, Label, Page
from victorpy.page.calibration import NO_CALIBRATION, Calibration

LARGEST_BIAS = 100.0

_BOUNDS = {
    "bias": Range(-LARGEST_BIAS, LARGEST_BIAS),
    "prior_characters": AT_LEAST_0,
    "min_probability": FROM_0_TO_1,
    "threshold": FROM_0_TO_1,
    "repeat_probability": FROM_0_TO_1,
    "auto_temperature": Range(0.1, 10),
    "confidence_scale": Range(0.01, 100),
    "confidence_shift": Range(-100, 100),
}


@dataclass(frozen=True)
class Decoding:
    """The choice of labels. A `bias` above 0 keeps more, below 0 keeps less. Under the scope `auto`, the log odds of
    content are divided by `auto-temperature`: above 1, the model counts as less sure than it says. It does not affect
    `viterbi` and `likeliest`.

    The method `threshold` keeps every block with at least that probability. The other options are for `expected-f1`:
    `prior-characters` are added to the expected length of the content, and a page is dropped if the mean probability of
    its kept blocks is under `min-probability`. A repeated text is kept only if both copies have at least
    `repeat-probability`; 0 keeps all. `scope` is the content that is asked for, an input of the model's network.
    The log odds of the expected F1 of a page, times `confidence-scale` and plus `confidence-shift`, are those of the
    confidence in it, unless a temperature has made the probabilities less sure.
    """

    method: Literal["viterbi", "likeliest", "expected-f1", "threshold"] = "expected-f1"
    bias: float = 0.0
    prior_characters: float = 500.0
    min_probability: float = 0.15
    threshold: float = 0.5
    repeat_probability: float = 0.0
    scope: Scope = AUTO
    auto_temperature: float = 1.0
    confidence_scale: float = 1.0
    confidence_shift: float = 0.0

    OLD_NAMES: ClassVar[Mapping[str, str]] = {"least-probability": "min-probability"}

    def __post_init__(self) -> None:
        check_bounds(self, _BOUNDS)

    @property
    def calibration(self) -> Calibration:
        return NO_CALIBRATION if self._temperature != 1 else Calibration(self.confidence_scale, self.confidence_shift)

    @property
    def _temperature(self) -> float:
        return self.auto_temperature if self.scope == AUTO else 1.0

    def __getstate__(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__dataclass_fields__}

    @cached_property
    def core(self) -> _core.Decoding:
        """The same options for the core, which does not decode sequences."""
        return _core.Decoding(
            "likeliest" if self.method == "viterbi" else self.method,
            bias=self.bias,
            temperature=self._temperature,
            prior_characters=self.prior_characters,
            least_probability=self.min_probability,
            threshold=self.threshold,
            repeat_probability=self.repeat_probability,
        )


def decoded(page: Page, marginals: bytes, decoding: Decoding) -> tuple[list[Label], Sequence[float]]:
    """The labels of a page and each block's probability of content, from the probabilities of the five labels."""
    return read(*decoding.core.labels(page.core, marginals))


def read(labels: bytes, probabilities: bytes) -> tuple[list[Label], Sequence[float]]:
    """Labels and probabilities from the bytes that the core returns."""
    return [LABELS[label] for label in labels], array("d", probabilities).tolist()
