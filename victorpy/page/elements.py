"""The elements of a page as arrays: the places of their tags, and which element is in which."""

from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.integer[Any]]
Flags = NDArray[np.bool_]
Floats = NDArray[np.floating[Any]]
Masks = TypeVar("Masks", bound=NDArray[np.unsignedinteger[Any]])


class Elements(NamedTuple):
    """The elements of a page in document order, with a column for each property; the root is its own parent."""

    tags: list[str]
    codes: NDArray[np.int16]
    parents: Ints
    depths: Ints
    ends: Ints
    lines: Ints
    roles: NDArray[np.int8]


class Runs(NamedTuple):
    """The runs of text between tags, in document order: a block is one run or several."""

    element: Ints
    place: Ints
    block: Ints
    start: Ints


def tag_places(elements: Elements) -> tuple[Ints, Ints]:
    """The numbers of the opening and of the closing tag of each element among all tags of the page."""
    opening = np.arange(0, 2 * len(elements.depths), 2, dtype=np.int32) - elements.depths
    return opening, 2 * elements.ends - elements.depths - np.int32(1)


def tag_events(elements: Elements) -> Ints:
    """All tags in document order: element i opens as i + 1 and closes as -(i + 1)."""
    opening, closing = tag_places(elements)
    numbers = np.arange(1, len(opening) + 1, dtype=np.int32)
    events = np.empty(2 * len(numbers), np.int32)
    events[opening], events[closing] = numbers, -numbers
    return events


def nearest_marked(elements: Elements, is_marked: Flags) -> Ints:
    """For each element, the nearest marked one among itself and its ancestors; the root if there is none."""
    return fixed_points(np.where(is_marked, np.arange(len(is_marked), dtype=np.int32), elements.parents))


def fixed_points(pointers: Ints) -> Ints:
    """Follow every pointer to its end. The stride doubles, so the steps are the logarithm of the depth."""
    while True:
        further = pointers.take(pointers)
        if (further == pointers).all():
            return pointers
        pointers = further


def inherited(elements: Elements, masks: Masks) -> Masks:
    """The bits of each element and its ancestors, found with a stride that doubles."""
    parents = elements.parents
    while parents.any():
        np.bitwise_or(masks, masks.take(parents), out=masks)
        parents = parents.take(parents)
    np.bitwise_or(masks, masks[:1], out=masks)
    return masks


def containers(elements: Elements, element: int) -> tuple[str, ...]:
    """The tags of an element and its ancestors, outermost first."""
    names = [elements.tags[element]]
    while element:
        element = int(elements.parents[element])
        names.append(elements.tags[element])
    return tuple(reversed(names))
