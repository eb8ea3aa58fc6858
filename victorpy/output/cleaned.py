"""What cleaning a page gives: its blocks with their labels, and all that is known of how they came about."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import fsum
from typing import Any, Literal, NamedTuple

from victorpy.page.blocks import Label, Page
from victorpy.page.passages import Passage, passages
from victorpy.page.posts import Post

Status = Literal["ok", "empty", "dropped", "timeout", "out-of-memory", "crashed", "undecodable", "unreadable"]

CLEANED: tuple[Status, ...] = ("ok", "empty")
# Of the others one knows why there is no text, and that there should be none.
FAILURES: tuple[Status, ...] = ("timeout", "out-of-memory", "crashed", "undecodable", "unreadable")


class LabeledBlock(NamedTuple):
    """A block with its label and the probability that it is content."""

    id: int
    label: Label
    text: str
    probability: float | None


class PageLeft:
    """What is known of a page that another process has cleaned: the page itself stayed there."""

    def __init__(self, id: str, url: str | None, title: str, texts: list[str]):
        self.id, self.url, self.title, self.texts = id, url, title, texts

    def __len__(self) -> int:
        return len(self.texts)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise AttributeError(f"no '{name}' of a page that another process has cleaned: use jobs=1 without limits")


@dataclass(frozen=True, eq=False, repr=False)
class Cleaned:
    """A labeled page.

    `reason` says why there is no text, or what its labeler did instead of its usual way;
    `lead` is a header that no block holds; `posts` are those of a blog, and `detailed` the labels with
    the fields of posts among them, None of labelers that know of none; `language` is that of the page, where a filter
    has found it out.
    """

    page: Page
    labels: Sequence[Label]
    probabilities: Sequence[float] | None = None
    status: Status = "ok"
    reason: str = ""
    encoding: str = "utf-8"
    replaced: int = 0
    model: str = ""
    lead: str = ""
    posts: Sequence[Post] | None = None
    detailed: Sequence[Label] | None = None
    language: str = ""

    def __repr__(self) -> str:
        name = self.page.id or self.page.url or ""
        return f"<Cleaned {name!r}: {self.status}, {len(self.passages)} passages>"

    def __getstate__(self) -> dict[str, Any]:
        """A result travels, and its page does not."""
        page = PageLeft(self.page.id, self.page.url, self.page.title, self.page.texts)
        fields = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return {**fields, "page": page, "passages": self.passages, "confidence": self.confidence}

    @property
    def url(self) -> str | None:
        return self.page.url

    @property
    def html(self) -> str:
        """The source of the page, decoded."""
        return self.page.core.source

    @property
    def title(self) -> str:
        return self.page.title

    @cached_property
    def passages(self) -> list[Passage]:
        lead = [Passage(Label.HEADER, self.lead, ())] if self.lead else []
        return [*lead, *passages(self.page, self.labels)]

    @property
    def detailed_labels(self) -> list[Label]:
        """The label of each block, or the field of a post that it is."""
        pairs = zip(self.detailed or self.labels, self.labels, strict=True)
        return [field if field.base is label else label for field, label in pairs]

    def passages_of(self, blocks: Iterable[int]) -> list[Passage]:
        """What is printed of these blocks, such as the body of a post."""
        return passages(self.page, self.labels, blocks)

    @cached_property
    def text(self) -> str:
        """A line for each passage."""
        return "".join(f"{passage.text}\n" for passage in self.passages)

    @cached_property
    def confidence(self) -> float | None:
        """The F1, by characters, to be expected of what is kept, if the probabilities are right.

        Of a page of which nothing is kept: the probability that its likeliest block is no content either.
        """
        if self.probabilities is None:
            return None
        lengths = memoryview(self.page.core.column("lengths")).cast("i")
        kept = [number for number, label in enumerate(self.labels) if label.is_content]
        if not kept:
            return 1.0 - max(self.probabilities, default=0.0)
        likely = [chance * length for chance, length in zip(self.probabilities, lengths, strict=True)]
        held = fsum(likely[number] for number in kept)
        return 2 * held / (sum(lengths[number] for number in kept) + fsum(likely))

    @cached_property
    def blocks(self) -> list[LabeledBlock]:
        probabilities = [None] * len(self.labels) if self.probabilities is None else self.probabilities
        return [
            LabeledBlock(number, label, text, probability)
            for number, (label, text, probability) in enumerate(
                zip(self.labels, self.page.texts, probabilities, strict=True)
            )
        ]
