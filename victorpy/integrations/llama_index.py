"""LlamaIndex: a reader, also for SimpleDirectoryReader, and a transformation for ingestion pipelines."""

import logging
from collections.abc import Iterable, Sequence
from os import PathLike, fspath
from typing import Any

from llama_index.core.bridge.pydantic import Field, PrivateAttr
from llama_index.core.readers.base import BaseReader
from llama_index.core.schema import BaseNode, Document, MetadataMode, TransformComponent

from victorpy.errors import VictorError
from victorpy.fetching.fetch_settings import FetchSettings
from victorpy.integrations.cleaned_documents import DocumentCleaner, raw_pages
from victorpy.sources.web_addresses import is_address

log = logging.getLogger("victorpy")

Input = str | PathLike[str]


class VictorReader(BaseReader):
    """Reads the content of web pages: addresses, files, folders, web archives. Options are those of DocumentCleaner.

    A page that cannot be read is left out, with a warning.
    """

    def __init__(self, *, fetching: FetchSettings | None = None, **options: Any):
        self.fetching, self.cleaner = fetching or FetchSettings(), DocumentCleaner(**options)

    def lazy_load_data(
        self,
        inputs: Input | Iterable[Input],
        extra_info: dict[str, Any] | None = None,
        **_: Any,  # SimpleDirectoryReader gives a file system
    ) -> Iterable[Document]:
        names = [inputs] if isinstance(inputs, str | PathLike) else inputs
        for page in raw_pages([fspath(name) for name in names], self.fetching):
            if isinstance(page, VictorError):
                log.warning("%s", page)
                continue
            found = self.cleaner.cleaned(page)
            if found.is_cleaned:
                yield Document(text=found.text, metadata={**(extra_info or {}), **found.facts})
            else:
                log.warning("%s: %s", found.facts["source"], found.problem)


class VictorTransformation(TransformComponent):
    """Replaces the HTML of nodes by their content. Every node stays, with its `status`."""

    model: str = Field(default="web", description="name or folder of a model")
    format: str = Field(default="markdown", description="format of the text")
    decoding: dict[str, Any] = Field(default_factory=dict, description="options such as bias and scope")
    seconds: float = Field(default=60.0, description="seconds for a page")
    _cleaner: DocumentCleaner | None = PrivateAttr(default=None)

    def __call__(self, nodes: Sequence[BaseNode], **_: Any) -> Sequence[BaseNode]:
        return [self._transformed(node) for node in nodes]

    def _transformed(self, node: BaseNode) -> BaseNode:
        source = str(node.metadata.get("source") or node.metadata.get("url") or "")
        html = node.get_content(metadata_mode=MetadataMode.NONE)
        found = self._documents().document(html, source if is_address(source) else None, source)
        changed = node.model_copy(deep=True)
        changed.set_content(found.text)
        changed.metadata = {**node.metadata, **found.facts}
        return changed

    def _documents(self) -> DocumentCleaner:
        if self._cleaner is None:
            self._cleaner = DocumentCleaner(
                model=self.model, format=self.format, decoding=self.decoding, seconds=self.seconds
            )
        return self._cleaner
