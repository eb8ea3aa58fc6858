"""Ranges of numeric options, checked by one table for each dataclass; and choices.

    _BOUNDS = {"share": FROM_0_TO_1, "layers": Range(1, 8), "rate": Range(above=0, most=1), "seed": AT_LEAST_0}

    def __post_init__(self) -> None:
        check_bounds(self, _BOUNDS)

The names are those of the fields. A field that is None is not checked.
"""

from collections.abc import Iterable, Mapping
from math import inf
from typing import NamedTuple

from victorpy.errors import OptionError


class Range(NamedTuple):
    """The numbers from `least` to `most`; `above` and `below` exclude the limit itself."""

    least: float = -inf
    most: float = inf
    above: float = -inf
    below: float = inf

    def __str__(self) -> str:
        if self.least > -inf and self.most < inf:
            return f"a number from {_plain(self.least)} to {_plain(self.most)}"
        limits = {
            "at least": self.least,
            "more than": self.above,
            "at most": self.most,
            "less than": self.below,
        }
        return " and ".join(f"{word} {_plain(limit)}" for word, limit in limits.items() if abs(limit) < inf)

    def includes(self, number: float) -> bool:
        is_inside = self.least <= number <= self.most
        return is_inside and (number > self.above or self.above == -inf) and (number < self.below or self.below == inf)

    def problem(self, number: float) -> str | None:
        """The error message for a number outside the range."""
        return None if self.includes(number) else f"expected {self}, got {_plain(number)}"


FROM_0_TO_1 = Range(0, 1)
AT_LEAST_0 = Range(0)
AT_LEAST_1 = Range(1)
MORE_THAN_0 = Range(above=0)


def check_bounds(options: object, bounds: Mapping[str, Range]) -> None:
    """Raise an OptionError for the first field that is out of its range."""
    for name, allowed in bounds.items():
        number = getattr(options, name)
        if number is not None and (problem := allowed.problem(number)):
            raise OptionError(problem, name.replace("_", "-"))


def check_choice(value: str, known: Iterable[str], name: str) -> None:
    """Raise an OptionError for the option of this name if its value is none of the known ones."""
    choices = list(known)
    if value not in choices:
        raise OptionError(f"expected one of {', '.join(choices)}, got '{value}'", name)


def _plain(number: float) -> str:
    return str(number) if isinstance(number, int) else f"{number:g}"
