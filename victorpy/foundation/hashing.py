"""Numbers of 64 bits that hashes multiply by. Files depend on some of them: never change one."""

import numpy as np
from numpy.typing import NDArray

Hashes = NDArray[np.uint64]

# Odd numbers without a pattern: from the golden ratio; from Steele & Vigna, "Computationally easy, spectrally good
# multipliers" (2022); and the two of SplitMix64 (Steele, Lea & Flood 2014).
GOLDEN = 0x9E3779B97F4A7C15
SPECTRAL = 0xD1342543DE82EF95
SPLIT_MIX = (0xBF58476D1CE4E5B9, 0x94D049BB133111EB)


def powers(base: int, last: int) -> Hashes:
    """The powers of a number from 0 to `last`, modulo 2**64."""
    return np.multiply.accumulate(np.array([1, *[base] * last], np.uint64))
