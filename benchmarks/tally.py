"""The line with which a script of `trust.py` says what it tried, and how much of it failed."""

import re
import sys
from typing import NamedTuple, TextIO

_LINE = re.compile(r"^(.+): ([\d,]+) tried, ([\d,]+) failed$", re.MULTILINE)


class Row(NamedTuple):
    what: str
    tried: int
    failed: int


def tally(what: str, tried: int, failed: int, file: TextIO | None = None) -> None:
    print(f"{what}: {tried:,} tried, {failed:,} failed", file=file or sys.stdout, flush=True)


def rows(said: str) -> list[Row]:
    """All such lines among what a script has said."""
    return [Row(what, *(int(count.replace(",", "")) for count in counts)) for what, *counts in _LINE.findall(said)]
