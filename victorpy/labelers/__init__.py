"""Page → labels: what every labeler offers, and the base of those that need no training."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, ClassVar, Protocol

from victorpy.errors import UsageError
from victorpy.page.blocks import Label, Page
from victorpy.page.calibration import NO_CALIBRATION, Calibration
from victorpy.page.markup import BLOCKS, Markup
from victorpy.page.omission import Omission

if TYPE_CHECKING:
    from victorpy.page.posts import Post
    from victorpy.sources import Inputs


@dataclass(frozen=True, slots=True)
class Labeling:
    """One label per block, and the probability that the block is content, if the labeler has one.

    `reason` says why a labeler departed from its usual method or kept nothing. `fallback` is the name of the method
    that it used instead, if any. `lead` is a header that is in no block and is printed first. `posts` are the posts of
    a blog. `detailed` is the labels with the fields of posts, or None if the labeler has no such labels. `refusal` says
    why the page is rejected. `language` is set by language filters. `fields` says of each block, kept or not, which
    field it is (a comment, an author …), if the labeler knows. `omissions` are parts of blocks that are left out,
    though the rest of the block is content. `forced` are the blocks whose labels selectors decide. `calibration`
    leads from the F1 that the probabilities promise to the F1 to expect.
    """

    labels: list[Label]
    _: KW_ONLY
    probabilities: Sequence[float] | None = None
    reason: str = ""
    fallback: str = ""
    lead: str = ""
    posts: "Sequence[Post] | None" = None
    detailed: Sequence[Label] | None = None
    refusal: str = ""
    language: str = ""
    forced: Sequence[bool] | None = None
    calibration: Calibration = NO_CALIBRATION
    fields: Sequence[Label | None] | None = None
    omissions: Sequence[Omission] = ()

    @property
    def detailed_labels(self) -> Sequence[Label]:
        """The label of each block, or the field of a post that it is."""
        return self.labels if self.detailed is None else self.detailed


class Labeler(Protocol):
    def labeling(self, page: Page) -> Labeling: ...


class Untrained(ABC):
    """A labeler that needs no training. Its dataclass fields are its options."""

    # Untrained labelers judge whole paragraphs, so pages are split at block-level tags.
    markup: ClassVar[Markup] = BLOCKS

    @abstractmethod
    def labeling(self, page: Page) -> Labeling: ...

    @property
    def settings(self) -> "Untrained":
        """The labeler as its user configured it: without any pages it has read since."""
        return self

    @property
    def reads_all_pages(self) -> bool:
        """Must the labeler read all pages before it cleans the first one?"""
        return False

    def check_streaming(self) -> None:
        if self.reads_all_pages:
            raise UsageError("the labeler reads all pages first: clean files or folders, or name its reference")

    def prepared(self, inputs: "Inputs", urls: Mapping[str, str] = {}) -> "Untrained":  # noqa: ARG002
        """The same labeler, after it has read whatever it needs of the inputs."""
        return self
