"""Cleans documents in place: objects with a text that is HTML, an id and metadata."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, Protocol, TypeVar

from victorpy.output.escapes import printable
from victorpy.output.outcome import Outcome
from victorpy.pipeline.adapters.cleaning import Cleaning, page_of
from victorpy.sources import PageColumns

_AT_ONCE = 64
_COLUMNS = PageColumns("text")
_LEFT_OUT = frozenset({"url", "html_title"})


class Document(Protocol):
    """A document of datatrove. Some of its readers put other types than str into `text`."""

    text: str
    id: str
    metadata: dict[str, Any]


D = TypeVar("D", bound=Document)


def batches(documents: Iterable[D]) -> Iterator[list[D]]:
    """Lists of documents that are cleaned at once."""
    remaining = iter(documents)
    while batch := list(islice(remaining, _AT_ONCE)):
        yield batch


def cleaned(documents: Iterable[D], cleaning: Cleaning) -> list[D]:
    """The documents in order. The text replaces the HTML; status, facts and other columns are in the metadata."""
    documents = list(documents)
    pages = (page_of(_row(document), _COLUMNS, document.id) for document in documents)
    for document, outcome in zip(documents, cleaning.outcomes(pages), strict=True):
        document.text = printable(outcome.text)
        document.metadata |= _facts(outcome) | {name: printable(text) for name, text in outcome.columns.items()}
    return documents


def _row(document: Document) -> dict[str, Any]:
    return {"text": document.text, "id": document.id, "url": document.metadata.get("url")}


def _facts(outcome: Outcome) -> dict[str, str]:
    """The known metadata but for the address, which documents have already; the title, the status and the reason."""
    known = {name: value for name, value in outcome.metadata.known().items() if name not in _LEFT_OUT}
    facts = {"title": ""} | known | {"status": outcome.status, "reason": outcome.reason}
    return {name: printable(value) for name, value in facts.items()}
