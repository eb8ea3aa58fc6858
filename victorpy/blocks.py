"""A page is a sequence of text blocks; a labeling is one label per block. Everything else reads or writes these two."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property, wraps
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from victorpy.markup import VOID, Markup

Ints = NDArray[np.integer[Any]]
Flags = NDArray[np.bool_]


class Label(StrEnum):
    """One of the five, or a field of a post, which stands for one of the five wherever no more is known."""

    PARAGRAPH = "p"
    HEADER = "h"
    LIST = "l"
    CONTINUATION = "c"
    OTHER = "other"
    TITLE = "title"
    DATE = "date"
    AUTHOR = "author"
    COMMENT = "comment"

    @property
    def base(self) -> "Label":
        return _BASES.get(self, self)

    @property
    def is_content(self) -> bool:
        return self.base is not Label.OTHER


_BASES = {
    Label.TITLE: Label.HEADER,
    Label.DATE: Label.OTHER,
    Label.AUTHOR: Label.OTHER,
    Label.COMMENT: Label.PARAGRAPH,
}

FIELDS = tuple(_BASES)

LABELS = tuple(label for label in Label if label not in FIELDS)


class Block(NamedTuple):
    """A run of text between tags: what is labeled."""

    id: int
    text: str
    containers: tuple[str, ...]
    distance: tuple[str, ...]
    div_group: int
    td_group: int
    line: int
    is_spaced: bool


class Elements(NamedTuple):
    """The elements of a page in document order, a column per property; the root is its own parent."""

    tags: list[str]
    codes: NDArray[np.int16]
    parents: Ints
    depths: Ints
    ends: Ints
    lines: Ints
    roles: NDArray[np.int8]


class Runs(NamedTuple):
    """The stretches of text that no tag interrupts, in document order: a block is one run, or several merged."""

    element: Ints
    place: Ints
    block: Ints
    start: Ints


class Seen(NamedTuple):
    """How many other pages of a page's site are known, and in how many of them each block is: by its text alone, and by
    its text and the tags around it."""

    pages: int
    texts: Ints
    paths: Ints


Value = TypeVar("Value")
Masks = TypeVar("Masks", bound=NDArray[np.unsignedinteger[Any]])


@dataclass(frozen=True, eq=False)
class Page:
    """One document: its blocks as columns, and the elements that enclose them."""

    id: str
    url: str | None
    title: str
    markup: Markup
    elements: Elements
    runs: Runs
    texts: list[str]
    is_spaced: Flags
    is_new_line: Flags
    seen: Seen | None = None
    attributes: Mapping[str, Sequence[str | None]] = field(default_factory=dict)
    derived: dict[Any, Any] = field(default_factory=dict, repr=False)

    def __len__(self) -> int:
        return len(self.texts)

    def __getstate__(self) -> dict[str, Any]:
        names = (name for name in self.__dataclass_fields__ if name != "derived")
        return {name: getattr(self, name) for name in names} | {"derived": {}}

    @cached_property
    def text(self) -> str:
        """The text of all blocks, a line each."""
        return "\n".join(self.texts)

    @cached_property
    def lengths(self) -> Ints:
        return np.fromiter(map(len, self.texts), np.int32, len(self.texts))

    @cached_property
    def starts(self) -> Ints:
        """Where in `text` each block begins."""
        starts = np.zeros(len(self.texts), np.int32)
        np.cumsum(self.lengths[:-1] + 1, out=starts[1:])
        return starts

    @cached_property
    def first_runs(self) -> Ints:
        is_first = np.ones(len(self.runs.block), np.bool_)
        np.not_equal(self.runs.block[1:], self.runs.block[:-1], out=is_first[1:])
        return np.flatnonzero(is_first).astype(np.int32)

    @cached_property
    def last_runs(self) -> Ints:
        return np.append(self.first_runs, np.int32(len(self.runs.block)))[1:] - np.int32(1)

    @cached_property
    def element(self) -> Ints:
        """The innermost element that holds the whole of each block."""
        return common_elements(self.elements, self.runs.element[self.first_runs], self.runs.element[self.last_runs])

    @cached_property
    def blocks(self) -> list[Block]:
        """Every block as a value of its own: for people and tools; labelers read the columns."""
        return [self.block(number) for number in range(len(self))]

    def block(self, number: int) -> Block:
        element = int(self.element[number])
        return Block(
            id=number,
            text=self.texts[number],
            containers=containers(self.elements, element),
            distance=self.distance(number),
            div_group=int(nearest(self, "div")[self.element[number]]),
            td_group=int(nearest(self, "td")[self.element[number]]),
            line=int(self.elements.lines[element]),
            is_spaced=bool(self.is_spaced[number]),
        )

    def distance(self, number: int) -> tuple[str, ...]:
        """The tags seen since the block before: `x` for an opening, `/x` for a closing one."""
        since = self.runs.place[self.last_runs[number - 1]] if number else 0
        events = tag_events(self.elements)[since : self.runs.place[self.first_runs[number]]]
        names = ((self.elements.tags[abs(event) - 1], event < 0) for event in events.tolist())
        return tuple("/" * is_closing + tag for tag, is_closing in names if not (is_closing and tag in VOID))


def once_per_page(function: Callable[..., Value]) -> Callable[..., Value]:
    """Remembers on the page what a function of the page (and of hashable details) returns."""

    @wraps(function)
    def value(page: Page, *details: Any) -> Value:
        key = (function, details) if details else function
        known = page.derived.get(key, page)
        if known is page:
            known = page.derived[key] = function(page, *details)
        return known  # type: ignore[no-any-return]

    return value


def tag_places(elements: Elements) -> tuple[Ints, Ints]:
    """Where each element opens, and where it closes, among all tags in the order in which they stand."""
    opening = np.arange(0, 2 * len(elements.depths), 2, dtype=np.int32) - elements.depths
    return opening, 2 * elements.ends - elements.depths - np.int32(1)


def tag_events(elements: Elements) -> Ints:
    """All tags in the order in which they stand: element i opens as i + 1 and closes as -(i + 1)."""
    opening, closing = tag_places(elements)
    numbers = np.arange(1, len(opening) + 1, dtype=np.int32)
    events = np.empty(2 * len(numbers), np.int32)
    events[opening], events[closing] = numbers, -numbers
    return events


@once_per_page
def nearest(page: Page, tag: str) -> Ints:
    """For every element the nearest one of this tag around it, itself included; the root where there is none."""
    return nearest_marked(page.elements, page.elements.codes == page.markup.codes[tag])


def nearest_marked(elements: Elements, is_marked: Flags) -> Ints:
    """For every element the nearest marked one around it, itself included; the root where there is none."""
    return fixed_points(np.where(is_marked, np.arange(len(is_marked), dtype=np.int32), elements.parents))


def fixed_points(pointers: Ints) -> Ints:
    """Follows every pointer to its end, doubling the stride: as many steps as the depth has binary digits."""
    while True:
        further = pointers.take(pointers)
        if (further == pointers).all():
            return pointers
        pointers = further


def inherited(elements: Elements, masks: Masks) -> Masks:
    """The bits of every element and of all around it: it takes over from its parents, doubling the stride."""
    parents = elements.parents
    while parents.any():
        np.bitwise_or(masks, masks.take(parents), out=masks)
        parents = parents.take(parents)
    np.bitwise_or(masks, masks[:1], out=masks)
    return masks


def containers(elements: Elements, element: int) -> tuple[str, ...]:
    """The tags around, outermost first."""
    names = [elements.tags[element]]
    while element:
        element = int(elements.parents[element])
        names.append(elements.tags[element])
    return tuple(reversed(names))


def common_elements(elements: Elements, first: Ints, last: Ints) -> Ints:
    """The innermost elements around both; a subtree is a range of numbers, so one comparison tells."""
    common = first.copy()
    apart = np.flatnonzero(first != last)
    while len(apart):
        around, inner = common[apart], last[apart]
        apart = apart[(inner < around) | (inner >= elements.ends[around])]
        common[apart] = elements.parents[common[apart]]
    return common
