"""A page and its gold text → one label per block."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from victorpy.annotation import text_scores
from victorpy.annotation.gold_texts import Segment
from victorpy.annotation.placement import Place, Places, Words, found_places, useful_places
from victorpy.page.blocks import Label, Page, once_per_page
from victorpy.page.elements import Flags, tag_events
from victorpy.page.passages import enclosing, passages

_SENTENCE_END = re.compile(r"[.!?…。！？][\"'”’»)\]]*$")


class Projection(NamedTuple):
    """A page's labels as its gold text has them, and how well the two fit.

    `missing` is the gold text that no block holds, `spurious` the share of printed words that the gold has not.
    """

    labels: list[Label]
    score: text_scores.Score
    missing: list[str]
    spurious: float


def project(page: Page, segments: Sequence[Segment]) -> Projection:
    """The labels with which the page's blocks print its gold text."""
    words = Words(page, segments)
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


class _Kept(NamedTuple):
    """A content block: the segments of the gold in which it begins and ends, and where; does it begin its segment?"""

    block: int
    first: int
    last: int
    start: int
    end: int
    is_start: bool

    def goes_on_from(self, before: "_Kept | None") -> bool:
        if before is None or before.last != self.first:
            return False
        # A word that inline tags split is the last of one block and the first of the next.
        is_same_word = before.end == self.start + 1
        return is_same_word or (before.end <= self.start and not self.is_start)


def _kept(words: Words, place: Place) -> _Kept:
    first, last = words.segment[place.start], words.segment[place.end - 1]
    is_start = place.start == 0 or words.segment[place.start - 1] != first
    return _Kept(place.block, first, last, place.start, place.end, is_start)


def _with_wordless_blocks(page: Page, words: Words, places: Places) -> list[_Kept]:
    """The placed blocks, and the dots and quotes that belong to one or stand between two of them."""
    kept = {place.block: _kept(words, place) for place in places.values()}
    is_joined = (~page.is_spaced & ~_is_apart(page)).tolist()
    wordless = [block for block in range(len(words)) if not words.count(block)]
    with_words = [block for block in range(len(words)) if words.count(block)]
    for block, following in zip(wordless, np.searchsorted(with_words, wordless).tolist(), strict=True):
        before = kept.get(block - 1)
        behind = kept.get(with_words[following]) if following < len(with_words) else None
        if before and (is_joined[block] or (behind and behind.goes_on_from(before))):
            kept[block] = _Kept(block, before.last, before.last, before.end, before.end, is_start=False)
    for block in reversed(wordless):
        behind = kept.get(block + 1)
        if behind and block not in kept and is_joined[block + 1]:
            kept[block] = behind._replace(block=block, last=behind.first, end=behind.start)
            kept[block + 1] = behind._replace(is_start=False)
    return [kept[block] for block in sorted(kept)]


def _labels(page: Page, segments: Sequence[Segment], kept: Sequence[_Kept]) -> list[Label]:
    labels = [Label.OTHER] * len(page)
    kinds = _Kinds(page)
    for before, content in pairwise([None, *kept]):
        if content:
            goes_on = content.goes_on_from(before)
            told = segments[content.first].label
            shown = kinds.shown(content.block, before.block if before else None, goes_on)
            labels[content.block] = shown if told is None else Label.CONTINUATION if goes_on else told
    return labels


class _Kinds:
    """What kind of content a block is, where only the tags tell."""

    def __init__(self, page: Page):
        self.page = page
        self.heading = enclosing(page, *page.markup.class_header)
        self.item = enclosing(page, "li", "dt", "dd")
        self.apart_before = np.cumsum(_is_apart(page))

    def shown(self, block: int, before: int | None, goes_on: bool) -> Label:
        if before is not None and self._continues(block, before, goes_on):
            return Label.CONTINUATION
        if self.heading[block] >= 0:
            return Label.HEADER
        begins_item = self.item[block] >= 0 and (before is None or self.item[before] != self.item[block])
        return Label.LIST if begins_item else Label.PARAGRAPH

    def _continues(self, block: int, before: int, goes_on: bool) -> bool:
        """Only inline tags stand between the two, or the gold has both in one line that is no run of sentences."""
        if self.apart_before[before] == self.apart_before[block]:
            return True
        is_same_kind = self.heading[before] == self.heading[block] and self.item[before] == self.item[block]
        return goes_on and is_same_kind and not _SENTENCE_END.search(self.page.texts[before])


@once_per_page
def _is_apart(page: Page) -> Flags:
    """Do block-level tags or two <br> stand between a block and the one before it?"""
    tables, events = page.markup.tables, tag_events(page.elements)
    tags = page.elements.codes[np.abs(events) - 1]
    borders = np.concatenate(([0], np.cumsum(tables["class-block"][tags])))
    breaks = np.concatenate(([0], np.cumsum(tables["line-break"][tags] & (events > 0))))
    since = np.concatenate(([0], page.runs.place[page.last_runs[:-1]]))[: len(page)]
    until = page.runs.place[page.first_runs]
    return (borders[until] > borders[since]) | (breaks[until] - breaks[since] > 1)
