"""Finds the posts of a blog by the names of elements: the task of BlogBuster, with patterns of our own.

After G. Petasis, D. Petasis, BlogBuster: a tool for extracting corpora from the blogosphere, 2010.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from victorpy.labelers import Labeling, Untrained
from victorpy.labelers.blog.fields import Draft, drafts
from victorpy.labelers.blog.marks import Marks
from victorpy.labelers.blog.name_patterns import Patterns
from victorpy.labelers.density import Density
from victorpy.labelers.markup_kinds import labels_of
from victorpy.page.blocks import Label, Page
from victorpy.page.posts import Post


@dataclass(frozen=True)
class Blog(Patterns, Untrained):
    """Keeps the posts of a blog, each with its title. A page without posts is cleaned by `density`."""

    def labeling(self, page: Page) -> Labeling:
        found = drafts(Marks(page, self)) if len(page) else []
        if not found:
            return _by_density(page, "no post found")
        held = share_held(page, [draft.post for draft in found])
        if held < self.least_share:
            return _by_density(page, f"the posts found hold {held:.1%} of the page")
        return Labeling(_labels(page, found), posts=[draft.post for draft in found])


def share_held(page: Page, posts: Sequence[Post]) -> float:
    """The share of the page's characters that is in the bodies of posts."""
    blocks = [block for post in posts for block in post.blocks]
    return int(page.lengths[blocks].sum()) / max(int(page.lengths.sum()), 1)


def _by_density(page: Page, why: str) -> Labeling:
    found = replace(Density().labeling(page), posts=[])
    reason = f"{why}: cleaned by density"
    return replace(found, reason=reason, fallback="density") if len(page) else found


def _labels(page: Page, found: Iterable[Draft]) -> list[Label]:
    """Bodies get their kind by markup, and titles are headers. A title inside a post's body belongs to the body."""
    keeps, heads = np.zeros(len(page), np.bool_), np.zeros(len(page), np.bool_)
    for draft in found:
        keeps[list(draft.post.blocks)] = True
        heads[draft.title.start : draft.title.stop] = True
    heads &= ~keeps
    labels = labels_of(page, keeps | heads)
    continues = Label.CONTINUATION
    for block in np.flatnonzero(heads).tolist():
        is_inside = block > 0 and heads[block - 1] and labels[block] is continues
        labels[block] = continues if is_inside else Label.HEADER
    return labels
