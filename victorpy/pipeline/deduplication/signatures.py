"""The signature of a text: MinHash over its shingles (Broder 1997), the lowest byte of each value.

One byte of a value is enough to estimate how much two sets share (Li & König, b-Bit Minwise Hashing, 2010).
"""

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from victorpy.errors import UsageError
from victorpy.foundation.optional import install_hint
from victorpy.foundation.words import SIGNATURE_WORD

Signatures = NDArray[np.uint8]

SIZE = 128

_SEED = 1
_SHINGLE = 5
_SAME_BY_CHANCE = 1 / 256


@cache
def rensa() -> Any:
    try:
        import rensa  # noqa: PLC0415
    except ImportError as error:
        raise UsageError(
            f"near duplicates need the package rensa: {install_hint('dedup')}; or look only for exact duplicates"
        ) from error
    return rensa


def signature(text: str) -> bytes | None:
    """The signature of a text, or None if it has no words."""
    words = SIGNATURE_WORD.findall(text.lower())
    if not words:
        return None
    minima = rensa().RMinHash(SIZE, _SEED)
    minima.update(shingles(words))
    return np.array(minima.digest(), np.uint32).astype(np.uint8).tobytes()


def shingles(words: Sequence[str]) -> list[str]:
    """All runs of five words, or one run of all words if there are fewer."""
    if len(words) <= _SHINGLE:
        return [" ".join(words)]
    return [*map(" ".join, zip(*(words[first:] for first in range(_SHINGLE)), strict=False))]


def similarities(signature: bytes, others: Signatures) -> NDArray[np.float64]:
    """The estimated share of shingles that a text has in common with each of the others."""
    same = (others == np.frombuffer(signature, np.uint8)).mean(axis=1)
    estimated: NDArray[np.float64] = ((same - _SAME_BY_CHANCE) / (1 - _SAME_BY_CHANCE)).clip(0, 1)
    return estimated
