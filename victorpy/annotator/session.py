"""What a person who labels a page has before them, and every action on it: a function from session to session."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal, NamedTuple

from victorpy.features.tokens import words
from victorpy.page.blocks import LABELS, Label, Page, once_per_page

Labels = tuple[Label | None, ...]
Order = Literal["page", "uncertain"]

ALL_LABELED = "every block of the page has a label"
SOME_OPEN = "the end, and some blocks have no label yet"


class Suggestion(NamedTuple):
    """What a model would label a block, and how probable that label is to it."""

    label: Label
    probability: float


class Change(NamedTuple):
    """The labels of a stretch of blocks, before and after."""

    first: int
    before: Labels
    after: Labels


class History(NamedTuple):
    """Changes, the latest in front: extending one costs the same however long it is."""

    change: Change
    rest: "History | None"


@dataclass(frozen=True, eq=False)
class Session:
    """A page with the labels that it has so far; `anchor` is the other end of the marked range.

    In a review, `sides` are the labels of the two annotators.
    """

    page: Page
    labels: Labels
    suggestions: tuple[Suggestion, ...] = ()
    sides: tuple[Labels, Labels] | None = None
    cursor: int = 0
    anchor: int | None = None
    past: History | None = None
    future: History | None = None
    search: str = ""
    message: str = ""
    order: Order = "page"

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def is_done(self) -> bool:
        return None not in self.labels

    @property
    def marked(self) -> tuple[int, int]:
        """The first and the last block that an action is about: the marked range, or the block under the cursor."""
        other = self.cursor if self.anchor is None else self.anchor
        return min(self.cursor, other), max(self.cursor, other)


def agreed(one: Labels, two: Labels) -> Labels:
    """Where two annotators agree there is nothing left to decide."""
    return tuple(left if left == right else None for left, right in zip(one, two, strict=True))


# Moving


def at(session: Session, block: int) -> Session:
    return replace(session, cursor=max(0, min(block, len(session) - 1)), message="")


def moved(session: Session, by: int) -> Session:
    return at(session, session.cursor + by)


def begun(session: Session) -> Session:
    """Where there is something to decide, first of all: a page that nobody has worked on."""
    waiting = _open(session, range(len(session)))
    return at(session, min(waiting, key=partial(_rank, session))) if waiting else session


def to_next_open(session: Session, step: Literal[1, -1] = 1) -> Session:
    """On to a block without a label: in the order of the page, or from the least certain on; round from the end."""
    rank = partial(_rank, session)
    waiting = [block for block in _open(session, range(len(session))) if block != session.cursor]
    if not waiting:
        return replace(session, message=_nothing_open(session))
    here, nearest = rank(session.cursor), min if step > 0 else max
    ahead = [block for block in waiting if (rank(block) > here) == (step > 0)]
    return at(session, nearest(ahead or waiting, key=rank))


def _rank(session: Session, block: int) -> tuple[float, int]:
    is_by_certainty = session.order == "uncertain" and session.suggestions
    return (session.suggestions[block].probability if is_by_certainty else 0.0, block)


def _nothing_open(session: Session) -> str:
    return "every block has a label" if session.is_done else "every other block has a label"


def _open(session: Session, blocks: Iterable[int]) -> list[int]:
    return [block for block in blocks if session.labels[block] is None]


def to_next_doubtful(session: Session, step: Literal[1, -1] = 1) -> Session:
    """On to the next open block, in the order of the page, of whose label the model is not sure."""
    if not session.suggestions:
        return _without_model(session)
    for block in range(session.cursor + step, len(session) if step > 0 else -1, step):
        if session.labels[block] is None and session.suggestions[block].probability < _DOUBTFUL:
            return at(session, block)
    return replace(session, message="no doubtful block from here on")


# On pages that a shipped model has not seen, half of its errors are below, and few of the blocks.
_DOUBTFUL = 0.7


def to_next_kind(session: Session, step: Literal[1, -1] = 1) -> Session:
    """On to the next block that has, or would have, another label than this one."""
    kind = shown_label(session, session.cursor)
    further = range(session.cursor + step, len(session) if step > 0 else -1, step)
    end = len(session) - 1 if step > 0 else 0
    return at(session, next((block for block in further if shown_label(session, block) != kind), end))


def shown_label(session: Session, block: int) -> Label | None:
    """The label, or else the suggested one."""
    return session.labels[block] or (session.suggestions[block].label if session.suggestions else None)


def turned(session: Session) -> Session:
    """Goes through the open blocks in the other order."""
    if not session.suggestions:
        return replace(session, message="no model suggests anything: the order is the page's")
    order: Order = "page" if session.order == "uncertain" else "uncertain"
    return replace(session, order=order, message=f"order: {_ORDERS[order]}")


_ORDERS = {"page": "as on the page", "uncertain": "the least certain first"}


# Marking


def marking(session: Session) -> Session:
    """Begins a range at the cursor, or gives it up."""
    return replace(session, anchor=session.cursor if session.anchor is None else None, message="")


def stretched(session: Session, by: int) -> Session:
    """Moves the cursor's end of the range, which begins here if there is none."""
    return moved(session if session.anchor is not None else marking(session), by)


