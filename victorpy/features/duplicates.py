"""Finds blocks with the same text, comparing letters only."""

import hashlib
from typing import NamedTuple

import numpy as np

from victorpy.features.characters import COUNTED, LETTER, PIECE, Codes, characters, counts, pieces
from victorpy.foundation.hashing import GOLDEN, SPECTRAL, Hashes, powers
from victorpy.page.blocks import Page, once_per_page
from victorpy.page.elements import Flags, Ints

_MIXER = np.uint64(GOLDEN)
_MODULUS = 1 << 64
_POWERS, _INVERSES = powers(SPECTRAL, PIECE), powers(pow(SPECTRAL, -1, _MODULUS), PIECE)


class _Twins(NamedTuple):
    counts: Ints
    is_first: Flags


def duplicate_count(page: Page) -> Ints:
    return _twins(page).counts


def first_duplicate(page: Page) -> Flags:
    return _twins(page).is_first


@once_per_page
def _twins(page: Page) -> _Twins:
    hashes = _letter_hashes(page)
    order = np.argsort(hashes, kind="stable")
    ordered = hashes.take(order)
    is_new = np.ones(len(page), np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=is_new[1:])
    begins = np.flatnonzero(is_new)
    sizes = np.diff(begins, append=len(page))
    twins, is_first = np.empty(len(page), np.int32), np.zeros(len(page), np.bool_)
    twins[order] = sizes.repeat(sizes)
    is_first[order.take(begins)] = sizes > 1
    return _Twins(twins, is_first)


@once_per_page
def text_hashes(page: Page) -> Hashes:
    """Equal for blocks with the same letters, whatever their digits. Blocks without letters compare their text."""
    hashes = _letter_hashes(page).copy()
    for number in np.flatnonzero(counts(page)[COUNTED.index(LETTER)] == 0).tolist():
        hashes[number] = number_of(page.texts[number].encode("utf-8", "replace"))
    return hashes


def number_of(content: bytes) -> np.uint64:
    """A number for the content, the same on every machine and in every process."""
    return np.uint64(int.from_bytes(hashlib.blake2b(content, digest_size=8).digest(), "little"))


@once_per_page
def _letter_hashes(page: Page) -> Hashes:
    """A polynomial over the letters of each block; its first letter has the power 0."""
    text = characters(page)
    is_letter, letters = text.are(LETTER), counts(page)[COUNTED.index(LETTER)]
    last = np.cumsum(letters, dtype=np.int64)
    hashes, passed = np.zeros(len(page), np.uint64), 0
    for piece in pieces(len(text.codes), text.begins, text.ends):
        sums = _prefix_sums(text.codes[piece.place].compress(is_letter[piece.place]))
        after = last[piece.stretches] - passed
        first = after - letters[piece.stretches]
        hashes[piece.stretches] += (sums.take(after, mode="clip") - sums.take(first, mode="clip")) * _shifts(first)
        passed += len(sums) - 1
    return hashes


def _prefix_sums(letters: Codes) -> Hashes:
    mixed = letters * _MIXER
    mixed ^= mixed >> np.uint64(32)
    mixed *= _POWERS[: len(mixed)]
    sums = np.zeros(len(mixed) + 1, np.uint64)
    np.cumsum(mixed, out=sums[1:])
    return sums


def _shifts(first: Ints) -> Hashes:
    """Factors that make the power of each block's first letter 0. Only the first may start in an earlier piece."""
    shifts = _INVERSES.take(first, mode="clip")
    if len(first) and first[0] < 0:
        shifts[0] = pow(SPECTRAL, -int(first[0]), _MODULUS)
    return shifts
