"""Filters turn some of the blocks that a labeler kept into noise. Any filters can follow any labeler."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import TYPE_CHECKING, NamedTuple, Protocol

from victorpy.labelers import Labeler, Labeling
from victorpy.page.blocks import Label, Page
from victorpy.page.omission import Omission

if TYPE_CHECKING:
    from victorpy.page.elements import Flags


class Dropped(NamedTuple):
    """The blocks that become noise, and the parts that other blocks lose.

    `reason` says why the filter could not judge the page, `refusal` why it rejects the whole page, and `language` is
    the page's language if the filter identified it.
    """

    blocks: "Flags"
    reason: str = ""
    refusal: str = ""
    language: str = ""
    omissions: Sequence[Omission] = ()


class Filter(Protocol):
    @property
    def knowledge(self) -> str:
        """What the result depends on besides the filter's fields; empty if nothing."""

    def dropped(self, page: Page, labels: Sequence[Label]) -> Dropped: ...


@dataclass(frozen=True)
class Filtered:
    """A labeler followed by filters. Each filter gets the labels that the filters before it left."""

    labeler: Labeler
    filters: tuple[Filter, ...]

    def labeling(self, page: Page) -> Labeling:
        def filtered(labeling: Labeling, by: Filter) -> Labeling:
            drops = by.dropped(page, labeling.labels)
            return replace(
                labeling,
                labels=without(labeling.labels, drops.blocks),
                reason="; ".join(filter(None, (labeling.reason, drops.reason))),
                refusal=labeling.refusal or drops.refusal,
                language=labeling.language or drops.language,
                omissions=(*labeling.omissions, *drops.omissions),
            )

        return reduce(filtered, self.filters, self.labeler.labeling(page))


def without(labels: Sequence[Label], drops: "Flags") -> list[Label]:
    """The labels with some blocks turned into noise. The rest of a passage keeps the passage's kind."""
    left: list[Label] = []
    kind = Label.PARAGRAPH
    has_begun = False
    for label, is_dropped in zip(labels, drops.tolist(), strict=True):
        if label.is_content and label is not Label.CONTINUATION:
            kind, has_begun = label, False
        if is_dropped or not label.is_content:
            left.append(Label.OTHER)
        else:
            left.append(label if has_begun else kind)
            has_begun = True
    return left
