"""datatrove: an extractor for its pipelines."""

from collections.abc import Iterable, Iterator
from typing import Any

from datatrove.data import Document
from datatrove.pipeline.extractors.base import BaseExtractor
from datatrove.utils.typeshelper import StatHints

from victorpy.pipeline.adapters.cleaning import Cleaning
from victorpy.pipeline.adapters.documents import batches, cleaned


class Victor(BaseExtractor):  # type: ignore[misc]  # datatrove has no types for mypy
    """Cleans documents; the options are the fields of Cleaning.

    Other extractors drop documents that they cannot read. This one passes all on, with their status.
    """

    name = "🧹 Victor"

    def __init__(self, **options: Any):
        self.cleaning = Cleaning(**options)
        limits = self.cleaning.limits
        super().__init__((limits and limits.seconds) or float("inf"))

    def run(self, data: Iterable[Document], rank: int = 0, world_size: int = 1) -> Iterator[Document]:  # noqa: ARG002
        """Replaces the method of the base class, which has no memory limit and no status for failed pages."""
        for batch in batches(data):
            with self.track_time("batch"):
                ended = cleaned(batch, self.cleaning)
            for document in ended:
                self.stat_update(StatHints.total, StatHints.forwarded, document.metadata["status"])
                self.update_doc_stats(document)
                yield document

    def extract(self, text: str) -> str:
        """The text of one page."""
        [document] = cleaned([Document(text, "")], self.cleaning)
        extracted: str = document.text
        return extracted
