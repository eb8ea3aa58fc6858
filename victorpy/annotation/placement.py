"""Find the place of each block of a page in a gold text.

Blocks whose whole text occurs in the gold form a chain that skips as little as possible on both sides.
Words in the gaps are aligned by their longest common subsequence. Then the rest of the gold is searched for blocks in
another order.
"""

import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, islice, pairwise
from typing import NamedTuple

import numpy as np

from victorpy.annotation.gold_texts import Segment
from victorpy.foundation.subsequence import LARGEST_TABLE, common_subsequence
from victorpy.foundation.words import GOLD_WORD
from victorpy.page.blocks import Page
from victorpy.page.passages import enclosing, gaps_before

# The cost of a jump between blocks of the chain, in words: base, per skipped word, and at most.
_JUMP, _PER_WORD, _LONGEST_JUMP = 0.25, 0.05, 4.0
_TITLE_BONUS, _PICTURE_MALUS = 0.5, 0.25

_MAX_PLACES = 400  # A text with more possible places (copies × occurrences) is no anchor.
_MAX_ROUNDS, _LEAST_GAIN = 6, 4.0
_SURE = 0.75
_FIRM, _FIRM_SEGMENT = 8, 4  # So many words are no coincidence: within a segment, and as a whole segment.
_MATCHING, _PRUNING = 0.5, (0.2, 0.35)
_LEAST_STRAY = 4  # Blocks with fewer words are not searched for in the whole gold.


class GoldPlace(NamedTuple):
    """The words [start, end) of the gold that a block takes; `matched` of them are its own."""

    block: int
    start: int
    end: int
    matched: int


GoldPlaces = dict[int, GoldPlace]


class NumberedWords:
    """The words of a page and its gold as numbers; a word split by inline tags belongs to each block it touches."""

    def __init__(self, page: Page, segments: Sequence[Segment]):
        self.numbers: dict[str, int] = {}
        self.gold: list[int] = []
        self.segment: list[int] = []
        self.spans: list[tuple[int, int]] = []
        for number, segment in enumerate(segments):
            self._read_gold(number, segment.text)
        self.positions: dict[int, list[int]] = defaultdict(list)
        for position, word in enumerate(self.gold):
            self.positions[word].append(position)
        self.signs = [_sign(word) for word in self.gold]
        self._read_page(page)
        self.is_heading: list[bool] = (enclosing(page, *page.markup.class_header) >= 0).tolist()
        self.is_picture: list[bool] = page.markup.tables["picture"][page.elements.codes[page.element]].tolist()

    def _read_gold(self, number: int, text: str) -> None:
        for match in GOLD_WORD.finditer(text):
            self.gold.append(self.numbers.setdefault(match[0].lower(), len(self.numbers)))
            self.segment.append(number)
            self.spans.append(match.span())

    def _read_page(self, page: Page) -> None:
        gaps = gaps_before(page)
        ends = np.cumsum(page.lengths + np.array([len(gap) for gap in gaps], np.int32))
        text = "".join(gap + text for gap, text in zip(gaps, page.texts, strict=True))
        spans = [match.span() for match in GOLD_WORD.finditer(text)]
        word_starts, word_ends = np.array(spans, np.int32).reshape(-1, 2).T
        number = self.numbers.get
        self.page = [number(text[start:end].lower(), -1) for start, end in spans]
        self.first: list[int] = np.searchsorted(word_ends, ends - page.lengths, side="right").tolist()
        self.last: list[int] = np.searchsorted(word_starts, ends, side="left").tolist()

    def __len__(self) -> int:
        return len(self.first)

    def count(self, block: int) -> int:
        return self.last[block] - self.first[block]

    def of(self, block: int) -> list[int]:
        return self.page[self.first[block] : self.last[block]]

    def shares_word_with_next(self, block: int) -> bool:
        return block + 1 < len(self) and self.last[block] > self.first[block + 1]

    def is_whole_segment(self, start: int, end: int) -> bool:
        return (start == 0 or self.segment[start - 1] != self.segment[start]) and (
            end == len(self.gold) or self.segment[end] != self.segment[end - 1]
        )

    def taken_by(self, places: Iterable[GoldPlace]) -> bytearray:
        taken = bytearray(len(self.gold))
        for place in places:
            taken[place.start : place.end] = b"\1" * (place.end - place.start)
        return taken

    def missing(self, segments: Sequence[Segment], taken: bytearray) -> list[str]:
        """The stretches of gold text in no block; single words are differences of spelling and left out."""
        free = (position for position, is_taken in enumerate(taken) if not is_taken)
        stretches = (
            [position for _, position in run]
            for _, run in groupby(enumerate(free), lambda pair: (pair[1] - pair[0], self.segment[pair[1]]))
        )
        return [
            segments[self.segment[run[0]]].text[self.spans[run[0]][0] : self.spans[run[-1]][1]]
            for run in stretches
            if len(run) > 1
        ]


