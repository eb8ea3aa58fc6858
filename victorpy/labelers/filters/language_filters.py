"""Filters by language: one for pages and one for blocks. They keep any text whose language is uncertain."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import ClassVar, NamedTuple

import numpy as np

from victorpy.errors import OptionError, UsageError
from victorpy.features.language_id import NO_LANGUAGE, chances, known
from victorpy.labelers.filters import Dropped
from victorpy.page.blocks import Label, Page
from victorpy.page.elements import Flags, Ints
from victorpy.page.passages import Passage, passages

# Fewer than one in a hundred texts of this many letters were identified as another language than their own.
_LEAST_LETTERS = 60
_UNLIKELY = 0.05

# More text does not make the result more certain.
_ENOUGH = 1_000


class Verdict(IntEnum):
    OTHER = -1
    UNSURE = 0
    ALLOWED = 1


class Judgement(NamedTuple):
    """Whether a text is in one of the allowed languages, and its likeliest language if it is long enough."""

    verdict: Verdict
    language: str = ""


def judgement(text: str, allowed: Sequence[str]) -> Judgement:
    found = _chances(text)
    if not found:
        return Judgement(Verdict.UNSURE)
    share = _share(found, allowed)
    is_other = share + found[NO_LANGUAGE] < _UNLIKELY
    verdict = Verdict.OTHER if is_other else Verdict.ALLOWED if share > 1 - _UNLIKELY else Verdict.UNSURE
    return Judgement(verdict, _likeliest(found))


def _chances(text: str) -> Mapping[str, float]:
    """The probability of each language; empty if the text is too short."""
    text = text[:_ENOUGH]
    return chances(text) if sum(map(str.isalpha, text)) >= _LEAST_LETTERS else {}


def _share(found: Mapping[str, float], allowed: Sequence[str]) -> float:
    return sum(found[language] for language in allowed)


def _likeliest(found: Mapping[str, float]) -> str:
    return max(found, key=found.__getitem__)


@dataclass(frozen=True)
class PageLanguages:
    """Rejects a page whose text is certainly in none of these languages."""

    languages: tuple[str, ...]

    def __post_init__(self) -> None:
        _check(self.languages, "languages")

    knowledge: ClassVar[str] = ""

    def dropped(self, page: Page, labels: Sequence[Label]) -> Dropped:
        found = passages(page, labels)
        verdict, language = judgement(_sample(found), known(self.languages))
        if verdict is Verdict.OTHER:
            return Dropped(np.ones(len(page), np.bool_), refusal=f"language: {language}", language=language)
        nothing = np.zeros(len(page), np.bool_)
        if verdict is Verdict.ALLOWED:
            return Dropped(nothing, language=language)
        return Dropped(nothing, _unsure(language) if found else "")


@dataclass(frozen=True)
class BlockLanguages:
    """Drops passages that are certainly in none of these languages, or by default in another than the page's.

    A passage whose language is uncertain is treated like the nearest certain passages before and after it.
    """

    languages: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        _check(self.languages, "block-languages")

    knowledge: ClassVar[str] = ""

    def dropped(self, page: Page, labels: Sequence[Label]) -> Dropped:
        found, drops = passages(page, labels), np.zeros(len(page), np.bool_)
        allowed = known(self.languages) if self.languages else _own_language(found)
        if not allowed:
            return Dropped(drops, "language: not sure, no block was dropped for it" if found else "")
        is_dropped = decided([judgement(passage.text, allowed).verdict for passage in found])
        for passage, is_other in zip(found, is_dropped.tolist(), strict=True):
            drops[list(passage.blocks)] = is_other
        return Dropped(drops, language="" if self.languages else allowed[0])


def _check(languages: tuple[str, ...], name: str) -> None:
    """Reports unknown languages before any page is read."""
    try:
        known(languages)
    except UsageError as error:
        raise OptionError(str(error), name) from None


def _unsure(language: str) -> str:
    return f"language: not sure, {f'{language}?' if language else 'too little text'}"


def _sample(found: Sequence[Passage]) -> str:
    """The longest passages, whose language is the most certain."""
    longest = sorted((passage.text for passage in found), key=len, reverse=True)
    return "\n".join(text[: _ENOUGH // 2] for text in longest[:_LEAST_LETTERS])


def _own_language(found: Sequence[Passage]) -> tuple[str, ...]:
    """The language of the page, if it is certain."""
    chances_of_page = _chances(_sample(found))
    own = known((_likeliest(chances_of_page),)) if chances_of_page else ()
    return own if _share(chances_of_page, own) > 1 - _UNLIKELY else ()


def decided(verdicts: Sequence[Verdict]) -> Flags:
    """Which passages are dropped: those in other languages, and uncertain ones with only such passages around them."""
    given = np.array(verdicts, np.int8)
    before, after = _nearest_sure(given), _nearest_sure(given[::-1])[::-1]
    is_between: Flags = (np.minimum(before, after) < 0) & (np.maximum(before, after) <= 0)
    return np.where(given == Verdict.UNSURE, is_between, given == Verdict.OTHER)


def _nearest_sure(verdicts: Ints) -> Ints:
    """The last certain verdict up to each passage; UNSURE before the first one."""
    places = np.maximum.accumulate(np.where(verdicts != Verdict.UNSURE, np.arange(1, len(verdicts) + 1), 0))
    return np.concatenate(([Verdict.UNSURE], verdicts)).take(places)
