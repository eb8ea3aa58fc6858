from dataclasses import dataclass, field

import pytest
from small_pages import article

from victorpy.pipeline.adapters.cleaning import Cleaning
from victorpy.pipeline.adapters.documents import batches, cleaned
from victorpy.pipeline.cleaner import load


@dataclass
class Document:
    text: str
    id: str
    metadata: dict = field(default_factory=dict)


@pytest.mark.process
def test_documents_get_their_text_and_how_they_ended(model):
    documents = [Document(article(number)[0], str(number), {"date": "today"}) for number in range(3)]

    ended = cleaned(iter(documents), Cleaning(str(model)))

    assert [document.text for document in ended] == [load(str(model)).clean(article(n)[0]).text for n in range(3)]
    assert [document.metadata for document in ended] == [
        {"date": "today", "title": f"Letters from the harbour, part {number}", "status": "ok", "reason": ""}
        for number in range(3)
    ]


@pytest.mark.process
def test_a_document_that_holds_no_page_gets_an_outcome(model):
    odd = [None, b"\x89PNG\r\n\x1a\n", "", "<p>one"]

    ended = cleaned([Document(html, str(number)) for number, html in enumerate(odd)], Cleaning(str(model)))

    assert [document.id for document in ended] == ["0", "1", "2", "3"]
    assert [document.metadata["status"] for document in ended[:3]] == ["unreadable", "undecodable", "empty"]
    assert all(isinstance(document.text, str) for document in ended)


@pytest.mark.parametrize("count", [0, 1, 63, 64, 65, 200])
def test_batches_hold_every_document_in_order(count):
    documents = [Document("", str(number)) for number in range(count)]

    assert [document for batch in batches(documents) for document in batch] == documents


def test_documents_are_read_as_they_are_asked_for():
    read = []
    endless = (read.append(number) or Document("", str(number)) for number in range(10_000))

    next(batches(endless))

    assert len(read) < 100
