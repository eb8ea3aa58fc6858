"""What became of an address: a page, or the reason why there is none."""

from dataclasses import dataclass
from typing import Literal

from victorpy.sources import RawPage

Failure = Literal[
    "address",  # it is no address of a web page
    "private",  # it is not public, and only public ones are allowed
    "robots",
    "dns",
    "tls",
    "connection",
    "timeout",
    "redirects",
    "status",
    "media",
    "size",
]


@dataclass(frozen=True, kw_only=True)
class Fetched:
    """A fetched page. `data` is None after a failure; `problem` says what is wrong, also with data that are cut off.

    `final_url` is the address after redirects. `record` and `date` are those of the response in the archive.
    """

    url: str
    final_url: str
    status: int | None = None
    media: str = ""
    charset: str | None = None
    data: bytes | None = None
    problem: str = ""
    failure: Failure | None = None
    date: str = ""
    record: str = ""
    is_cached: bool = False

    def raw_page(self, id: str) -> RawPage:
        """The page as the other sources give it."""
        return RawPage(
            id=id,
            path=self.url,
            data=self.data,
            problem=self.problem,
            url=self.final_url,
            is_too_large=self.failure == "size",
            charset=self.charset,
            record=self.record,
            date=self.date,
            is_xml=self.media == "application/xhtml+xml",
            is_text=self.media == "text/plain",
        )
