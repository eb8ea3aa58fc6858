"""Drops the blocks that many other pages of the page's site hold as well, whatever a labeler says."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from victorpy.foundation.bounds import AT_LEAST_1, FROM_0_TO_1, check_bounds
from victorpy.labelers.filters import Dropped
from victorpy.page.blocks import Label, Page

# One of two known pages would be a large share by accident.
_MOST = 0.5


@dataclass(frozen=True)
class SiteFilter:
    """Drops a block that more than `share` of the site's other pages hold, if at least `least-pages` are known.

    A share of up to a half counts only if at least `least-holders` pages hold the block. By `path`, a page holds a
    block if it has the same text inside the same tags; by `text`, if it has the same text anywhere.
    """

    share: float = 0.1
    least_holders: int = 2
    least_pages: int = 1
    by: Literal["path", "text"] = "path"

    def __post_init__(self) -> None:
        check_bounds(self, {"share": FROM_0_TO_1, "least_holders": AT_LEAST_1, "least_pages": AT_LEAST_1})

    knowledge: ClassVar[str] = ""

    def dropped(self, page: Page, _: Sequence[Label]) -> Dropped:
        counts = page.site_counts
        if counts is None or counts.pages < self.least_pages:
            return Dropped(np.zeros(len(page), np.bool_), _why_nothing(page))
        held = counts.paths if self.by == "path" else counts.texts
        is_common = (held >= self.least_holders) | (held > _MOST * counts.pages)
        return Dropped((held > self.share * counts.pages) & is_common)


def _why_nothing(page: Page) -> str:
    if page.site_counts is None:
        return "no address: the site is unknown, so the filter dropped nothing"
    others = page.site_counts.pages
    return f"{others or 'no'} other page{'s' * (others != 1)} of its site known: the filter dropped nothing"
