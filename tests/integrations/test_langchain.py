"""The loader and the transformer of LangChain."""

import asyncio

import pytest
from web_servers import PAGE, Answer, served

pytest.importorskip("langchain_core")

from langchain_core.documents import Document

from victorpy.errors import UsageError, VictorError
from victorpy.fetching.fetch_settings import FetchSettings
from victorpy.integrations.langchain import VictorLoader, VictorTransformer

TEXT = "# Ferry times\n\nThe ferry leaves at seven, long before the island is awake.\n"
QUICK = FetchSettings(delay=0, retries=0)


def test_pages_of_all_kinds_are_loaded(tmp_path):
    tmp_path.joinpath("page.html").write_bytes(PAGE)
    with served({"/a": Answer(), "/b": Answer(media="text/html; charset=latin1")}) as site:
        loader = VictorLoader([tmp_path, site.url("/a"), site.url("/b")], fetching=QUICK)
        found = loader.load()

    assert [document.page_content for document in found] == [TEXT] * 3
    assert [document.metadata["source"] for document in found] == [
        str(tmp_path / "page.html"),
        site.url("/a"),
        site.url("/b"),
    ]
    assert {document.metadata["title"] for document in found} == {"Ferry times"}


def test_pages_are_loaded_one_after_another_and_without_waiting(tmp_path):
    tmp_path.joinpath("page.html").write_bytes(PAGE)

    assert next(iter(VictorLoader(tmp_path).lazy_load())).page_content == TEXT
    assert asyncio.run(VictorLoader(tmp_path, format="text").aload())[0].page_content.startswith("Ferry times\n")


def test_a_page_that_cannot_be_read_is_left_out_with_a_warning(tmp_path, caplog):
    tmp_path.joinpath("page.html").write_bytes(PAGE)
    inputs = [tmp_path, "http://harbour.invalid/"]

    assert len(VictorLoader(inputs, fetching=QUICK).load()) == 1
    assert "http://harbour.invalid/: unreadable: no address found" in caplog.text
    with pytest.raises(VictorError, match="no address found for the host"):
        VictorLoader(inputs, fetching=QUICK, continue_on_failure=False).load()


def test_options_are_checked_at_once():
    with pytest.raises(UsageError, match=r"no format 'markdwn' .*did you mean 'markdown'"):
        VictorLoader("page.html", format="markdwn")


def test_documents_of_html_become_documents_of_text():
    given = [
        Document(PAGE.decode(), metadata={"source": "https://harbour.example/", "topic": "sea"}),
        Document(""),
    ]

    found = VictorTransformer().transform_documents(given)

    assert [document.page_content for document in found] == [TEXT, ""]
    assert found[0].metadata["topic"] == "sea"
    assert [document.metadata["status"] for document in found] == ["ok", "empty"]
    assert given[0].page_content == PAGE.decode()
