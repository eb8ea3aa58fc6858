"""The difference of two texts, line by line and, in changed lines, word by word, as HTML."""

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from html import escape
from itertools import zip_longest

# Longer texts would take minutes to align.
_MOST_LINES, _MOST_WORDS = 3_000, 400
# So many equal lines are shown around a change.
_AROUND = 1


def difference_html(ours: str, theirs: str) -> str:
    """A list of lines: `<del>` is in their text only, `<ins>` in ours only."""
    before, after = theirs.splitlines(), ours.splitlines()
    if max(len(before), len(after)) > _MOST_LINES:
        return "<p>The texts are too long to compare line by line.</p>"
    rows = "".join(_rows(before, after))
    return f'<ol class="diff">{rows}</ol>' if rows else "<p>Both texts are the same.</p>"


def _rows(before: Sequence[str], after: Sequence[str]) -> Iterator[str]:
    if before == after:
        return
    for tag, begin, end, other_begin, other_end in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag == "equal":
            yield from _equal(before[begin:end])
        else:
            yield from _changed(before[begin:end], after[other_begin:other_end])


def _equal(lines: Sequence[str]) -> Iterator[str]:
    hidden = len(lines) - 2 * _AROUND
    if hidden < 2:
        yield from (f"<li>{escape(line)}</li>" for line in lines)
        return
    yield from (f"<li>{escape(line)}</li>" for line in lines[:_AROUND])
    yield f'<li class="same">{hidden} equal lines</li>'
    yield from (f"<li>{escape(line)}</li>" for line in lines[-_AROUND:])


def _changed(before: Sequence[str], after: Sequence[str]) -> Iterator[str]:
    for old, new in zip_longest(before, after):
        if old is None:
            yield f'<li class="new"><ins>{escape(new)}</ins></li>'
        elif new is None:
            yield f'<li class="old"><del>{escape(old)}</del></li>'
        else:
            yield f'<li class="both">{_words(old.split(), new.split())}</li>'


def _words(before: Sequence[str], after: Sequence[str]) -> str:
    if max(len(before), len(after)) > _MOST_WORDS:
        return _removed(before) + _added(after)
    parts = []
    for tag, begin, end, other_begin, other_end in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag == "equal":
            parts.append(f"{escape(' '.join(before[begin:end]))} ")
        else:
            parts += [_removed(before[begin:end]), _added(after[other_begin:other_end])]
    return "".join(parts)


def _removed(words: Sequence[str]) -> str:
    return f"<del>{escape(' '.join(words))}</del> " if words else ""


def _added(words: Sequence[str]) -> str:
    return f"<ins>{escape(' '.join(words))}</ins> " if words else ""
