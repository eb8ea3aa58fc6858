"""Refuses pages whose text is stuffed with keywords or repeats itself.

Thresholds on repeated phrases are those of J. Rae and others, Scaling Language Models: Methods, Analysis & Insights
from Training Gopher (2021), table A1.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from victorpy.foundation.bounds import FROM_0_TO_1, check_bounds
from victorpy.foundation.words import SIGNATURE_WORD
from victorpy.labelers.filters import Dropped
from victorpy.labelers.stopwords import check_installed, likely_language, stop_words
from victorpy.page.blocks import Label, Page
from victorpy.page.passages import passages

# Fewer words say too little, and more say nothing new.
_LEAST_WORDS, _MOST_WORDS = 50, 20_000
_SAMPLE = 1_000
# The share of a text's characters that its heaviest phrase of so many words may hold.
_PHRASES = {2: 0.20, 3: 0.18, 4: 0.16}
_REPEATED = 5


@dataclass(frozen=True)
class Spam:
    """Refuses a page if its text has too few stop words, one word or phrase too often, or too many repetitions.

    Shares are of words. The first two are judged in languages with a list of stop words.
    """

    least_stop_words: float = 0.1
    most_of_a_word: float = 0.15
    most_repeated: float = 0.6

    def __post_init__(self) -> None:
        names = ("least_stop_words", "most_of_a_word", "most_repeated")
        check_bounds(self, dict.fromkeys(names, FROM_0_TO_1))
        check_installed()

    knowledge: ClassVar[str] = ""

    def dropped(self, page: Page, labels: Sequence[Label]) -> Dropped:
        text = "\n".join(passage.text for passage in passages(page, labels))
        words = [word.lower() for word in SIGNATURE_WORD.findall(text)[:_MOST_WORDS]]
        reason = next(self._reasons(words, text[:_SAMPLE]), "") if len(words) >= _LEAST_WORDS else ""
        return Dropped(np.full(len(page), bool(reason), np.bool_), refusal=f"spam: {reason}" if reason else "")

    def _reasons(self, words: Sequence[str], sample: str) -> Iterator[str]:
        yield from self._wrong_words(words, stop_words(likely_language(sample)))
        yield from _heavy_phrases(words)
        share = repeated_share(words)
        if share > self.most_repeated:
            yield f"{share:.0%} of the words are repetitions"

    def _wrong_words(self, words: Sequence[str], common: frozenset[str]) -> Iterator[str]:
        if not common:
            return
        share = sum(word in common for word in words) / len(words)
        if share < self.least_stop_words:
            yield f"{share:.0%} of the words are stop words"
        counts = Counter(word for word in words if word not in common)
        word, count = max(counts.items(), key=lambda pair: pair[1], default=("", 0))
        if count > self.most_of_a_word * len(words):
            yield f"{count / len(words):.0%} of the words are '{word}'"


def _heavy_phrases(words: Sequence[str]) -> Iterator[str]:
    characters = sum(map(len, words))
    for length, most in _PHRASES.items():
        counts = Counter(zip(*(words[start:] for start in range(length)), strict=False))
        weights = {phrase: count * sum(map(len, phrase)) for phrase, count in counts.items() if count > 1}
        phrase = max(weights, key=weights.__getitem__, default=())
        if phrase and weights[phrase] > most * characters:
            yield f"{weights[phrase] / characters:.0%} of the text is '{' '.join(phrase)}'"


def repeated_share(words: Sequence[str]) -> float:
    """The share of words in a phrase of five words that stood before."""
    is_repeated = np.zeros(len(words), np.bool_)
    seen: set[tuple[str, ...]] = set()
    for start in range(len(words) - _REPEATED + 1):
        phrase = tuple(words[start : start + _REPEATED])
        if phrase in seen:
            is_repeated[start : start + _REPEATED] = True
        seen.add(phrase)
    return float(is_repeated.mean()) if len(words) else 0.0
