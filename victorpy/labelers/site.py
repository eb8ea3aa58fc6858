"""Compares pages of one site with each other, level by level: the method of WC Cleaner for several files."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from victorpy.errors import OptionError, VictorError
from victorpy.foundation.bounds import AT_LEAST_0, FROM_0_TO_1, check_bounds
from victorpy.foundation.hosts import site_of
from victorpy.labelers import Labeling, Untrained
from victorpy.labelers.density import Density, titled
from victorpy.labelers.markup_kinds import labels_of
from victorpy.labelers.page_differences import common_parts, likeness, new_shares
from victorpy.labelers.site_references import ORDERS, given_reference, references_by_site
from victorpy.labelers.structure_likeness import differing_level
from victorpy.page.blocks import Page

if TYPE_CHECKING:
    from victorpy.sources import Inputs

log = logging.getLogger("victorpy")


@dataclass(frozen=True)
class Site(Untrained):
    """Drops what the reference page of the same site holds as well.

    What a text shares with the text at the same place does not count: "posted by" in "posted by Jack F." and "posted by
    anonymous". A block is content if at least the share `least-new` of its characters is new; 0 keeps every block that
    differs at all. With `cuts-common`, the parts of its text that are not new are left out, and it is content if any is
    new. With `starts-at-target`, only the densest parts of both pages are compared and the rest is noise.
    The reference is the page of a site that is most like the others (`alike`), the page of median size (`median`), or
    a file. A page that shares less than `least-alike` of its texts with the reference is cleaned by density (0: no
    page is), and so are a page without a reference, and one that `prune-level` finds built otherwise: its elements have
    other numbers of children than those of the reference, so many levels down from the body (0: none is).

    With `drops-sparse`, nothing is kept of a page whose densest part has a density below `least-density`. With `title`,
    the first heading of the page is kept too; a page without headings gets its title as the first header.
    """

    reference: str = "alike"
    starts_at_target: bool = True
    least_new: float = 0.8
    least_alike: float = 0.15
    cuts_common: bool = False
    prune_level: int = 0
    drops_sparse: bool = False
    least_density: float = 10.0
    title: bool = False

    def __post_init__(self) -> None:
        check_bounds(self, {"least_new": FROM_0_TO_1, "least_alike": FROM_0_TO_1})
        check_bounds(self, {"prune_level": AT_LEAST_0, "least_density": AT_LEAST_0})
        if not self.reads_all_pages:
            self._check_reference()

    def _check_reference(self) -> None:
        """Reports an unreadable reference before any page is read."""
        try:
            given_reference(self.reference, self.markup)
        except VictorError as error:
            raise OptionError(str(error), "reference") from None

    def labeling(self, page: Page) -> Labeling:
        references = () if self.reads_all_pages else (given_reference(self.reference, self.markup),)
        return SiteAgainst(self, references).labeling(page)

    @property
    def reads_all_pages(self) -> bool:
        return self.reference in ORDERS

    def prepared(self, inputs: "Inputs", urls: Mapping[str, str] = {}) -> Untrained:
        if not self.reads_all_pages:
            return self
        if inputs.count is None or any(page.is_address for page in inputs.locations):
            self.check_streaming()
        found = references_by_site(inputs.locations, self.reference, self.markup, urls)
        return SiteBySite(self, {site: SiteAgainst(self, pages) for site, pages in found.items()})


@dataclass(frozen=True)
class SiteAgainst(Untrained):
    """Compares pages with one reference, and the reference itself with the second."""

    options: Site
    references: tuple[Page, ...]

    @property
    def settings(self) -> Untrained:
        return self.options

    def labeling(self, page: Page) -> Labeling:
        sparse = self._if_sparse(page)
        if sparse:
            return sparse
        found = self._compared(page)
        return titled(page, found) if self.options.title and len(page) else found

    def _if_sparse(self, page: Page) -> Labeling | None:
        """The page without any content, if it is sparse."""
        if not self.options.drops_sparse:
            return None
        found = Density(drops_sparse=True, least_density=self.options.least_density).labeling(page)
        return found if found.reason else None

    def _compared(self, page: Page) -> Labeling:
        other = next((other for other in self.references if other.texts != page.texts), None)
        if other is None:
            return by_density(page, "no other page of its site to compare it with")
        alike = likeness(page, other)
        if len(page) and alike < self.options.least_alike:
            return by_density(page, f"unlike the reference page ({alike:.0%} of its texts in common)")
        level = differing_level(page, other, self.options.prune_level)
        if level is not None:
            return by_density(page, f"built otherwise than the reference page from level {level} on")
        _tell(page, other)
        shares = new_shares(page, other, self.options.starts_at_target)
        if self.options.cuts_common:
            parts = common_parts(page, other, self.options.starts_at_target)
            return Labeling(labels_of(page, shares > 0), omissions=parts)
        return Labeling(labels_of(page, (shares > 0) & (shares >= self.options.least_new)))


@dataclass(frozen=True)
class SiteBySite(Untrained):
    """A labeler for each site; pages of unknown site count as one site."""

    options: Site
    labelers: Mapping[str | None, Untrained]

    @property
    def settings(self) -> Untrained:
        return self.options

    def labeling(self, page: Page) -> Labeling:
        return self.labelers.get(site_of(page.url, page.id), self.options).labeling(page)


def _tell(page: Page, other: Page) -> None:
    if log.isEnabledFor(logging.INFO):
        log.info("%s: compared with %s, %.0f%% of the texts in common", page.id, other.id, 100 * likeness(page, other))


def by_density(page: Page, why: str) -> Labeling:
    found = Density().labeling(page)
    return replace(found, reason=f"{why}: cleaned by density", fallback="density") if len(page) else found
