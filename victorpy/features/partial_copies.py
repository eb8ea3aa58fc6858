"""How much of a block other blocks of the page hold: quotes of parts, short of equality.

The wish of the original's chapter 4.2, "to be able to also detect quotes of parts of the original text".
"""

from collections import Counter, defaultdict
from collections.abc import Sequence

import numpy as np

from victorpy.features.feature_rows import Table
from victorpy.foundation.words import RUNNING_WORD
from victorpy.page.blocks import Page, once_per_page

NAMES = ("similar.earlier", "similar.later")

# Runs of so many words are compared. Shorter runs are shared by chance.
_RUN = 3
# A run on more blocks says nothing of where it comes from, and would take the square of their number.
_MOST_HOLDERS = 20

_Runs = list[set[tuple[str, ...]]]


@once_per_page
def similarities(page: Page) -> Table:
    """For each block, the largest share of its runs of three words that one earlier, or one later, block holds."""
    runs = [_runs(RUNNING_WORD.findall(text.lower())) for text in page.texts]
    earlier = _shares_of_earlier(runs)
    later = _shares_of_earlier(runs[::-1])[::-1]
    return np.array([earlier, later], np.float32).reshape(2, -1)


def _runs(words: Sequence[str]) -> set[tuple[str, ...]]:
    return {tuple(words[place : place + _RUN]) for place in range(len(words) - _RUN + 1)}


def _shares_of_earlier(runs: _Runs) -> list[float]:
    holders = defaultdict[tuple[str, ...], list[int]](list)
    shares = []
    for number, own in enumerate(runs):
        held = Counter(other for run in own for other in holders.get(run, ()))
        shares.append(max(held.values(), default=0) / max(len(own), 1))
        for run in own:
            if len(holders[run]) < _MOST_HOLDERS:
                holders[run].append(number)
    return shares