def unmarked(session: Session) -> Session:
    return replace(session, anchor=None, message="")


# Labeling


def labeled(session: Session, label: Label | None) -> Session:
    """Gives the block, or the whole range, this label, and moves on; None takes labels away."""
    first, last = session.marked
    changed = _changed(session, first, (label,) * (last + 1 - first))
    return _moved_on(changed, last) if label else at(unmarked(changed), session.cursor)


def accepted(session: Session) -> Session:
    """Confirms what is suggested for the block, or for the open blocks of the range, and moves on."""
    return accepted_all(session, *session.marked)


def accepted_all(session: Session, first: int, last: int) -> Session:
    """Confirms what is suggested for the open blocks from the first to the last, and moves on behind them."""
    return _moved_on(_confirmed(session, first, last), last) if session.suggestions else _without_model(session)


def _without_model(session: Session) -> Session:
    return replace(session, message="no model suggests anything")


def _confirmed(session: Session, first: int, last: int) -> Session:
    blocks = range(first, last + 1)
    return _changed(session, first, tuple(session.labels[n] or session.suggestions[n].label for n in blocks))


def taken(session: Session, side: Literal[0, 1]) -> Session:
    """Takes over what one of the two annotators gave the block or the range."""
    if session.sides is None:
        return replace(session, message="not a review: there are no two annotators to choose from")
    first, last = session.marked
    labels = session.sides[side][first : last + 1]
    if None in labels:
        return replace(session, message=f"annotator {side + 1} gave no label here")
    return _moved_on(_changed(session, first, labels), last)


def _changed(session: Session, first: int, after: Labels) -> Session:
    before = session.labels[first : first + len(after)]
    if before == after:
        return replace(session, message="")
    past = History(Change(first, before, after), session.past)
    return replace(session, labels=_with(session.labels, first, after), past=past, future=None, message="")


def _with(labels: Labels, first: int, stretch: Labels) -> Labels:
    return labels[:first] + stretch + labels[first + len(stretch) :]


def _moved_on(session: Session, last: int) -> Session:
    """To the next block; to the next open one where one goes from open block to open block."""
    session = unmarked(session)
    if session.is_done and session.past and None in session.past.change.before:
        return replace(at(session, last + 1), message=ALL_LABELED)
    if session.order == "uncertain" or session.sides:
        return to_next_open(session)
    is_end = last + 1 == len(session)
    return replace(at(session, last + 1), message=SOME_OPEN if is_end and not session.is_done else "")


# Undoing


def undone(session: Session) -> Session:
    if session.past is None:
        return replace(session, message="nothing to undo")
    change, rest = session.past
    return _put(replace(session, past=rest, future=History(change, session.future)), change.first, change.before)


def redone(session: Session) -> Session:
    if session.future is None:
        return replace(session, message="nothing to redo")
    change, rest = session.future
    return _put(replace(session, past=History(change, session.past), future=rest), change.first, change.after)


def _put(session: Session, first: int, labels: Labels) -> Session:
    return at(replace(session, labels=_with(session.labels, first, labels), anchor=None), first)


def difference(before: Labels, after: Labels) -> Change | None:
    """The smallest stretch that holds all that differs."""
    if before is after or before == after:
        return None
    differing = [n for n, (left, right) in enumerate(zip(before, after, strict=True)) if left is not right]
    first, end = differing[0], differing[-1] + 1
    return Change(first, before[first:end], after[first:end])


# Searching


def searched(session: Session, text: str, start: int | None = None) -> Session:
    """To the first block from the start on that holds the text, whatever the case, round from the end; else there."""
    start = session.cursor if start is None else start
    return _found(replace(at(session, start), search=text), [*range(start, len(session)), *range(start)])


def found_next(session: Session) -> Session:
    return _found(session, [*range(session.cursor + 1, len(session)), *range(session.cursor + 1)])


def found_previous(session: Session) -> Session:
    return _found(session, [*range(session.cursor - 1, -1, -1), *range(len(session) - 1, session.cursor - 1, -1)])


def _found(session: Session, blocks: Sequence[int]) -> Session:
    if not session.search:
        return replace(session, message="nothing to search for")
    wanted, texts = session.search.casefold(), _folded(session.page)
    for block in blocks:
        if wanted in texts[block]:
            return at(session, block)
    return replace(session, message=f"not on this page: {session.search}")


@once_per_page
def _folded(page: Page) -> list[str]:
    return [text.casefold() for text in page.texts]


# Summaries


def counts(session: Session) -> dict[Label, int]:
    """How many blocks have each of the five labels, and each other that any has."""
    found = Counter(session.labels)
    return {label: found[label] for label in Label if label in LABELS or found[label]}


def kept_words(session: Session) -> int:
    """The words of all blocks that are labeled as content."""
    is_content = [label is not None and label.is_content for label in session.labels]
    return int(words(session.page)[is_content].sum())
