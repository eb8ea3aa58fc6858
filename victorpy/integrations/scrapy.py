"""Scrapy: an item pipeline. It fills items with the content of the page that they hold.

ITEM_PIPELINES = {"victorpy.integrations.scrapy.VictorPipeline": 300}
VICTOR_MODEL = "web"  # VICTOR_FORMAT, VICTOR_DECODING, VICTOR_SECONDS, VICTOR_FIELD
"""

from typing import Any

from itemadapter import ItemAdapter
from scrapy.crawler import Crawler
from scrapy.http import Response
from scrapy.utils.defer import maybe_deferred_to_future
from twisted.internet.threads import deferToThread

from victorpy.integrations.cleaned_documents import CleanedDocument, DocumentCleaner
from victorpy.sources.http_responses import charset_of

_TEXT = "text"


class VictorPipeline:
    """Takes the page from a field of the item (`html`), and its address from `url`; adds `text`, `status` and metadata.

    The field holds a response, bytes or text. Cleaning takes place in a thread, so that the crawl goes on meanwhile.
    """

    def __init__(self, cleaner: DocumentCleaner, field: str = "html"):
        self.cleaner, self.field = cleaner, field

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> "VictorPipeline":
        settings = crawler.settings
        cleaner = DocumentCleaner(
            model=settings.get("VICTOR_MODEL", "web"),
            format=settings.get("VICTOR_FORMAT", "markdown"),
            decoding=settings.getdict("VICTOR_DECODING"),
            seconds=settings.getfloat("VICTOR_SECONDS", 60.0),
        )
        return cls(cleaner, settings.get("VICTOR_FIELD", "html"))

    async def process_item(self, item: Any, spider: Any = None) -> Any:  # noqa: ARG002 - older versions give it
        fields = ItemAdapter(item)
        page = fields.get(self.field)
        if page is not None:
            found = await maybe_deferred_to_future(deferToThread(self._cleaned, page, fields.get("url")))
            _fill(fields, found)
        return item

    def _cleaned(self, page: Any, url: str | None) -> CleanedDocument:
        if isinstance(page, Response):
            media = (page.headers.get("Content-Type") or b"").decode("latin-1")
            return self.cleaner.document(page.body, page.url, page.url, charset_of(media))
        return self.cleaner.document(page, url, url or "")


def _fill(fields: ItemAdapter, found: CleanedDocument) -> None:
    """Dicts get all facts; other items have declared their fields, and get those."""
    takes_all = isinstance(fields.item, dict)
    for name, value in {**found.facts, _TEXT: found.text}.items():
        if takes_all or name in fields.field_names():
            fields[name] = value
