"""Probabilities → labels.

Which blocks to keep is the set with the best expected F1 of the page: with p the probability that a block is content
and w its weight, the set that maximises 2·Σkept p·w / (Σkept w + Σall p·w). Sorted by p, that set is a prefix
(Lewis 1995; Nan Ye et al. 2012). The core finds it.
"""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from victorpy import _core
from victorpy.errors import MisfitError
from victorpy.page.blocks import LABELS, Label, Page

LARGEST_BIAS = 100.0


@dataclass(frozen=True)
class Decoding:
    """How labels are chosen; `bias` over 0 keeps more, under 0 keeps less.

    The method `threshold` keeps every block whose probability is at least that.
    `prior-characters` are added to what a page is expected to hold, and nothing is kept whose mean probability is under
    `least-probability`: both spare pages without content. What the page has said before is kept again only where both
    copies have at least `repeat-probability`; 0 keeps all. The three are for `expected-f1`.
    """

    method: Literal["viterbi", "likeliest", "expected-f1", "threshold"] = "expected-f1"
    bias: float = 0.0
    prior_characters: float = 500.0
    least_probability: float = 0.15
    threshold: float = 0.5
    repeat_probability: float = 0.0

    def __post_init__(self) -> None:
        if not -LARGEST_BIAS <= self.bias <= LARGEST_BIAS:
            raise MisfitError(f"from {-LARGEST_BIAS:g} to {LARGEST_BIAS:g} is wanted, not {self.bias:g}", "bias")
        if self.prior_characters < 0:
            raise MisfitError(f"0 or more is wanted, not {self.prior_characters:g}", "prior-characters")
        if not 0 <= self.least_probability <= 1:
            raise MisfitError(f"from 0 to 1 is wanted, not {self.least_probability:g}", "least-probability")
        if not 0 <= self.threshold <= 1:
            raise MisfitError(f"from 0 to 1 is wanted, not {self.threshold:g}", "threshold")
        if not 0 <= self.repeat_probability <= 1:
            raise MisfitError(f"from 0 to 1 is wanted, not {self.repeat_probability:g}", "repeat-probability")

    def __getstate__(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__dataclass_fields__}

    @cached_property
    def core(self) -> _core.Decoding:
        """The same for the core, which knows of no sequences."""
        return _core.Decoding(
            "likeliest" if self.method == "viterbi" else self.method,
            bias=self.bias,
            prior_characters=self.prior_characters,
            least_probability=self.least_probability,
            threshold=self.threshold,
            repeat_probability=self.repeat_probability,
        )


def decoded(page: Page, marginals: bytes, decoding: Decoding) -> tuple[list[Label], Sequence[float]]:
    """The labels of a page, and the probability of each block that it is content, from those of the five labels."""
    return read(decoding.core.labels(page.core, marginals))


def read(found: tuple[bytes, bytes]) -> tuple[list[Label], Sequence[float]]:
    """Labels and probabilities as the core gives them."""
    labels, probabilities = found
    return [LABELS[label] for label in labels], array("d", probabilities).tolist()
