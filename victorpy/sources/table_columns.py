"""The columns of tables of pages."""

from collections.abc import Collection
from dataclasses import dataclass


@dataclass(frozen=True)
class PageColumns:
    """The names of columns. Without a name, url and id are in `url` and `id` if the table has these columns."""

    html: str = "html"
    url: str | None = None
    id: str | None = None

    @property
    def names(self) -> tuple[str, str, str]:
        return self.html, self.url or "url", self.id or "id"

    def missing(self, columns: Collection[str]) -> str | None:
        """The first column that is named and not in the table."""
        named = (self.html, self.url, self.id)
        return next((name for name in named if name is not None and name not in columns), None)


COLUMNS = PageColumns()
