"""What makes noise of some of the blocks that a labeler kept; any filters stand behind any labeler."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import TYPE_CHECKING, NamedTuple, Protocol

from victorpy.labelers import Labeler, Labeling
from victorpy.page.blocks import Label, Page

if TYPE_CHECKING:
    from victorpy.page.elements import Flags


class Dropped(NamedTuple):
    """Which blocks become noise, and why the filter could not judge the page, or why the page is refused, if so.

    `language` is that of the page, where the filter has found it out.
    """

    blocks: "Flags"
    reason: str = ""
    refusal: str = ""
    language: str = ""


class Filter(Protocol):
    @property
    def knowledge(self) -> str:
        """What it goes by beside its fields; empty where that is nothing."""

    def dropped(self, page: Page, labels: Sequence[Label]) -> Dropped: ...


@dataclass(frozen=True)
class Filtered:
    """Another labeler, but what one of the filters drops is noise; each sees what those before it left."""

    labeler: Labeler
    filters: tuple[Filter, ...]

    def labeling(self, page: Page) -> Labeling:
        def left(labeling: Labeling, behind: Filter) -> Labeling:
            drops, told, refusal, language = behind.dropped(page, labeling.labels)
            reason = "; ".join(filter(None, (labeling.reason, told)))
            return replace(
                labeling,
                labels=without(labeling.labels, drops),
                reason=reason,
                refusal=labeling.refusal or refusal,
                language=labeling.language or language,
            )

        return reduce(left, self.filters, self.labeler.labeling(page))


def without(labels: Sequence[Label], drops: "Flags") -> list[Label]:
    """The labels after some blocks became noise; what is left of a passage keeps the kind of the passage."""
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
