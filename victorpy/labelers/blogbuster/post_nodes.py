"""Finds the posts of a page step by step, as the paper's algorithm does (section 4)."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from victorpy.features.element_blocks import blocks_in_elements
from victorpy.labelers.blogbuster import printed_patterns as printed
from victorpy.labelers.blogbuster.printed_patterns import matcher
from victorpy.page.blocks import Page

# So many siblings before a post are looked at, so that time does not grow with the square of their number.
_FURTHEST = 100
# Titles and dates are looked for in these, on pages with posts.
_OTHERS = sorted({*printed.TITLE_TAGS, *printed.DATE_SIBLINGS})


class PostNode(NamedTuple):
    """A <div> with a post, and the elements of its body, title and date; 0 stands for none."""

    element: int
    body: int
    title: int
    date: int


class PageTree:
    """The elements of a page with their children, and the values of all attributes."""

    def __init__(self, page: Page):
        self.page, self.tags = page, page.elements.tags
        self.parents: list[int] = page.elements.parents.tolist()
        self.ends: list[int] = page.elements.ends.tolist()
        self.first, self.last = (borders.tolist() for borders in blocks_in_elements(page))
        self.places = [0] * len(self.tags)
        # The root is its own parent.
        self.children: list[list[int]] = [[] for _ in self.tags]
        for element, parent in enumerate(self.parents[1:], 1):
            self.places[element] = len(self.children[parent])
            self.children[parent].append(element)
        self.run_blocks: list[int] = page.runs.block.tolist()
        self.run_starts: list[int] = page.runs.start.tolist()
        self.values_of_divs = page.core.attribute_values(["div"])

    @cached_property
    def values_of_others(self) -> list[list[str] | None]:
        return self.page.core.attribute_values(_OTHERS)

    def has(self, element: int, patterns: Sequence[str]) -> bool:
        """Does any attribute of the element match?"""
        of_tag = self.values_of_divs if self.tags[element] == "div" else self.values_of_others
        return any(map(matcher(patterns).match, of_tag[element] or ()))

    def has_class(self, element: int, patterns: Sequence[str]) -> bool:
        """Does the class attribute match, or one of the names in it?"""
        value = self.page.attributes["class"][element]
        return value is not None and any(map(matcher(patterns).match, (value, *value.split())))

    def below(self, element: int, *tags: str) -> Iterator[int]:
        return (inner for inner in range(element + 1, self.ends[element]) if self.tags[inner] in tags)

    def siblings_before(self, element: int, tags: Iterable[str]) -> Iterator[int]:
        """The nearest first."""
        place = self.places[element]
        among = self.children[self.parents[element]][max(0, place - _FURTHEST) : place]
        return (sibling for sibling in reversed(among) if self.tags[sibling] in tags)

    def blocks(self, element: int) -> range:
        return range(self.first[element], self.last[element])


def post_nodes(tree: PageTree) -> list[PostNode]:
    """The posts in document order. An element with several posts in it is their list; a body belongs to one post."""
    found = [(element, _body(tree, element)) for element in _candidates(tree)]
    bodies = [pair for pair in found if pair[1]]
    lists = {element for element, _ in bodies if _posts_inside(tree, element, bodies) > 1}
    kept: list[tuple[int, int]] = []
    for element, body in bodies:
        if element not in lists and not (kept and element < tree.ends[kept[-1][0]]):
            kept.append((element, body))
    return [PostNode(element, body, _title(tree, element), _date(tree, element)) for element, body in kept]


def _candidates(tree: PageTree) -> list[int]:
    """Step 1: every <div> of which an attribute matches."""
    return [element for element, tag in enumerate(tree.tags) if tag == "div" and tree.has(element, printed.POSTS)]


def _posts_inside(tree: PageTree, element: int, bodies: Sequence[tuple[int, int]]) -> int:
    """How many bodies of other posts are in the element."""
    inside = slice(bisect_right(bodies, (element, tree.ends[element])), bisect_left(bodies, (tree.ends[element], 0)))
    return len({body for _, body in bodies[inside]})


def _body(tree: PageTree, element: int) -> int:
    """Step 2: the post itself, or a <div> that is its child, or 0."""
    if tree.has_class(element, printed.OWN_BODIES):
        return element
    inner = (child for child in tree.children[element] if tree.tags[child] == "div")
    bodies = (child for child in inner if tree.has_class(child, printed.INNER_BODIES))
    # "entrymeta" is a date, and "entry*" a body.
    return next((child for child in bodies if not tree.has_class(child, printed.DATE_DIVS)), 0)


def _title(tree: PageTree, element: int) -> int:
    """Step 3."""
    for tag in printed.TITLE_TAGS:
        inner = (inner for inner in tree.below(element, tag) if tree.has(inner, printed.TITLES))
        if found := next(inner, 0):
            return found
    return next(tree.siblings_before(element, printed.TITLE_SIBLINGS), 0)


def _date(tree: PageTree, element: int) -> int:
    """Step 4."""
    divs = [*tree.below(element, "div")]
    if found := next((div for div in divs if tree.has_class(div, printed.DATE_DIVS)), 0):
        return found
    for div in divs:
        if tree.has_class(div, printed.FACT_DIVS) and (found := _date_in(tree, div)):
            return found
    before = tree.siblings_before(element, printed.DATE_SIBLINGS)
    return next((sibling for sibling in before if tree.has(sibling, printed.DATES_BEFORE)), 0)


def _date_in(tree: PageTree, div: int) -> int:
    for tag, patterns in (("span", printed.DATE_SPANS), ("small", printed.DATE_SMALLS)):
        inner = (inner for inner in tree.below(div, tag) if tree.has(inner, patterns))
        if found := next(inner, 0):
            return found
    return 0


def comment_blocks(tree: PageTree) -> set[int]:
    """The blocks inside elements that are named as comments."""
    elements = (element for element, tag in enumerate(tree.tags) if tag in printed.COMMENT_TAGS)
    return {block for element in elements if _is_of_comments(tree, element) for block in tree.blocks(element)}


def _is_of_comments(tree: PageTree, element: int) -> bool:
    name = tree.page.attributes["id"][element] or ""
    return tree.has_class(element, printed.COMMENTS) or matcher(printed.COMMENTS).match(name) is not None
