"""Compare a printed text with its gold text, by the usual measures, each for one page.

`words` is the measure of large modern benchmarks, and `aligned` the measure of CLEANEVAL. `original` is the measure of
the first Victor: an edit distance of words with insertions and deletions only. All are shares from 0 to 1.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import isnan
from typing import NamedTuple

from victorpy.foundation.words import SCORED_WORD

_URL_LINE = re.compile(r"^[^\S\n]*URL.*$", re.MULTILINE)
_MARKER = re.compile(r"(<[phl]>)", re.IGNORECASE)
_MARKERS = frozenset({"<p>", "<h>", "<l>", "<P>", "<H>", "<L>"})
_CONTROL = re.compile(r"[\x00-\x1f]+")

# Longer texts would take minutes to align; they are compared as multisets only.
_MOST_TOKENS = 30_000

UNKNOWN = float("nan")


class Score(NamedTuple):
    precision: float
    recall: float
    f1: float


PERFECT, NOTHING, UNDEFINED = Score(1.0, 1.0, 1.0), Score(0.0, 0.0, 0.0), Score(UNKNOWN, UNKNOWN, UNKNOWN)


class Aligned(NamedTuple):
    """Tokens with markers, markers by kind, markers of any kind, and tokens alone."""

    seq: Score
    tag: Score
    segment: Score
    text: Score


class Original(NamedTuple):
    """The first Victor's measures (3), (4) and (5); and two that are stricter and less strict than (3): words and
    markers together, and markers alone by their kind. All but `text` are NaN if the gold has no markers."""

    markup_only: float
    text: float
    total: float
    text_markup: float
    markup: float


def levenshtein(printed: str, gold: str) -> float:
    """One minus the edit distance of the characters, as a share of the longer text.

    Markers do not count, and white space counts as one blank. NaN for texts that are too long to compare.
    """
    from rapidfuzz.distance import Levenshtein  # noqa: PLC0415

    ours, theirs = tokens_of(printed, keeps_markers=False), tokens_of(gold, keeps_markers=False)
    if _is_too_long(ours, theirs):
        return UNKNOWN
    return Levenshtein.normalized_similarity(" ".join(ours), " ".join(theirs))


class Difference(NamedTuple):
    """The stretches of words that only one of the two texts has."""

    spurious: list[str]
    missing: list[str]


class _EqualTokens(NamedTuple):
    """`length` equal tokens, from `printed` and from `gold` on."""

    printed: int
    gold: int
    length: int


def score(common: float, printed: float, gold: float) -> Score:
    """The score from the size of the common part and of each side."""
    precision, recall = (common / size if size else 0.0 for size in (printed, gold))
    return Score(precision, recall, 2 * precision * recall / (precision + recall) if precision + recall else 0.0)


def words(printed: str, gold: str) -> Score:
    """Compare words as multisets; for an empty gold text, an empty text is perfect."""
    ours, theirs = Counter(words_of(printed)), Counter(words_of(gold))
    if not theirs:
        return NOTHING if ours else PERFECT
    return score((ours & theirs).total(), ours.total(), theirs.total())


def words_of(text: str) -> list[str]:
    """The words of a text, without markers and without the line `URL`."""
    return SCORED_WORD.findall(_MARKER.sub(" ", _URL_LINE.sub("", text)).lower())


def tokens_of(text: str, *, keeps_markers: bool = True) -> list[str]:
    """The tokens between white space and markers; a marker `<p> <h> <l>` is a token of its own."""
    text = _CONTROL.sub(" ", _URL_LINE.sub("", text))
    return _MARKER.sub(r" \1 " if keeps_markers else " ", text).split()


def aligned(printed: str, gold: str) -> Aligned:
    """Align tokens in order, as Python's difflib does."""
    ours, theirs = tokens_of(printed), tokens_of(gold)
    seq, tag = _aligned(ours, theirs)
    _, segment = _aligned(_unlabelled(ours), _unlabelled(theirs))
    text, _ = _aligned(_texts(ours), _texts(theirs))
    return Aligned(seq, tag, segment, text)


def _aligned(printed: Sequence[str], gold: Sequence[str]) -> tuple[Score, Score]:
    """The scores of all tokens, and of the markers among them."""
    if not (printed or gold):
        return PERFECT, PERFECT
    if _is_too_long(printed, gold):
        return score(_common(printed, gold), len(printed), len(gold)), UNDEFINED
    stretches = list(_matching(printed, gold))
    tokens = score(sum(stretch.length for stretch in stretches), len(printed), len(gold))
    return tokens, score(_markers_in(printed, stretches), _markers(printed), _markers(gold))


