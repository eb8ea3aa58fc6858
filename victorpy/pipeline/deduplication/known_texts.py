"""The texts that were read so far, a few bytes for each."""

from array import array
from collections.abc import Iterable, Iterator
from itertools import islice
from math import ceil, log
from typing import NamedTuple

import numpy as np

from victorpy.features.duplicates import number_of
from victorpy.foundation.hashing import GOLDEN, SPECTRAL, Hashes, powers
from victorpy.pipeline.deduplication.chains import Chains
from victorpy.pipeline.deduplication.signatures import SIZE, Signatures, signature, similarities

# The chance that two texts share a band if they are exactly as similar as the threshold.
_FOUND = 0.98

# Thousands of pages of one template may share a band without being near duplicates. Only the newest of them are
# compared, or every page would be compared with every other.
_MOST_IN_BAND = 100

_PIECE = 1 << 10


class Match(NamedTuple):
    """An earlier text: its number, counted from 0, and how similar it is; None if it is the same."""

    number: int
    similarity: float | None = None


class KnownTexts:
    """Numbered texts. With a threshold, nearly equal texts count as equal."""

    def __init__(self, threshold: float | None = None) -> None:
        self._same = _Digests()
        self._near = _Near(threshold) if threshold is not None else None

    def __len__(self) -> int:
        return len(self._same)

    def match(self, text: str) -> Match | None:
        """The earlier text that this one equals, or None. A new text is remembered."""
        digest = digest_of(text)
        number = self._same.find(digest)
        if number is not None:
            return Match(number)
        match = self._near.match(text, len(self._same)) if self._near else None
        if match is None:
            self._same.add(digest)
        return match


def digest_of(text: str) -> int:
    """A digest that ignores white space and upper and lower case."""
    return int(number_of(" ".join(text.lower().split()).encode("utf-8", "replace")))


class _Digests:
    """Numbers of 64 bits in the order in which they were added."""

    def __init__(self) -> None:
        self._digests, self._chains = array("Q"), Chains()

    def __len__(self) -> int:
        return len(self._digests)

    def find(self, digest: int) -> int | None:
        digests = self._digests
        return next((entry for entry in self._chains.entries(digest) if digests[entry] == digest), None)

    def add(self, digest: int) -> None:
        if self._chains.is_full:
            self._chains.widen(self._all_keys())
        self._digests.append(digest)
        self._chains.add(digest)

    def _all_keys(self) -> Iterator[Hashes]:
        for first in range(0, len(self), _PIECE):
            yield np.array(self._digests[first : first + _PIECE], np.uint64)


class _Near:
    """Signatures that are found by their bands: locality-sensitive hashing (Indyk & Motwani 1998)."""

    def __init__(self, threshold: float) -> None:
        self._threshold, self._bands = threshold, Bands.of(threshold)
        self._numbers, self._signatures, self._chains = array("I"), bytearray(), Chains()

    def match(self, text: str, number: int) -> Match | None:
        """The most similar text above the threshold, or None. A new text is remembered by this number."""
        found = signature(text)
        if found is None:
            return None
        keys = self._bands.keys(np.frombuffer(found, np.uint8).reshape(1, SIZE))[0].tolist()
        match = self._most_similar(found, keys)
        if match is None:
            self._add(found, keys, number)
        return match

    def _most_similar(self, found: bytes, keys: Iterable[int]) -> Match | None:
        candidates = sorted({entry // self._bands.number for key in keys for entry in self._in_band(key)})
        if not candidates:
            return None
        shares = similarities(found, self._all()[candidates])
        best = int(shares.argmax())
        if shares[best] < self._threshold:
            return None
        return Match(self._numbers[candidates[best]], float(shares[best]))

    def _in_band(self, key: int) -> Iterator[int]:
        return islice(self._chains.entries(key), _MOST_IN_BAND)

    def _all(self) -> Signatures:
        return np.frombuffer(self._signatures, np.uint8).reshape(-1, SIZE)

    def _add(self, found: bytes, keys: Iterable[int], number: int) -> None:
        if self._chains.is_full:
            self._chains.widen(self._all_keys())
        self._signatures += found
        self._numbers.append(number)
        for key in keys:
            self._chains.add(key)

    def _all_keys(self) -> Iterator[Hashes]:
        for first in range(0, len(self._numbers), _PIECE):
            yield self._bands.keys(self._all()[first : first + _PIECE]).ravel()


class Bands(NamedTuple):
    """The number of bands of a signature, and of values in a band. Similar signatures probably share a band."""

    number: int
    values: int

    @classmethod
    def of(cls, threshold: float) -> "Bands":
        """The longest bands, and as few of them as the threshold needs: few dissimilar texts share one."""
        fitting = (cls(_bands_needed(threshold**values), values) for values in range(SIZE, 0, -1))
        return next((bands for bands in fitting if bands.number * bands.values <= SIZE), cls(SIZE, 1))

    def keys(self, signatures: Signatures) -> Hashes:
        """A number for each band of each signature."""
        values = signatures[:, : self.number * self.values].reshape(-1, self.number, self.values).astype(np.uint64) + 1
        keys: Hashes = (values * _powers(self.values)).sum(axis=2, dtype=np.uint64) + _powers(self.number)
        keys ^= keys >> np.uint64(32)
        keys *= _MIXER
        keys ^= keys >> np.uint64(32)
        return keys


def _bands_needed(chance: float) -> int:
    """The number of tries after which something with this chance has probably happened."""
    return 1 if chance >= _FOUND else ceil(log(1 - _FOUND) / log(1 - chance)) if chance > 1e-12 else SIZE + 1


_MIXER = np.uint64(SPECTRAL)


def _powers(count: int) -> Hashes:
    """The powers from 1 to `count`."""
    return powers(GOLDEN, count)[1:]
