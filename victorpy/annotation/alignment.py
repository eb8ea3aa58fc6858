"""Derive one label per block from a page and its gold text."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from victorpy.annotation import text_scores
from victorpy.annotation.gold_texts import Segment
from victorpy.annotation.placement import GoldPlace, GoldPlaces, NumberedWords, found_places, useful_places
from victorpy.page.blocks import Label, Page, once_per_page
from victorpy.page.elements import Flags, tag_events
from victorpy.page.passages import enclosing, passages

_SENTENCE_END = re.compile(r"[.!?…。！？][\"'”’»)\]]*$")


class Projection(NamedTuple):
    """The labels that a gold text gives a page, and how well the two fit.

    `missing` is the gold text that is in no block, `spurious` the share of printed words that is not in the gold.
    """

    labels: list[Label]
    score: text_scores.Score
    missing: list[str]
    spurious: float


def project(page: Page, segments: Sequence[Segment]) -> Projection:
    """Choose the labels with which the page prints its gold text."""
    words = NumberedWords(page, segments)
    places = useful_places(words, found_places(words))
    labels = _labels(page, segments, _with_wordless_blocks(page, words, places))
    printed = sum(words.count(block) for block in places)
    matched = sum(place.matched for place in places.values())
    return Projection(
        labels,
        text_scores.words(
            "\n".join(passage.text for passage in passages(page, labels)),
            "\n".join(segment.text for segment in segments),
        ),
        words.missing(segments, words.taken_by(places.values())),
        1 - matched / printed if printed else 0.0,
    )


class _ContentBlock(NamedTuple):
    """A content block: where in the gold it begins and ends, by segment and by word."""

    block: int
    first: int
    last: int
    start: int
    end: int
    is_start: bool

    def continues(self, before: "_ContentBlock | None") -> bool:
        if before is None or before.last != self.first:
            return False
        # A word that inline tags split is the last word of one block and the first of the next.
        is_same_word = before.end == self.start + 1
        return is_same_word or (before.end <= self.start and not self.is_start)


def _content_block(words: NumberedWords, place: GoldPlace) -> _ContentBlock:
    first, last = words.segment[place.start], words.segment[place.end - 1]
    is_start = place.start == 0 or words.segment[place.start - 1] != first
    return _ContentBlock(place.block, first, last, place.start, place.end, is_start)


def _with_wordless_blocks(page: Page, words: NumberedWords, places: GoldPlaces) -> list[_ContentBlock]:
    """The placed blocks, with the dots and quotes that belong to one or stand between two of them."""
    kept = {place.block: _content_block(words, place) for place in places.values()}
    is_joined = (~page.is_spaced & ~_is_apart(page)).tolist()
    wordless = [block for block in range(len(words)) if not words.count(block)]
    with_words = [block for block in range(len(words)) if words.count(block)]
    for block, following in zip(wordless, np.searchsorted(with_words, wordless).tolist(), strict=True):
        before = kept.get(block - 1)
        behind = kept.get(with_words[following]) if following < len(with_words) else None
        if before and (is_joined[block] or (behind and behind.continues(before))):
            kept[block] = _ContentBlock(block, before.last, before.last, before.end, before.end, is_start=False)
    for block in reversed(wordless):
        behind = kept.get(block + 1)
        if behind and block not in kept and is_joined[block + 1]:
            kept[block] = behind._replace(block=block, last=behind.first, end=behind.start)
            kept[block + 1] = behind._replace(is_start=False)
    return [kept[block] for block in sorted(kept)]


def _labels(page: Page, segments: Sequence[Segment], kept: Sequence[_ContentBlock]) -> list[Label]:
    labels = [Label.OTHER] * len(page)
    kinds = _TagKinds(page)
    for before, content in pairwise([None, *kept]):
        if content:
            is_continued = content.continues(before)
            given = segments[content.first].label
            shown = kinds.shown(content.block, before.block if before else None, is_continued)
            labels[content.block] = shown if given is None else Label.CONTINUATION if is_continued else given
    return labels


class _TagKinds:
    """The kind of a content block by its tags, for gold texts without kinds."""

    def __init__(self, page: Page):
        self.page = page
        self.heading = enclosing(page, *page.markup.class_header)
        self.item = enclosing(page, "li", "dt", "dd")
        self.apart_before = np.cumsum(_is_apart(page))

    def shown(self, block: int, before: int | None, is_continued: bool) -> Label:
        if before is not None and self._continues(block, before, is_continued):
            return Label.CONTINUATION
        if self.heading[block] >= 0:
            return Label.HEADER
        begins_item = self.item[block] >= 0 and (before is None or self.item[before] != self.item[block])
        return Label.LIST if begins_item else Label.PARAGRAPH

    def _continues(self, block: int, before: int, is_continued: bool) -> bool:
        """Whether only inline tags are between the two, or the gold has both in one line within a sentence."""
        if self.apart_before[before] == self.apart_before[block]:
            return True
        is_same_kind = self.heading[before] == self.heading[block] and self.item[before] == self.item[block]
        return is_continued and is_same_kind and not _SENTENCE_END.search(self.page.texts[before])


@once_per_page
def _is_apart(page: Page) -> Flags:
    """Whether block-level tags or two <br> are between each block and the previous one."""
    tables, events = page.markup.tables, tag_events(page.elements)
    tags = page.elements.codes[np.abs(events) - 1]
    borders = np.concatenate(([0], np.cumsum(tables["class-block"][tags])))
    breaks = np.concatenate(([0], np.cumsum(tables["line-break"][tags] & (events > 0))))
    since = np.concatenate(([0], page.runs.place[page.last_runs[:-1]]))[: len(page)]
    until = page.runs.place[page.first_runs]
    return (borders[until] > borders[since]) | (breaks[until] - breaks[since] > 1)
