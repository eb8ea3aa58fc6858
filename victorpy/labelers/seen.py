"""What many other pages of a page's site hold as well is noise, whatever a labeler says."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from victorpy.blocks import Flags, Label, Page
from victorpy.errors import MisfitError


@dataclass(frozen=True)
class SeenFilter:
    """Drops a block that more than `share` of the site's other pages hold, where at least `least-pages` are known.

    By `path`, a page holds a block if the same text stands inside the same tags; by `text`, wherever it stands.
    """

    share: float = 0.2
    least_pages: int = 1
    by: Literal["path", "text"] = "path"

    def __post_init__(self) -> None:
        if not 0 <= self.share <= 1:
            raise MisfitError(f"from 0 to 1 is wanted, not {self.share:g}", "share")
        if self.least_pages < 1:
            raise MisfitError(f"1 or more is wanted, not {self.least_pages}", "least-pages")

    def filtered(self, page: Page, labels: Sequence[Label]) -> list[Label]:
        return without(labels, self._drops(page))

    def _drops(self, page: Page) -> Flags:
        if page.seen is None or page.seen.pages < self.least_pages:
            return np.zeros(len(page), np.bool_)
        held = page.seen.paths if self.by == "path" else page.seen.texts
        drops: Flags = held > self.share * page.seen.pages
        return drops


def without(labels: Sequence[Label], drops: Flags) -> list[Label]:
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
