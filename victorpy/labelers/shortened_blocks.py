"""A labeled page without the parts of its blocks that the labeling leaves out."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from victorpy.labelers import Labeling
from victorpy.page.blocks import Label, Page
from victorpy.page.omission import without
from victorpy.page.posts import Post

Item = TypeVar("Item")


def shortened(page: Page, labeling: Labeling) -> tuple[Page, Labeling]:
    """The page and its labels, both without what is left out. Blocks that selectors decide stay whole."""
    forced = labeling.forced or [False] * len(page)
    parts = [part for part in labeling.omissions if labeling.labels[part.block].is_content and not forced[part.block]]
    if not parts:
        return page, replace(labeling, omissions=())
    left, origins = without(page, parts)
    taken = _taker(origins)
    return left, replace(
        labeling,
        labels=_labels(labeling.labels, origins),
        omissions=(),
        probabilities=taken(labeling.probabilities),
        posts=labeling.posts and [_post(post, origins) for post in labeling.posts],
        detailed=labeling.detailed and _labels(labeling.detailed, origins),
        forced=taken(labeling.forced),
        fields=taken(labeling.fields),
    )


def _taker(origins: Sequence[int]) -> Callable[[Sequence[Item] | None], list[Item] | None]:
    return lambda values: None if values is None else [values[origin] for origin in origins]


def _labels(labels: Sequence[Label], origins: Sequence[int]) -> list[Label]:
    """A block that breaks in two remains one passage."""
    pairs = zip((None, *origins), origins, strict=False)
    return [
        Label.CONTINUATION if before == origin and labels[origin].is_content else labels[origin]
        for before, origin in pairs
    ]


def _post(post: Post, origins: Sequence[int]) -> Post:
    def left(blocks: Sequence[int]) -> tuple[int, ...]:
        known = frozenset(blocks)
        return tuple(number for number, origin in enumerate(origins) if origin in known)

    return post._replace(blocks=left(post.blocks), comments=left(post.comments))
