"""A language model: n-grams with their probabilities, and the perplexity of texts."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from victorpy import _core
from victorpy.errors import UsageError
from victorpy.features.language.smoothing import Estimate, Estimates, Floats, Smoothing
from victorpy.features.language.symbols import Codes, Keys, Places, Symbols, Unit, longer, symbols
from victorpy.foundation.arrays import are_figures
from victorpy.foundation.bounds import AT_LEAST_1, Range, check_bounds
from victorpy.foundation.portable_math import exponentials

# Increased whenever older versions would misread the folder, or split a text into other symbols.
LANGUAGE_FORMAT = 1

LARGEST_ORDER = 12

# The limit of Fernández-Pichel et al. (2022) for two words; for characters, hardly any clean sentence exceeds 40.
USUAL_LIMITS: dict[Unit, float] = {"words": 8000.0, "characters": 40.0}

# How many characters are processed at once, which limits the memory that huge pages need.
_AT_ONCE = 1 << 18

# Among so few n-grams, keys of 32 bits mistake one n-gram for another once in four thousand times.
_FEW = 1 << 20


@dataclass(frozen=True)
class ReadTexts:
    """The texts that a language model was trained on."""

    texts: int
    symbols: int
    digest: str
    source: str = ""
    licence: str = ""


@dataclass(frozen=True)
class NgramShape:
    """The n-grams of a language model, and their smoothing. N-grams rarer than `min-count` are left out."""

    unit: Unit = "words"
    order: int = 2
    smoothing: Smoothing = "kneser-ney"
    min_count: int = 1

    def __post_init__(self) -> None:
        check_bounds(self, {"order": Range(1, LARGEST_ORDER), "min_count": AT_LEAST_1})


@dataclass(frozen=True, kw_only=True)
class LanguageModelCard:
    """`lm.yaml`: the training texts of a language model, and the perplexity above which a text counts as noise."""

    victorpy_language_model: int = LANGUAGE_FORMAT
    summary: str = ""
    shape: NgramShape
    limit: float
    data: ReadTexts
    unknown: float
    ngrams: tuple[int, ...] = field(default_factory=tuple)
    weights: str = ""


class Surprise(NamedTuple):
    """For each of several texts: its loss (-ln of its probability), its number of symbols, and how many are unknown."""

    losses: Floats
    counts: NDArray[np.int64]
    unknown: NDArray[np.int64]

    def perplexities(self) -> Floats:
        """The perplexity of each text; NaN for a text without symbols."""
        return perplexity(self.losses, self.counts)

    def whole(self) -> float:
        """The perplexity of all texts together."""
        return float(perplexity(self.losses.sum(), self.counts.sum()))

    def known_share(self) -> float:
        total = int(self.counts.sum())
        return 1.0 - int(self.unknown.sum()) / total if total else 1.0


def perplexity(losses: Floats, counts: NDArray[np.int64]) -> Floats:
    with np.errstate(invalid="ignore", divide="ignore"):
        return exponentials(np.divide(losses, counts))


@dataclass(frozen=True, eq=False)
class NgramTable:
    """The n-grams of one order, by ascending keys."""

    keys: Codes
    chances: NDArray[np.float32]
    rests: NDArray[np.float32]

    @property
    def fits(self) -> bool:
        """Are the arrays keys of n-grams with a finite figure for each?"""
        return (
            self.keys.dtype in (np.uint32, np.uint64)
            and self.keys.ndim == 1
            and self.keys.shape == self.chances.shape == self.rests.shape
            and are_figures(self.chances, self.rests)
        )

    @cached_property
    def shift(self) -> int:
        """How many bits of a key follow its head. There are about two heads for each n-gram."""
        return 8 * self.keys.itemsize - len(self.keys).bit_length() - 1

    @cached_property
    def heads(self) -> NDArray[np.int32]:
        """How many keys come before those with each head. Keys are evenly spread, so few share a head."""
        count = 1 << (8 * self.keys.itemsize - self.shift)
        sizes = np.bincount((self.keys >> self.shift).astype(np.intp), minlength=count)
        return (np.cumsum(sizes) - sizes).astype(np.int32)

    def places(self, keys: Keys) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
        """The place of each n-gram in the table, and whether the table has it."""
        if not len(self.keys):
            return np.zeros(len(keys), np.int32), np.zeros(len(keys), np.bool_)
        searched = _cut(keys, self.keys.dtype)
        places = self.heads.take((searched >> self.shift).astype(np.intp))
        found = self.keys.take(places, mode="clip")
        left = np.flatnonzero(found < searched)
        while len(left):
            places[left] += 1
            found[left] = self.keys.take(places[left], mode="clip")
            left = left[(found[left] < searched[left]) & (places[left] < len(self.keys))]
        return places, found == searched


@dataclass(frozen=True, eq=False)
class LanguageModel:
    """An n-gram model that gives the perplexity of texts."""

    card: LanguageModelCard
    tables: tuple[NgramTable, ...]
    name: str = ""
    digest: str = ""

    @property
    def largest(self) -> float:
        """The perplexity of unknown symbols: about the highest that a text can have."""
        return float(exponentials(-self.card.unknown))

    def surprise(self, texts: Sequence[str]) -> Surprise:
        totals = np.zeros((3, len(texts)))
        for numbers, pieces in _pieces(texts):
            _core.check_deadline()
            totals += [np.bincount(numbers, found, len(texts)) for found in self._surprise(pieces)]
        return Surprise(totals[0], totals[1].astype(np.int64), totals[2].astype(np.int64))

    def _surprise(self, texts: Sequence[str]) -> Surprise:
        found = symbols(texts, self.card.shape.unit)
        chances, is_unknown = self._chances(found)
        counts = np.diff(found.begins, append=len(found.symbols)) - 1
        losses = np.add.reduceat(-chances, found.begins, dtype=np.float64)
        return Surprise(losses, counts, np.add.reduceat(is_unknown, found.begins, dtype=np.int64))

    def perplexity(self, text: str) -> float:
        return self.surprise([text]).whole()

    def _chances(self, found: Symbols) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """ln of the probability of each symbol, by the longest known n-gram that ends in it; 0 for text beginnings."""
        chances, offsets = np.zeros(len(found.symbols), np.float32), found.offsets()
        keys = _keys(found.symbols, len(self.tables))
        left = np.flatnonzero(offsets)
        for size in range(len(self.tables), 0, -1):
            left = self._add(chances, left, offsets, keys, size)
        chances[left] += np.float32(self.card.unknown)
        is_unknown = np.zeros(len(chances), np.bool_)
        is_unknown[left] = True
        return chances, is_unknown

    def _add(
        self, chances: NDArray[np.float32], left: Places, offsets: Places, keys: Sequence[Keys], size: int
    ) -> Places:
        """Adds the figures of n-grams of this size, and returns the places that are left to shorter n-grams."""
        is_long = offsets[left] >= size - 1
        places = left[is_long]
        table = self.tables[size - 1]
        rows, is_there = table.places(keys[size - 1][places])
        chances[places[is_there]] += table.chances[rows[is_there]]
        failed = places[~is_there]
        if size > 1:
            shorter = self.tables[size - 2]
            rows, is_there = shorter.places(keys[size - 2][failed - 1])
            chances[failed[is_there]] += shorter.rests[rows[is_there]]
        return failed if is_long.all() else np.sort(np.concatenate((left[~is_long], failed)))


def _pieces(texts: Sequence[str]) -> Iterator[tuple[list[int], list[str]]]:
    """The texts in groups of bounded size, with their numbers. A text longer than a group is cut."""
    numbers: list[int] = []
    group: list[str] = []
    room = _AT_ONCE
    for number, text in enumerate(texts):
        for start in range(0, max(1, len(text)), _AT_ONCE):
            piece = text[start : start + _AT_ONCE]
            if len(piece) > room:
                yield numbers, group
                numbers, group, room = [], [], _AT_ONCE
            numbers.append(number)
            group.append(piece)
            room -= len(piece)
    if group:
        yield numbers, group


def _keys(symbols: Keys, order: int) -> list[Keys]:
    keys = [symbols]
    while len(keys) < order:
        keys.append(longer(keys[-1], symbols))
    return keys


def _cut(keys: Keys, kind: Any) -> Codes:
    """The first bits of the keys, in the same order."""
    return (keys >> np.uint64(32)).astype(np.uint32) if kind == np.uint32 else keys


def language_model(card: LanguageModelCard, found: Estimates) -> LanguageModel:
    """A model with rounded figures, so that it gives the same results before and after it is saved."""
    tables = tuple(map(_table, found.orders))
    ngrams = tuple(len(table.keys) for table in tables)
    return LanguageModel(replace(card, unknown=round(found.unknown, 6), ngrams=ngrams), tables)


def _table(estimate: Estimate) -> NgramTable:
    keys = _cut(estimate.keys, np.uint32 if len(estimate.keys) <= _FEW else np.uint64)
    firsts = np.flatnonzero(np.concatenate((np.ones(min(1, len(keys)), np.bool_), keys[1:] != keys[:-1])))
    chances, rests = (_rounded(values[firsts]) for values in (estimate.chances, estimate.rests))
    return NgramTable(keys[firsts], chances, rests)


def _rounded(values: Floats) -> NDArray[np.float32]:
    return values.astype(np.float16).astype(np.float32)


def checked_limit(model: LanguageModel, limit: float | None) -> float:
    """The given limit or the model's own. A limit that no text can exceed belongs to another kind of model."""
    if limit is None:
        return model.card.limit
    named = f"language model '{model.name}'" if model.name else "this language model"
    unit, order = model.card.shape.unit, model.card.shape.order
    if not 1 < limit <= model.largest:
        raise UsageError(
            f"a limit of {limit:g} does not fit {named}: it counts {unit}"
            f" ({order} at a time), and its perplexities are between 1 and {model.largest:,.0f};"
            f" its own limit is {model.card.limit:g}"
        )
    return limit
