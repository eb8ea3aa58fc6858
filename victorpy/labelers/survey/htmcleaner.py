"""Htmcleaner: the sequence of sentences with many function words and little text in links.

C. Girardi, Htmcleaner: extracting the relevant text from the web pages, 2007.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from victorpy.features.link_text import linked_characters, linked_upto
from victorpy.foundation.words import RUNNING_WORD
from victorpy.labelers import Labeling, Untrained
from victorpy.labelers.density import Density
from victorpy.labelers.markup_kinds import labels_of
from victorpy.labelers.stopwords import check_option, words_for
from victorpy.labelers.survey import Setting, check_setting
from victorpy.labelers.survey.sentence_table import Sentences, sentences_of
from victorpy.page.blocks import Page
from victorpy.page.elements import Flags, Floats, Ints
from victorpy.page.omission import Omission

# The share of a text that function words make up, where no list of them is known.
_USUAL_SHARE = 0.3


class _SentenceWeights(NamedTuple):
    """What a character in a link, and a character in a sentence that is not good, counts against one in function words.

    A block with a greater share of its text in links than `most_links` is dropped.
    """

    links: float
    not_good: float
    most_links: float


_WEIGHTS: Mapping[Setting, _SentenceWeights] = {
    "letter": _SentenceWeights(1.0, 0.0, 1.0),
    "best": _SentenceWeights(0.5, 0.1, 0.5),
}


@dataclass(frozen=True)
class Htmcleaner(Untrained):
    """Keeps the sequence of sentences whose characters in function words minus those in links are most.

    It begins and ends with a good sentence: longer than the average, with a capital first and a mark at the end. As is
    `best`, whole blocks are kept, links count half, and blocks of links are dropped. `language` is a code such as `de`;
    without one, the language of each page is detected. `stop-words` is a file with a word per line, used instead of the
    list of the language.
    """

    setting: Setting = "best"
    language: str = ""
    stop_words: str = ""

    def __post_init__(self) -> None:
        check_setting(self.setting)
        check_option(self.stop_words)

    def labeling(self, page: Page) -> Labeling:
        if not len(page):
            return Labeling([])
        sentences = sentences_of(page)
        good = good_sentences(sentences)
        if not good.any():
            return replace(Density().labeling(page), reason="no good sentence: cleaned by density", fallback="density")
        language, words = words_for(page, linked_characters(page), self.language, self.stop_words)
        first, last = best_sequence(self._scores(page, sentences, good, words), good)
        reason = "" if words else f"no function words for language '{language}': judged by links alone"
        found = self._kept(page, sentences, first, last)
        return replace(found, reason=reason, fallback="links alone" if reason else "")

    def _scores(self, page: Page, sentences: Sentences, good: Flags, words: Collection[str]) -> Floats:
        """nFW - nA of each sentence."""
        weights, linked = _WEIGHTS[self.setting], characters_in_links(page, sentences)
        of_words = characters_in_words(page, sentences, words) if words else _USUAL_SHARE * (sentences.lengths - linked)
        scores: Floats = of_words - weights.links * linked - weights.not_good * sentences.lengths * ~good
        return scores

    def _kept(self, page: Page, sentences: Sentences, first: int, last: int) -> Labeling:
        begin, end = int(sentences.blocks[first]), int(sentences.blocks[last])
        keeps = np.zeros(len(page), np.bool_)
        keeps[begin : end + 1] = True
        keeps &= linked_characters(page) <= _WEIGHTS[self.setting].most_links * page.lengths
        parts = _outside(page, sentences, first, last) if self.setting == "letter" else []
        return Labeling(labels_of(page, keeps), omissions=parts)


def good_sentences(sentences: Sentences) -> Flags:
    """Sentences of more than average length that begin with a capital and end with a mark."""
    average = sentences.lengths.sum() / max(1, len(sentences.lengths))
    good: Flags = sentences.is_whole & (sentences.lengths > average)
    return good


def best_sequence(scores: Floats, good: Flags) -> tuple[int, int]:
    """The first and the last sentence, both good, between which the sum of the scores is greatest."""
    upto = np.append(0.0, np.cumsum(scores))
    lowest = np.minimum.accumulate(np.where(good, upto[:-1], np.inf))
    last = int(np.where(good, upto[1:] - lowest, -np.inf).argmax())
    return int(np.where(good, upto[:-1], np.inf)[: last + 1].argmin()), last


def characters_in_links(page: Page, sentences: Sentences) -> Ints:
    """nA of each sentence."""
    upto = linked_upto(page)
    linked: Ints = upto[sentences.ends] - upto[sentences.begins]
    return linked


def characters_in_words(page: Page, sentences: Sentences, words: Collection[str]) -> Ints:
    """nFW of each sentence: its characters in these words."""
    found = (match.span() for match in RUNNING_WORD.finditer(page.text) if match[0].lower() in words)
    begins, ends = np.array([*found], np.int32).reshape(-1, 2).T
    upto = np.append(0, np.cumsum(ends - begins))
    counts: Ints = upto[begins.searchsorted(sentences.ends)] - upto[begins.searchsorted(sentences.begins)]
    return counts


def _outside(page: Page, sentences: Sentences, first: int, last: int) -> list[Omission]:
    """What is before the first sentence in its block, and behind the last one in its block."""
    begin, end = int(sentences.blocks[first]), int(sentences.blocks[last])
    before = Omission(begin, 0, int(sentences.begins[first] - page.starts[begin]))
    after = Omission(end, int(sentences.ends[last] - page.starts[end]), int(page.lengths[end]))
    return [part for part in (before, after) if part.start < part.end]
