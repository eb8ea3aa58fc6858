"""The state of labeling a page, and every action on it as a function from session to session."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Literal, NamedTuple

from victorpy.features.tokens import words
from victorpy.page.blocks import LABELS, Label, Page, once_per_page

Labels = tuple[Label | None, ...]
Order = Literal["page", "uncertain"]

ALL_LABELED = "every block of the page has a label"
SOME_OPEN = "end of the page; some blocks have no label yet"


class Suggestion(NamedTuple):
    """The label that a model suggests for a block, and its probability."""

    label: Label
    probability: float


class Edit(NamedTuple):
    """The labels of consecutive blocks, before and after."""

    first: int
    before: Labels
    after: Labels


class EditHistory(NamedTuple):
    """Edits as a linked list, the latest first: adding one takes constant time."""

    change: Edit
    rest: "EditHistory | None"


@dataclass(frozen=True, eq=False)
class Session:
    """A page with its labels so far; `anchor` is the other end of the marked range.

    In a review, `sides` are the labels of the two annotators. `flags` are the flagged blocks with their notes.
    """

    page: Page
    labels: Labels
    suggestions: tuple[Suggestion, ...] = ()
    sides: tuple[Labels, Labels] | None = None
    cursor: int = 0
    anchor: int | None = None
    past: EditHistory | None = None
    future: EditHistory | None = None
    search: str = ""
    message: str = ""
    order: Order = "page"
    flags: Mapping[int, str] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def is_done(self) -> bool:
        return None not in self.labels

    @property
    def marked(self) -> tuple[int, int]:
        """The first and last block that an action applies to: the marked range, or the block under the cursor."""
        other = self.cursor if self.anchor is None else self.anchor
        return min(self.cursor, other), max(self.cursor, other)


def agreed_labels(one: Labels, two: Labels) -> Labels:
    """The labels on which both annotators agree, and None elsewhere."""
    return tuple(left if left == right else None for left, right in zip(one, two, strict=True))


# Moving


def moved_to(session: Session, block: int) -> Session:
    return replace(session, cursor=max(0, min(block, len(session) - 1)), message="")


def moved_by(session: Session, by: int) -> Session:
    return moved_to(session, session.cursor + by)


def at_first_open(session: Session) -> Session:
    """Start at the first block without a label."""
    unlabeled = _unlabeled(session, range(len(session)))
    return moved_to(session, min(unlabeled, key=partial(_rank, session))) if unlabeled else session


def to_next_open(session: Session, step: Literal[1, -1] = 1) -> Session:
    """Go to the next block without a label, in the current order; wrap around at the end."""
    rank = partial(_rank, session)
    unlabeled = [block for block in _unlabeled(session, range(len(session))) if block != session.cursor]
    if not unlabeled:
        return replace(session, message=_nothing_open(session))
    here, nearest = rank(session.cursor), min if step > 0 else max
    ahead = [block for block in unlabeled if (rank(block) > here) == (step > 0)]
    return moved_to(session, nearest(ahead or unlabeled, key=rank))


def _rank(session: Session, block: int) -> tuple[float, int]:
    is_by_certainty = session.order == "uncertain" and session.suggestions
    return (session.suggestions[block].probability if is_by_certainty else 0.0, block)


def _nothing_open(session: Session) -> str:
    return "every block has a label" if session.is_done else "every other block has a label"


def _unlabeled(session: Session, blocks: Iterable[int]) -> list[int]:
    return [block for block in blocks if session.labels[block] is None]


def to_next_doubtful(session: Session, step: Literal[1, -1] = 1) -> Session:
    """Go to the next block without a label whose suggestion is uncertain, in page order."""
    if not session.suggestions:
        return _without_model(session)
    for block in range(session.cursor + step, len(session) if step > 0 else -1, step):
        if session.labels[block] is None and session.suggestions[block].probability < _DOUBTFUL:
            return moved_to(session, block)
    return replace(session, message="no more doubtful blocks in this direction")


# On new pages, half of the errors of a shipped model are below this, but few of all blocks.
_DOUBTFUL = 0.7


def to_next_kind(session: Session, step: Literal[1, -1] = 1) -> Session:
    """Go to the next block with another label, given or suggested, than this one."""
    kind = shown_label(session, session.cursor)
    further = range(session.cursor + step, len(session) if step > 0 else -1, step)
    end = len(session) - 1 if step > 0 else 0
    return moved_to(session, next((block for block in further if shown_label(session, block) != kind), end))


def shown_label(session: Session, block: int) -> Label | None:
    """The given label, or else the suggested one."""
    return session.labels[block] or (session.suggestions[block].label if session.suggestions else None)


def order_switched(session: Session) -> Session:
    """Switch between page order and least certain first."""
    if not session.suggestions:
        return replace(session, message="no model, so no suggestions: blocks stay in page order")
    order: Order = "page" if session.order == "uncertain" else "uncertain"
    return replace(session, order=order, message=f"order: {_ORDERS[order]}")


_ORDERS = {"page": "as on the page", "uncertain": "least certain first"}


# Marking


def mark_toggled(session: Session) -> Session:
    """Start a range at the cursor, or cancel the range."""
    return replace(session, anchor=session.cursor if session.anchor is None else None, message="")


def mark_extended(session: Session, by: int) -> Session:
    """Move the cursor's end of the range; start a range if there is none."""
    return moved_by(session if session.anchor is not None else mark_toggled(session), by)


def unmarked(session: Session) -> Session:
    return replace(session, anchor=None, message="")


# Labeling


