"""Derive one label per block from a page and its gold text."""

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from victorpy.annotation import text_scores
from victorpy.annotation.gold_texts import Segment
from victorpy.annotation.placement import GoldPlace, GoldPlaces, NumberedWords, found_places, useful_places
from victorpy.page.blocks import Label, Page, once_per_page
from victorpy.page.elements import Flags, tag_events
from victorpy.page.passages import enclosing, parts, passages

# Nearly all labels last after one.
_MOST_ROUNDS = 5

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
    labels = _lasting(page, _labels(page, words, segments, places))
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


def _lasting(page: Page, labels: list[Label]) -> list[Label]:
    """Labels that the text they print gives again: of blocks with equal words, it may choose others than the gold."""
    for _ in range(_MOST_ROUNDS):
        segments = [Segment(passage.label, passage.text) for passage in passages(page, labels)]
        words = NumberedWords(page, segments)
        again = _labels(page, words, segments, useful_places(words, found_places(words)))
        if again == labels:
            break
        labels = again
    return labels


class _ContentBlock(NamedTuple):
    """A content block: where in the gold it begins and ends, by segment and by word; its part of the page.

    A trailing block has no words, and says nothing without the block before it.
    """

    block: int
    part: int
    first: int
    last: int
    start: int
    end: int
    is_start: bool
    is_trailing: bool = False

    def continues(self, before: "_ContentBlock | None") -> bool:
        if before is None or before.last != self.first or before.part != self.part:
            return False
        # A word that inline tags split is the last word of one block and the first of the next.
        is_same_word = before.end == self.start + 1
        return is_same_word or (before.end <= self.start and not self.is_start)


def _content_block(words: NumberedWords, place: GoldPlace, part: int) -> _ContentBlock:
    first, last = words.segment[place.start], words.segment[place.end - 1]
    is_start = place.start == 0 or words.segment[place.start - 1] != first
    return _ContentBlock(place.block, part, first, last, place.start, place.end, is_start)


def _with_wordless_blocks(page: Page, words: NumberedWords, places: GoldPlaces) -> list[_ContentBlock]:
    """The placed blocks, with the dots and quotes that belong to one of them."""
    part = parts(page)
    kept = {place.block: _content_block(words, place, part[place.block]) for place in places.values()}
    is_joined = (~page.is_spaced & ~_is_apart(page) & np.equal(part, np.roll(part, 1))).tolist()
    wordless = [block for block in range(len(words)) if not words.count(block)]
    for block in wordless:
        before = kept.get(block - 1)
        if before and is_joined[block]:
            ends = before._replace(first=before.last, start=before.end)
            kept[block] = ends._replace(block=block, is_start=False, is_trailing=True)
    for block in reversed(wordless):
        behind = kept.get(block + 1)
        if behind and block not in kept and is_joined[block + 1]:
            kept[block] = behind._replace(block=block, last=behind.first, end=behind.start)
            kept[block + 1] = behind._replace(is_start=False)
    return [kept[block] for block in sorted(kept)]


def _labels(page: Page, words: NumberedWords, segments: Sequence[Segment], places: GoldPlaces) -> list[Label]:
    labels = [Label.OTHER] * len(page)
    kinds = _TagKinds(page)
    before: _ContentBlock | None = None
    for content in _with_wordless_blocks(page, words, places):
        is_continued = content.continues(before)
        given = segments[content.first].label
        shown = kinds.shown(content.block, before.block if before else None, is_continued)
        label = shown if given is None else Label.CONTINUATION if is_continued else given
        if label is Label.CONTINUATION or not content.is_trailing:
            labels[content.block], before = label, content
    return _with_wordless_between(page, words, labels)


def _with_wordless_between(page: Page, words: NumberedWords, labels: list[Label]) -> list[Label]:
    """The labels with the dots and quotes between a block and the one that continues it."""
    part, between = parts(page), list[int]()
    for block, label in enumerate(labels):
        if label is Label.CONTINUATION:
            for wordless in between[1:]:
                labels[wordless] = Label.CONTINUATION
        if label.is_content:
            between = [block]
        elif between and not words.count(block) and part[block] == part[between[0]]:
            between.append(block)
        else:
            between = []
    return labels


class _TagKinds:
    """The kind of a content block by its tags, for gold texts without kinds."""

    def __init__(self, page: Page):
        self.page = page
        self.heading = enclosing(page, *page.markup.class_header)
        self.item = enclosing(page, "li", "dt", "dd")
        self.part = parts(page)
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
        if self.part[before] != self.part[block]:
            return False
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
