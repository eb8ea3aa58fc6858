"""Tables of pages: which column is what."""

from collections.abc import Collection
from dataclasses import dataclass


@dataclass(frozen=True)
class PageColumns:
    """Names of columns; those of url and id are `url` and `id` where the table has such, and no other is named."""

    html: str = "html"
    url: str | None = None
    id: str | None = None

    @property
    def names(self) -> tuple[str, str, str]:
        return self.html, self.url or "url", self.id or "id"

    def missing(self, there: Collection[str]) -> str | None:
        """The first of the columns that a table must have, and has not."""
        wanted = (self.html, self.url, self.id)
        return next((name for name in wanted if name is not None and name not in there), None)


COLUMNS = PageColumns()
