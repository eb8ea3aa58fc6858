"""Pages made from two: the comments or posts of one page go below the text of another, by the bytes of their sources.

Hardly a page has its comments marked, and so networks take the comments of unseen sites for text. The altered source is
parsed like any other, and each block has the label that it had where it came from. A page on which more than a few
blocks cannot be found again is not used.
"""

import random
import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from victorpy.annotation.anno_files import AnnotatedPage
from victorpy.page.blocks import Label, Page
from victorpy.page.markup import Markup
from victorpy.page.segment import segment

_PARTS = rb"div|section|aside|article|main|ul|ol|li|dl|table|form|blockquote|p"
_SCANNED = re.compile(
    rb"<!--.*?-->|<(script|style|noscript|textarea|title|svg|template|iframe)\b.*?</\1\s*>"
    rb"|<(/?)(" + _PARTS + rb")(?=[\s/>])(?:[^<>\"']|\"[^\"]*\"|'[^']*')*>",
    re.DOTALL | re.IGNORECASE,
)
_LARGEST_PART = 60_000
_LARGEST_PAGE = 400_000
# Of a page's comments, and of the letters in their part.
_ALL, _MOST = 0.8, 0.5
_FOUND_AGAIN = 0.97
_AROUND = b"\n"

T = TypeVar("T")


@dataclass(frozen=True)
class Part:
    """A range of bytes of a source, and the numbers of the blocks in it."""

    start: int
    end: int
    blocks: range


@dataclass(frozen=True)
class Source:
    """The bytes of a page, where its blocks are, and its elements."""

    page: Page

    @cached_property
    def content(self) -> bytes:
        return self.page.core.source.encode("utf-8", "replace")

    @cached_property
    def ranges(self) -> list[tuple[int, int] | None]:
        return [range for _, range in self.page.core.places([[block] for block in range(len(self.page))])]

    @cached_property
    def parts(self) -> list[Part]:
        """The elements around blocks, inner ones first."""
        return [part for start, end in _elements(self.content) if (part := self._part(start, end))]

    @cached_property
    def _begins(self) -> list[tuple[int, int]]:
        """Where each block begins, and the block; sorted."""
        return sorted((at[0], block) for block, at in enumerate(self.ranges) if at)

    def _part(self, start: int, end: int) -> Part | None:
        first, last = (bisect_left(self._begins, (place,)) for place in (start, end))
        inside = sorted(block for _, block in self._begins[first:last] if self._ends_by(block, end))
        if not inside or inside[-1] - inside[0] + 1 != len(inside):
            return None
        return Part(start, end, range(inside[0], inside[-1] + 1))

    def _ends_by(self, block: int, end: int) -> bool:
        at = self.ranges[block]
        return at is not None and at[1] <= end


def _elements(content: bytes) -> Iterator[tuple[int, int]]:
    """From start tags to the end tags that belong to them; an element in which one lacks is left out."""
    open_elements: list[tuple[bytes, int]] = []
    for found in _SCANNED.finditer(content):
        name = found[3] and found[3].lower()
        if not name:
            continue
        if not found[2]:
            open_elements.append((name, found.start()))
        elif open_elements and open_elements[-1][0] == name:
            yield open_elements.pop()[1], found.end()
        elif name in (known for known, _ in open_elements):
            while open_elements.pop()[0] != name:
                pass


@dataclass(frozen=True)
class Comments:
    """The part of a page that holds its comments, and the labels of the part's blocks where comments are content."""

    source: Source
    part: Part
    labels: Sequence[Label | None]


def comments_of(page: Page, article: Sequence[Label | None], commented: Sequence[Label | None]) -> Comments | None:
    """The smallest part with nearly all comments, nothing of the article, and little else."""
    are = [_is_content(label) and not _is_content(before) for before, label in zip(article, commented, strict=True)]
    lengths, source = page.lengths, Source(page)
    whole = sum(int(length) for length, is_one in zip(lengths, are, strict=True) if is_one)
    for part in source.parts if whole else ():
        inside = sum(int(lengths[block]) for block in part.blocks if are[block])
        every = sum(int(lengths[block]) for block in part.blocks)
        is_apart = not any(_is_content(article[block]) for block in part.blocks)
        if is_apart and inside >= _ALL * whole and inside >= _MOST * every and part.end - part.start <= _LARGEST_PART:
            return Comments(source, part, [commented[block] for block in part.blocks])
    return None


