"""Page → labels: the trained CRF, and every other way to clean a page."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from victorpy.page.blocks import Label, Page
from victorpy.page.posts import Post


class Labeling(NamedTuple):
    """One label per block, and the probability that the block is content, where the labeler has one.

    `reason` tells of what a labeler did instead of its usual way, or why it keeps nothing;
    `lead` is a header that no block holds, to be printed before all; `posts` are those of a blog, and `detailed` the
    labels with the fields of posts among them, None of labelers that know of none; `refusal` says why the whole
    page is not wanted; `language` is that of the page, where a filter has found it out.
    """

    labels: list[Label]
    probabilities: Sequence[float] | None = None
    reason: str = ""
    lead: str = ""
    posts: Sequence[Post] | None = None
    detailed: Sequence[Label] | None = None
    refusal: str = ""
    language: str = ""

    @property
    def told(self) -> Sequence[Label]:
        """All that is known of each block: its label, or the field of a post that it is."""
        return self.labels if self.detailed is None else self.detailed


class Labeler(Protocol):
    def labeling(self, page: Page) -> Labeling: ...
