"""BlogBuster by the letter: the posts of a blog, by the patterns and steps that the paper prints.

G. Petasis, D. Petasis, BlogBuster: a tool for extracting corpora from the blogosphere, 2010, section 4.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from victorpy.foundation.bounds import FROM_0_TO_1, check_bounds
from victorpy.labelers import Labeling, Untrained
from victorpy.labelers.blog import share_held
from victorpy.labelers.blogbuster.post_nodes import PageTree, PostNode, comment_blocks, post_nodes
from victorpy.labelers.density import Density
from victorpy.labelers.markup_kinds import labels_of
from victorpy.page.blocks import Label, Page
from victorpy.page.posts import Post


@dataclass(frozen=True)
class BlogBuster(Untrained):
    """Keeps the posts of a blog with their titles. Dates are fields of the posts, and no text.

    A page whose posts hold less than `least-share` of its characters is cleaned by density. With `comments`, the
    comments of readers are kept, too, as a field of the post before them.
    """

    least_share: float = 0.05
    comments: bool = False

    def __post_init__(self) -> None:
        check_bounds(self, {"least_share": FROM_0_TO_1})

    def labeling(self, page: Page) -> Labeling:
        if not len(page):
            return Labeling([], posts=[])
        tree = PageTree(page)
        nodes = post_nodes(tree)
        readers = comment_blocks(tree)
        posts = _posts(tree, nodes, readers if self.comments else set(), readers)
        problem = _problem(page, posts, self.least_share)
        if problem:
            reason = f"{problem}: cleaned by density"
            return replace(Density().labeling(page), reason=reason, fallback="density", posts=[])
        titles = (block for node in nodes for block in _blocks_of(tree, node.title))
        return Labeling(_labels(page, posts, titles), posts=posts)


def _problem(page: Page, posts: Sequence[Post], least_share: float) -> str:
    if not posts:
        return "no post found"
    held = share_held(page, posts)
    return f"the posts found hold {held:.1%} of the page" if held < least_share else ""


def _posts(tree: PageTree, nodes: Sequence[PostNode], comments: set[int], readers: set[int]) -> list[Post]:
    """Posts with a body. Comments belong to the post before them."""
    ends = [*(tree.first[node.element] for node in nodes[1:]), len(tree.page)][: len(nodes)]
    made = (_post(tree, node, end, comments, readers) for node, end in zip(nodes, ends, strict=True))
    return [post for post in made if post.blocks]


def _post(tree: PageTree, node: PostNode, end: int, comments: set[int], readers: set[int]) -> Post:
    left_out = {*_blocks_of(tree, node.title), *_blocks_of(tree, node.date), *readers}
    body = tuple(block for block in tree.blocks(node.body) if block not in left_out)
    of_post = tuple(block for block in range(tree.first[node.element], end) if block in comments)
    title, date = (text_of(tree, element) if element else "" for element in (node.title, node.date))
    return Post(title, date, "", "", body, of_post)


def _blocks_of(tree: PageTree, element: int) -> Iterable[int]:
    return tree.blocks(element) if element else ()


def text_of(tree: PageTree, element: int) -> str:
    """The text of an element, which may be a part of a block."""
    page, runs = tree.page, tree.page.runs
    inside = np.flatnonzero((runs.element >= element) & (runs.element < tree.ends[element]))
    blocks, starts = tree.run_blocks, tree.run_starts
    pieces = []
    for run in inside.tolist():
        is_last = run + 1 == len(blocks) or blocks[run + 1] != blocks[run]
        pieces.append(page.texts[blocks[run]][starts[run] : None if is_last else starts[run + 1]])
    return " ".join(" ".join(pieces).split())


def _labels(page: Page, posts: Sequence[Post], titles: Iterable[int]) -> list[Label]:
    """Bodies and comments get their kind by markup, and titles are headers."""
    keeps, heads = np.zeros(len(page), np.bool_), np.zeros(len(page), np.bool_)
    for post in posts:
        keeps[[*post.blocks, *post.comments]] = True
    heads[[*titles]] = True
    heads &= ~keeps
    labels = labels_of(page, keeps | heads)
    for block in np.flatnonzero(heads).tolist():
        labels[block] = Label.HEADER
    return labels