def found_places(words: NumberedWords) -> GoldPlaces:
    """The places of all blocks that are in the gold."""
    anchors = _exact_places(words, {})
    first = _chained(words, anchors)
    firm = [place for place in first if _is_firm(words, place)]
    filled = _chained(words, {*first, *_loose_places(words, firm)})
    places = {place.block: place for place in filled}
    for _ in range(_MAX_ROUNDS):
        more = _chained(words, _exact_places(words, places))
        if sum(place.matched for place in more) < _LEAST_GAIN:
            break
        places |= {place.block: place for place in more}
    return places | _stray_places(words, places)


_TAKEN, _SIGNS = "\0", sys.maxunicode  # Rare words beyond so many others share a sign.


def _sign(word: int) -> str:
    """A character in place of a word: texts are searched in linear time."""
    return chr(min(word + 1, _SIGNS))


def _exact_places(words: NumberedWords, places: GoldPlaces) -> list[GoldPlace]:
    """All free places of the gold where the whole text of a block occurs."""
    taken = words.taken_by(places.values())
    free = "".join(_TAKEN if is_taken else sign for sign, is_taken in zip(words.signs, taken, strict=True))
    copies: dict[tuple[int, ...], list[int]] = defaultdict(list)
    for block in range(len(words)):
        if block not in places and (text := words.of(block)) and -1 not in text:
            copies[tuple(text)].append(block)
    found: list[GoldPlace] = []
    for words_of_copies, blocks in copies.items():
        text, most = list(words_of_copies), _MAX_PLACES // len(blocks)
        starts = list(islice(_occurrences(words, free, text), most + 1))
        if len(starts) <= most:
            found += [GoldPlace(block, start, start + len(text), len(text)) for block in blocks for start in starts]
    return found


def _occurrences(words: NumberedWords, free: str, text: list[int]) -> Iterator[int]:
    signs, start = "".join(map(_sign, text)), -1
    while (start := free.find(signs, start + 1)) >= 0:
        if words.gold[start : start + len(text)] == text:
            yield start


class _PrefixMaximum:
    """The greatest value at or before a place: a Fenwick tree."""

    def __init__(self, size: int):
        self.best: list[tuple[float, int]] = [(float("-inf"), -1)] * (size + 2)

    def put(self, place: int, value: float, holder: int) -> None:
        place += 1
        while place < len(self.best):
            if self.best[place][0] < value:
                self.best[place] = (value, holder)
            place += place & -place

    def up_to(self, place: int) -> tuple[float, int]:
        place += 1
        found = self.best[0]
        while place:
            found = max(found, self.best[place])
            place &= place - 1
        return found


class _Chain:
    """Places in rising order on both sides, with the greatest worth minus the cost of jumps.

    The cost of a jump grows with its length up to a maximum, so two prefix maxima give the best predecessor.
    """

    def __init__(self, words: NumberedWords):
        self.words = words
        self.near, self.far = _PrefixMaximum(len(words.gold)), _PrefixMaximum(len(words.gold))
        self.before: list[int] = []
        self.values: list[float] = []

    def best_before(self, place: GoldPlace) -> tuple[float, int]:
        near, holder = self.near.up_to(place.start)
        far, distant = self.far.up_to(place.start)
        nearby = near - _JUMP - _PER_WORD * (self.words.first[place.block] + place.start)
        return max((0.0, -1), (nearby, holder), (far - _LONGEST_JUMP, distant))

    def put(self, number: int, place: GoldPlace) -> None:
        value, block = self.values[number], place.block
        end = place.end - self.words.shares_word_with_next(block)
        self.far.put(end, value, number)
        self.near.put(end, value + _PER_WORD * (self.words.last[block] + place.end), number)


