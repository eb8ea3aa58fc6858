"""The reader and the transformation of LlamaIndex."""

import pytest
from web_servers import PAGE, Answer, served

pytest.importorskip("llama_index.core")

from llama_index.core import SimpleDirectoryReader
from llama_index.core.ingestion import IngestionPipeline
from llama_index.core.node_parser import MarkdownNodeParser
from llama_index.core.schema import Document

from victorpy.fetching.fetch_settings import FetchSettings
from victorpy.integrations.llama_index import VictorReader, VictorTransformation

TEXT = "# Ferry times\n\nThe ferry leaves at seven, long before the island is awake.\n"

pytestmark = pytest.mark.slow


def test_pages_of_all_kinds_are_read(tmp_path, caplog):
    tmp_path.joinpath("page.html").write_bytes(PAGE)
    with served({"/": Answer()}) as site:
        reader = VictorReader(fetching=FetchSettings(delay=0, retries=0))
        found = reader.load_data([tmp_path, site.url(), "http://harbour.invalid/"])

    assert [document.text for document in found] == [TEXT, TEXT]
    assert [document.metadata["source"] for document in found] == [str(tmp_path / "page.html"), site.url()]
    assert "http://harbour.invalid/: unreadable: no address found" in caplog.text


def test_a_reader_of_folders_uses_it_for_pages(tmp_path):
    tmp_path.joinpath("page.html").write_bytes(PAGE)
    tmp_path.joinpath("note.txt").write_text("Bring oil.")

    found = SimpleDirectoryReader(tmp_path, file_extractor={".html": VictorReader()}).load_data()

    assert sorted(document.text for document in found) == [TEXT, "Bring oil."]
    assert {document.metadata["file_name"] for document in found} == {"page.html", "note.txt"}


def test_a_pipeline_cleans_documents_before_it_splits_them():
    pipeline = IngestionPipeline(transformations=[VictorTransformation(), MarkdownNodeParser()])

    nodes = pipeline.run(documents=[Document(text=PAGE.decode(), metadata={"source": "https://harbour.example/"})])

    assert [node.text for node in nodes] == [TEXT.strip()]
    assert nodes[0].metadata["title"] == "Ferry times"


def test_a_transformation_leaves_its_input_and_survives_saving():
    given = Document(text=PAGE.decode())
    again = VictorTransformation.from_dict(VictorTransformation(format="text", seconds=5).to_dict())

    [found] = again([given])

    assert (given.text, found.metadata["status"]) == (PAGE.decode(), "ok")
    assert found.text.startswith("Ferry times\n")
    assert (again.format, again.seconds) == ("text", 5)