def original(printed: str, gold: str) -> Original:
    """One minus the share of insertions and deletions in the shortest edit from one text to the other."""
    ours, theirs = tokens_of(printed), tokens_of(gold)
    markup = _markup_share(ours, theirs)
    text = _text_share(_texts(ours), _texts(theirs))
    both = _text_share(ours, theirs) if not isnan(markup) else UNKNOWN
    blocks = _share_of_blocks(ours, theirs) if not isnan(markup) else UNKNOWN
    return Original(markup_only=blocks, text=text, total=(blocks + text) / 2, text_markup=both, markup=markup)


def _text_share(printed: Sequence[str], gold: Sequence[str]) -> float:
    if _is_too_long(printed, gold):
        return _share(_common(printed, gold), len(printed), len(gold))
    return _share(_subsequence_length(printed, gold), len(printed), len(gold))


def _markup_share(printed: Sequence[str], gold: Sequence[str]) -> float:
    if not gold:
        return float(not printed)
    if not _markers(gold) or _is_too_long(printed, gold):
        return UNKNOWN
    common = _markers_in(printed, _subsequence(printed, gold))
    return _share(common, _markers(printed), _markers(gold))


def _share_of_blocks(printed: Sequence[str], gold: Sequence[str]) -> float:
    """How far markers of any kind show blocks that start and end in the same places of both texts."""
    if not gold:
        return float(not printed)
    places = {
        stretch.printed + step: stretch.gold + step
        for stretch in _subsequence(_texts(printed), _texts(gold))
        for step in range(stretch.length)
    }
    ours, theirs = _blocks(printed), _blocks(gold)
    same = {(places.get(first), places.get(last)) for first, last in ours} & {*theirs}
    return _share(len(same), len(ours), len(theirs))


def _blocks(tokens: Sequence[str]) -> list[tuple[int, int]]:
    """The places of the first and the last word of each block, among the words alone; no empty blocks."""
    markers = [place for place, token in enumerate(tokens) if token in _MARKERS]
    borders = enumerate(pairwise([*markers, len(tokens)]))
    return [(start - number, end - number - 2) for number, (start, end) in borders if end > start + 1]


def _share(common: int, printed: int, gold: int) -> float:
    """The share of matching steps in an alignment."""
    steps = printed + gold - common
    return common / steps if steps else 1.0


def difference(printed: str, gold: str) -> Difference:
    """The words that differ."""
    ours, theirs = (tokens_of(text, keeps_markers=False) for text in (printed, gold))
    if _is_too_long(ours, theirs):
        return Difference(*(list((Counter(a) - Counter(b)).elements()) for a, b in ((ours, theirs), (theirs, ours))))
    spurious, missing = [], []
    then = now = 0
    for stretch in (*_matching(ours, theirs), _EqualTokens(len(ours), len(theirs), 0)):
        spurious.append(" ".join(ours[then : stretch.printed]))
        missing.append(" ".join(theirs[now : stretch.gold]))
        then, now = stretch.printed + stretch.length, stretch.gold + stretch.length
    return Difference(list(filter(None, spurious)), list(filter(None, missing)))


def _is_too_long(printed: Sequence[str], gold: Sequence[str]) -> bool:
    return len(printed) + len(gold) > _MOST_TOKENS


def _common(printed: Sequence[str], gold: Sequence[str]) -> int:
    return (Counter(printed) & Counter(gold)).total()


def _texts(tokens: Sequence[str]) -> list[str]:
    return [token for token in tokens if token not in _MARKERS]


def _unlabelled(tokens: Sequence[str]) -> list[str]:
    return ["<p>" if token in _MARKERS else token for token in tokens]


def _markers(tokens: Sequence[str]) -> int:
    return sum(map(_MARKERS.__contains__, tokens))


def _markers_in(printed: Sequence[str], stretches: Sequence[_EqualTokens]) -> int:
    return sum(_markers(printed[start : start + length]) for start, _, length in stretches)


def _matching(printed: Sequence[str], gold: Sequence[str]) -> Iterator[_EqualTokens]:
    from cydifflib import SequenceMatcher  # noqa: PLC0415

    blocks = SequenceMatcher(None, printed, gold).get_matching_blocks()
    return (_EqualTokens(block.a, block.b, block.size) for block in blocks)


def _subsequence(printed: Sequence[str], gold: Sequence[str]) -> list[_EqualTokens]:
    """A longest common subsequence."""
    from rapidfuzz.distance import LCSseq  # noqa: PLC0415

    steps = LCSseq.opcodes(*_numbered(printed, gold))
    return [
        _EqualTokens(step.src_start, step.dest_start, step.src_end - step.src_start)
        for step in steps
        if step.tag == "equal"
    ]


def _subsequence_length(printed: Sequence[str], gold: Sequence[str]) -> int:
    """The length of `_subsequence`, computed in a fraction of the time."""
    from rapidfuzz.distance import LCSseq  # noqa: PLC0415

    return LCSseq.similarity(*_numbered(printed, gold))


def _numbered(*sides: Sequence[str]) -> list[list[int]]:
    numbers: dict[str, int] = {}
    return [[numbers.setdefault(token, len(numbers)) for token in side] for side in sides]