def _chained(words: NumberedWords, candidates: Iterable[GoldPlace]) -> list[GoldPlace]:
    places = sorted(candidates)
    chain = _Chain(words)
    for _, group in groupby(range(len(places)), lambda number: places[number].block):
        numbers = list(group)
        for number in numbers:
            best, before = chain.best_before(places[number])
            chain.values.append(best + _worth(words, places[number]))
            chain.before.append(before)
        for number in numbers:
            chain.put(number, places[number])
    number = int(np.argmax(chain.values)) if places else -1
    picked = []
    while number >= 0:
        picked.append(places[number])
        number = chain.before[number]
    return picked[::-1]


def _worth(words: NumberedWords, place: GoldPlace) -> float:
    unmatched = words.count(place.block) + (place.end - place.start) - 2 * place.matched
    is_title = words.is_heading[place.block] and words.is_whole_segment(place.start, place.end)
    return place.matched - 0.25 * unmatched + _TITLE_BONUS * is_title - _PICTURE_MALUS * words.is_picture[place.block]


def _is_firm(words: NumberedWords, place: GoldPlace) -> bool:
    """Whether a place is certain: a few words within a segment may belong to a longer, edited block."""
    is_whole = words.is_whole_segment(place.start, place.end)
    return place.matched >= (_FIRM_SEGMENT if is_whole else _FIRM)


def _loose_places(words: NumberedWords, anchors: list[GoldPlace]) -> Iterator[GoldPlace]:
    """In each gap of the chain, the blocks with about half of their words in the gold of the gap."""
    start = GoldPlace(-1, 0, 0, 0)
    end = GoldPlace(len(words), len(words.gold), len(words.gold), 0)
    for before, behind in pairwise([start, *anchors, end]):
        gold_start = before.end - (before.block >= 0 and words.shares_word_with_next(before.block))
        gold_end = behind.start + (behind.block > 0 and words.shares_word_with_next(behind.block - 1))
        blocks = range(before.block + 1, behind.block)
        if blocks and gold_start < gold_end:
            yield from _gap_places(words, blocks, gold_start, gold_end, is_late=before.block < 0)


def _gap_places(
    words: NumberedWords, blocks: Sequence[int], start: int, end: int, is_late: bool
) -> Iterator[GoldPlace]:
    gold = words.gold[start:end]
    known = frozenset(gold)
    likely = [block for block in blocks if _share(words, block, known) >= _MATCHING]
    pruning = _PRUNING if sum(map(words.count, likely)) * len(gold) < LARGEST_TABLE / 10 else ()
    for least in (*pruning, _MATCHING):
        matches = _matches(words, likely, gold, is_late)
        likely = [block for block in likely if len(matches[block]) >= least * words.count(block)]
    for block in likely:
        place = _compact_place(block, [start + position for position in matches[block]])
        if _is_likely(words, place):
            yield place
            yield from _widened(words, place, start, end)


def _is_likely(words: NumberedWords, place: GoldPlace) -> bool:
    return place.matched >= _MATCHING * max(words.count(place.block), place.end - place.start)


def _widened(words: NumberedWords, place: GoldPlace, start: int, end: int) -> Iterator[GoldPlace]:
    """The block's place alone, with words that the common subsequence may have given to its neighbours."""
    unmatched = words.count(place.block) - place.matched
    start, end = max(start, place.start - unmatched), min(end, place.end + unmatched)
    pairs = common_subsequence(words.of(place.block), words.gold[start:end]) if unmatched else []
    if len(pairs) > place.matched:
        yield _compact_place(place.block, [start + position for _, position in pairs])


def _share(words: NumberedWords, block: int, known: frozenset[int]) -> float:
    """The share of the block's words that are known; 0 for a block without words."""
    text = words.of(block)
    return sum(word in known for word in text) / len(text) if text else 0.0


