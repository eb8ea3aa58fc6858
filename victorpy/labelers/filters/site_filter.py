"""What many other pages of a page's site hold as well is noise, whatever a labeler says."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from victorpy.errors import MisfitError
from victorpy.labelers.filters import Dropped
from victorpy.page.blocks import Label, Page

# Of two pages that are known one is no small share.
_MOST = 0.5


@dataclass(frozen=True)
class SiteFilter:
    """Drops a block that more than `share` of the site's other pages hold, where at least `least-pages` are known.

    A share of up to a half counts only if at least `least-holders` pages hold the block. By `path`, a page holds a
    block if the same text stands inside the same tags; by `text`, wherever it stands.
    """

    share: float = 0.1
    least_holders: int = 2
    least_pages: int = 1
    by: Literal["path", "text"] = "path"

    def __post_init__(self) -> None:
        if not 0 <= self.share <= 1:
            raise MisfitError(f"from 0 to 1 is wanted, not {self.share:g}", "share")
        for name in ("least_holders", "least_pages"):
            if getattr(self, name) < 1:
                raise MisfitError(f"1 or more is wanted, not {getattr(self, name)}", name.replace("_", "-"))

    knowledge: ClassVar[str] = ""

    def dropped(self, page: Page, _: Sequence[Label]) -> Dropped:
        if page.site_counts is None or page.site_counts.pages < self.least_pages:
            return Dropped(np.zeros(len(page), np.bool_), _little_known(page))
        held, pages = page.site_counts.paths if self.by == "path" else page.site_counts.texts, page.site_counts.pages
        return Dropped((held > self.share * pages) & ((held >= self.least_holders) | (held > _MOST * pages)))


def _little_known(page: Page) -> str:
    if page.site_counts is None:
        return "no address: of its site nothing is known, and nothing was dropped for it"
    others = page.site_counts.pages
    return f"{others or 'no'} other page{'s' * (others != 1)} of its site known: nothing was dropped for it"