def _is_content(label: Label | None) -> bool:
    return label is not None and label.is_content


def grafted(annotated: AnnotatedPage, comments: Comments, chance: random.Random, markup: Markup) -> list[AnnotatedPage]:
    """An article with the comments below it: they are noise, but in scope discussion. Nothing if that cannot be."""
    source = Source(annotated.page)
    place = _below_text(source, annotated.labels, chance)
    if place is None:
        return []
    graft = comments.source.content[comments.part.start : comments.part.end]
    page = _joined(source, place, graft, markup)
    origins = _origins(page, source, comments, place, len(graft)) if page else None
    if page is None or origins is None:
        return []
    before, of_comments = annotated.labels, dict(zip(comments.part.blocks, comments.labels, strict=True))
    no_comments = [False if _is_content(label) else None for label in before]
    are = [*map(_is_content, of_comments.values())]
    marks = _from(origins, no_comments, dict(zip(of_comments, are, strict=True)))
    without = _from(origins, before, dict.fromkeys(of_comments, Label.OTHER))
    altered = annotated._replace(page=page, labels=without, fields={Label.COMMENT: marks})
    return [altered, altered._replace(labels=_from(origins, before, of_comments), scopes=("discussion",))]


def _below_text(source: Source, labels: Sequence[Label | None], chance: random.Random) -> int | None:
    """The end of an element that ends behind the last content block and within all that holds the text."""
    content = [block for block, label in enumerate(labels) if _is_content(label)]
    if not content:
        return None
    around = [part for part in source.parts if content[-1] in part.blocks]
    whole = [part.end for part in around if content[0] in part.blocks]
    fitting = [part.end for part in around if not whole or part.end <= whole[0]]
    return chance.choice(fitting) if fitting else None


def _joined(source: Source, place: int, graft: bytes, markup: Markup) -> Page | None:
    content = b"".join((source.content[:place], _AROUND, graft, _AROUND, source.content[place:]))
    return segment(content.decode("utf-8"), source.page.id, markup=markup) if len(content) <= _LARGEST_PAGE else None


# A block of the page where it came from, and whether that is the page of the comments.
_Origin = tuple[int, bool] | None


def _origins(page: Page, source: Source, comments: Comments, place: int, size: int) -> list[_Origin] | None:
    """Where each block came from, if nearly all are found again."""
    start, end = place + len(_AROUND), place + size + 2 * len(_AROUND)
    before = {at: block for block, at in enumerate(source.ranges) if at}
    inside = {at: block for block in comments.part.blocks if (at := comments.source.ranges[block])}

    def origin(at: tuple[int, int] | None) -> _Origin:
        if at is None:
            return None
        if place < at[1] and at[0] < end:
            return _known(inside.get(_moved(at, comments.part.start - start)), is_comment=True)
        return _known(before.get(at if at[1] <= place else _moved(at, place - end)), is_comment=False)

    origins = [origin(at) for at in Source(page).ranges]
    expected = max(len(origins), len(source.page) + len(comments.part.blocks))
    return origins if sum(one is not None for one in origins) >= _FOUND_AGAIN * expected else None


def _moved(at: tuple[int, int], shift: int) -> tuple[int, int]:
    return at[0] + shift, at[1] + shift


def _known(block: int | None, *, is_comment: bool) -> _Origin:
    return None if block is None else (block, is_comment)


def _from(
    origins: Sequence[_Origin], before: Sequence[T | None], of_comments: Mapping[int, T | None]
) -> list[T | None]:
    """The values of blocks at their new places."""
    return [one and (of_comments[one[0]] if one[1] else before[one[0]]) for one in origins]