def _matches(words: NumberedWords, blocks: Sequence[int], gold: list[int], is_late: bool) -> dict[int, list[int]]:
    """For each block, the gold positions of its words in the longest common subsequence."""
    own: list[int] = []
    for block in blocks:
        # Skips the word that it shares with the previous block.
        own += range(max(words.first[block], own[-1] + 1 if own else 0), words.last[block])
    pairs = common_subsequence([words.page[number] for number in own], gold, is_late)
    found = {own[offset]: position for offset, position in pairs}
    return {
        block: [found[number] for number in range(words.first[block], words.last[block]) if number in found]
        for block in blocks
    }


def _compact_place(block: int, positions: list[int]) -> GoldPlace:
    """The place of the words that stand together, without distant strays."""
    furthest = len(positions) + 2
    borders = [0, *(i for i in range(1, len(positions)) if positions[i] - positions[i - 1] > furthest), len(positions)]
    start, end = max(pairwise(borders), key=lambda border: border[1] - border[0])
    return GoldPlace(block, positions[start], positions[end - 1] + 1, end - start)


def _stray_places(words: NumberedWords, places: GoldPlaces) -> GoldPlaces:
    """Blocks out of order: most of their words stand together in the rest of the gold."""
    taken = words.taken_by(places.values())
    found: GoldPlaces = {}
    left = Counter(word for word, is_taken in zip(words.gold, taken, strict=True) if not is_taken)
    rest = [block for block in range(len(words)) if block not in places and words.count(block) >= _LEAST_STRAY]
    for block in sorted(rest, key=words.count, reverse=True):
        text = words.of(block)
        if (Counter(text) & left).total() < _MATCHING * len(text):
            continue
        place = _stray_place(words, block, taken)
        if place and place.matched >= _LEAST_STRAY and _is_likely(words, place):
            found[block] = place
            left -= Counter(words.gold[place.start : place.end])
            taken[place.start : place.end] = b"\1" * (place.end - place.start)
    return found


def _stray_place(words: NumberedWords, block: int, taken: bytearray) -> GoldPlace | None:
    text = words.of(block)
    start = _densest(_rare_positions(words, text, taken), 2 * len(text))
    window = range(max(0, start - 2 * len(text)), min(len(words.gold), start + 4 * len(text)))
    free = [position for position in window if not taken[position]]
    pairs = common_subsequence(text, [words.gold[position] for position in free])
    return _compact_place(block, [free[offset] for _, offset in pairs]) if pairs else None


def _rare_positions(words: NumberedWords, text: list[int], taken: bytearray) -> list[int]:
    """The positions of the block's rarest words in the rest of the gold; common words are everywhere."""
    found: list[int] = []
    for positions in sorted((words.positions[word] for word in set(text) if word >= 0), key=len):
        if found and len(found) + len(positions) > _MAX_PLACES:
            break
        found += [position for position in positions if not taken[position]]
    return sorted(found)


def _densest(positions: Sequence[int], span: int) -> int:
    """The start of the stretch of this span with the most positions."""
    first = np.array(positions, np.int64)
    counts = np.searchsorted(first, first + span) - np.arange(len(first))
    return int(first[np.argmax(counts)]) if len(first) else 0


def useful_places(words: NumberedWords, places: GoldPlaces) -> GoldPlaces:
    """Drop the blocks that differ from the gold and lower the page's F1."""
    gold = Counter(words.gold)
    printed = Counter(word for block in places for word in words.of(block))
    common, size = (printed & gold).total(), printed.total()
    kept = dict(places)
    doubtful = [place for place in places.values() if place.matched < _SURE * words.count(place.block)]
    for place in sorted(doubtful, key=lambda place: place.matched / words.count(place.block)):
        text = Counter(words.of(place.block))
        lost = sum(min(printed[word], gold[word]) - min(printed[word] - n, gold[word]) for word, n in text.items())
        if lost * (size + len(words.gold)) < common * text.total():
            printed -= text
            common, size = common - lost, size - text.total()
            del kept[place.block]
    return kept