def labeled(session: Session, label: Label | None) -> Session:
    """Label the block or the range and move on; None removes labels."""
    first, last = session.marked
    changed = _changed(session, first, (label,) * (last + 1 - first))
    return _moved_on(changed, last) if label else moved_to(unmarked(changed), session.cursor)


def accepted(session: Session) -> Session:
    """Accept the suggestions for the block, or for the unlabeled blocks of the range, and move on."""
    return accepted_range(session, *session.marked)


def accepted_range(session: Session, first: int, last: int) -> Session:
    """Accept the suggestions for the unlabeled blocks from first to last, and move on after them."""
    return _moved_on(_confirmed(session, first, last), last) if session.suggestions else _without_model(session)


def _without_model(session: Session) -> Session:
    return replace(session, message="no model, so no suggestions")


def _confirmed(session: Session, first: int, last: int) -> Session:
    blocks = range(first, last + 1)
    return _changed(session, first, tuple(session.labels[n] or session.suggestions[n].label for n in blocks))


def side_taken(session: Session, side: Literal[0, 1]) -> Session:
    """Give the block or the range the labels of one of the two annotators."""
    if session.sides is None:
        return replace(session, message="not a review: there are no two annotators to choose from")
    first, last = session.marked
    labels = session.sides[side][first : last + 1]
    if None in labels:
        return replace(session, message=f"annotator {side + 1} gave no label here")
    return _moved_on(_changed(session, first, labels), last)


def relabeled(session: Session, labels: Labels) -> Session:
    """All these labels at once, as one edit."""
    edit = difference(session.labels, labels)
    return _changed(session, edit.first, edit.after) if edit else session


def _changed(session: Session, first: int, after: Labels) -> Session:
    before = session.labels[first : first + len(after)]
    if before == after:
        return replace(session, message="")
    past = EditHistory(Edit(first, before, after), session.past)
    return replace(session, labels=_with(session.labels, first, after), past=past, future=None, message="")


def _with(labels: Labels, first: int, new: Labels) -> Labels:
    return labels[:first] + new + labels[first + len(new) :]


def _moved_on(session: Session, last: int) -> Session:
    """Move to the next block, or to the next unlabeled one in a review or with the least certain first."""
    session = unmarked(session)
    if session.is_done and session.past and None in session.past.change.before:
        return replace(moved_to(session, last + 1), message=ALL_LABELED)
    if session.order == "uncertain" or session.sides:
        return to_next_open(session)
    is_end = last + 1 == len(session)
    return replace(moved_to(session, last + 1), message=SOME_OPEN if is_end and not session.is_done else "")


# Flags


def flag_toggled(session: Session) -> Session:
    """Flag the block, or remove its flag and its note."""
    return noted(session, None if session.cursor in session.flags else "")


def noted(session: Session, note: str | None) -> Session:
    """Flag the block with a note; None removes the flag."""
    others = {block: text for block, text in session.flags.items() if block != session.cursor}
    return replace(session, flags=others if note is None else {**others, session.cursor: note}, message="")


def to_next_flag(session: Session) -> Session:
    """Go to the next flagged block; wrap around at the end."""
    if not session.flags:
        return replace(session, message="no block is flagged")
    ahead = [block for block in session.flags if block > session.cursor]
    return moved_to(session, min(ahead or session.flags))


# Undoing


def undone(session: Session) -> Session:
    if session.past is None:
        return replace(session, message="nothing to undo")
    change, rest = session.past
    return _restored(
        replace(session, past=rest, future=EditHistory(change, session.future)), change.first, change.before
    )


def redone(session: Session) -> Session:
    if session.future is None:
        return replace(session, message="nothing to redo")
    change, rest = session.future
    return _restored(replace(session, past=EditHistory(change, session.past), future=rest), change.first, change.after)


def _restored(session: Session, first: int, labels: Labels) -> Session:
    return moved_to(replace(session, labels=_with(session.labels, first, labels), anchor=None), first)


def difference(before: Labels, after: Labels) -> Edit | None:
    """The smallest edit that covers all differences."""
    if before is after or before == after:
        return None
    differing = [n for n, (left, right) in enumerate(zip(before, after, strict=True)) if left is not right]
    first, end = differing[0], differing[-1] + 1
    return Edit(first, before[first:end], after[first:end])


# Searching


def searched(session: Session, text: str, start: int | None = None) -> Session:
    """Go to the first block from `start` on with the text; ignore case, and wrap around at the end."""
    start = session.cursor if start is None else start
    return _found(replace(moved_to(session, start), search=text), [*range(start, len(session)), *range(start)])


def found_next(session: Session) -> Session:
    return _found(session, [*range(session.cursor + 1, len(session)), *range(session.cursor + 1)])


def found_previous(session: Session) -> Session:
    return _found(session, [*range(session.cursor - 1, -1, -1), *range(len(session) - 1, session.cursor - 1, -1)])


def _found(session: Session, blocks: Sequence[int]) -> Session:
    if not session.search:
        return replace(session, message="no text to search for")
    text, texts = session.search.casefold(), _folded(session.page)
    for block in blocks:
        if text in texts[block]:
            return moved_to(session, block)
    return replace(session, message=f"not on this page: {session.search}")


@once_per_page
def _folded(page: Page) -> list[str]:
    return [text.casefold() for text in page.texts]


# Summaries


def counts(session: Session) -> dict[Label, int]:
    """The number of blocks with each of the five labels, and with any other label in use."""
    found = Counter(session.labels)
    return {label: found[label] for label in Label if label in LABELS or found[label]}


def kept_words(session: Session) -> int:
    """The number of words in blocks labeled as content."""
    is_content = [label is not None and label.is_content for label in session.labels]
    return int(words(session.page)[is_content].sum())
