"""LangChain: a document loader, and a document transformer. Both are thin layers over `DocumentCleaner`."""

import logging
from collections.abc import Iterable, Iterator, Sequence
from os import PathLike, fspath
from typing import Any

from langchain_core.document_loaders import BaseLoader
from langchain_core.documents import BaseDocumentTransformer, Document

from victorpy.errors import VictorError
from victorpy.fetching.fetch_settings import FetchSettings
from victorpy.integrations.cleaned_documents import CleanedDocument, DocumentCleaner, raw_pages

log = logging.getLogger("victorpy")

Input = str | PathLike[str]


class VictorLoader(BaseLoader):
    """Loads the content of web pages: addresses, files, folders, web archives. Options are those of DocumentCleaner.

    A page that cannot be read is left out with a warning, or with `continue_on_failure=False` an error.
    """

    def __init__(
        self,
        inputs: Input | Iterable[Input],
        *,
        continue_on_failure: bool = True,
        fetching: FetchSettings | None = None,
        **options: Any,
    ):
        self.inputs = [fspath(given) for given in ([inputs] if isinstance(inputs, str | PathLike) else inputs)]
        self.continue_on_failure = continue_on_failure
        self.fetching, self.cleaner = fetching or FetchSettings(), DocumentCleaner(**options)

    def lazy_load(self) -> Iterator[Document]:
        for page in raw_pages(self.inputs, self.fetching):
            found = page if isinstance(page, VictorError) else self.cleaner.cleaned(page)
            if isinstance(found, CleanedDocument) and found.is_cleaned:
                yield Document(page_content=found.text, metadata=dict(found.facts))
            else:
                self._fail(found)

    def _fail(self, found: CleanedDocument | VictorError) -> None:
        error = VictorError(found.problem, found.facts["source"]) if isinstance(found, CleanedDocument) else found
        if not self.continue_on_failure:
            raise error
        log.warning("%s", error)


class VictorTransformer(BaseDocumentTransformer):
    """Replaces the HTML of documents by their content. Every document stays, with its `status`."""

    def __init__(self, **options: Any):
        self.cleaner = DocumentCleaner(**options)

    def transform_documents(self, documents: Sequence[Document], **_: Any) -> Sequence[Document]:
        return [self._transformed(document) for document in documents]

    def _transformed(self, document: Document) -> Document:
        source = str(document.metadata.get("source") or document.id or "")
        found = self.cleaner.document(document.page_content, _url(source), source)
        return Document(page_content=found.text, metadata=document.metadata | found.facts, id=document.id)


def _url(source: str) -> str | None:
    return source if source.lower().startswith(("http://", "https://")) else None
