"""The longest common subsequence of two sequences of numbers, by a bit-parallel algorithm."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

_MAX_ROW_BITS = 400_000_000
LARGEST_TABLE = 12_000_000_000


def common_subsequence(a: Sequence[int], b: Sequence[int], is_late: bool = False) -> list[tuple[int, int]]:
    """Pairs of offsets, as early in `a` as possible, or as late; none if the table would be too large."""
    if is_late:
        pairs = common_subsequence(a[::-1], b[::-1])
        return [(len(a) - 1 - i, len(b) - 1 - j) for i, j in reversed(pairs)]
    if not 0 < len(a) * len(b) <= LARGEST_TABLE:
        return []
    return list(_traced(a, b))[::-1]


def _traced(a: Sequence[int], b: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Pairs from last to first. Rows are computed again in portions, so few are in memory at once."""
    masks: dict[int, int] = defaultdict(int)
    for position, word in enumerate(b):
        masks[word] |= 1 << position
    portion = max(1, _MAX_ROW_BITS // max(1, len(b)))
    starts = list(range(0, len(a), portion))
    full = (1 << len(b)) - 1
    entries = [full]
    for start in starts[:-1]:
        entries.append(_rows(a[start : start + portion], masks, entries[-1], full)[-1])
    column = full
    for start, entry in zip(reversed(starts), reversed(entries), strict=True):
        rows = _rows(a[start : start + portion], masks, entry, full)
        row = len(rows) - 1
        while row and (steps := ~rows[row] & column):
            step = 1 << (steps.bit_length() - 1)
            while row and not rows[row - 1] & step:
                row -= 1
            if not row:
                break
            yield start + row - 1, step.bit_length() - 1
            row, column = row - 1, step - 1


def _rows(a: Sequence[int], masks: dict[int, int], entry: int, full: int) -> list[int]:
    """Rows by Hyyrö (2004), Bit-parallel LCS-length computation revisited; a zero bit is a step of the row."""
    rows = [entry]
    for word in a:
        row = rows[-1]
        matching = row & masks.get(word, 0)
        rows.append(((row + matching) | (row - matching)) & full if matching else row)
    return rows
