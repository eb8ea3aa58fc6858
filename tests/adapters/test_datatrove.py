"""The extractor in a pipeline; what it does with documents is tested without datatrove, too."""

import json

import pytest
from conftest import article

from victorpy.cleaner import load

pytest.importorskip("orjson")
executor = pytest.importorskip("datatrove.executor")
readers = pytest.importorskip("datatrove.pipeline.readers")
writers = pytest.importorskip("datatrove.pipeline.writers")
adapter = pytest.importorskip("victorpy.adapters.datatrove")


@pytest.fixture
def crawl(folder):
    rows = [{"text": article(number)[0], "id": str(number), "url": f"https://x/{number}"} for number in range(5)]
    folder.joinpath("crawl").mkdir()
    odd = {"text": "<p></p>", "id": "odd", "url": "https://x/odd"}
    folder.joinpath("crawl/pages.jsonl").write_text("".join(json.dumps(row) + "\n" for row in [*rows, odd]))
    return folder


@pytest.mark.parametrize("workers", [1, 2])
def test_every_document_of_a_pipeline_comes_out_cleaned(model, crawl, workers):
    crawl.joinpath("crawl/more.jsonl").write_text(crawl.joinpath("crawl/pages.jsonl").read_text())
    steps = [
        readers.JsonlReader(str(crawl / "crawl")),
        adapter.Victor(model=str(model)),
        writers.JsonlWriter(str(crawl / "clean"), compression=None),
    ]
    executor.LocalPipelineExecutor(steps, tasks=2, workers=workers, logging_dir=str(crawl / "logs")).run()

    rows = [json.loads(line) for path in crawl.glob("clean/*.jsonl") for line in path.read_text().splitlines()]
    assert sorted((row["id"], row["metadata"]["status"]) for row in rows) == sorted(
        [*((str(number), "ok") for number in range(5)), ("odd", "empty")] * 2
    )
    assert {row["metadata"]["title"] for row in rows} == {*(f"Part {number}" for number in range(5)), ""}
    stats = json.loads(crawl.joinpath("logs/stats.json").read_text())[1]["stats"]
    assert (stats["total"], stats["ok"], stats["empty"]) == (12, 10, 2)


def test_one_page_can_be_extracted(model):
    assert adapter.Victor(model=str(model)).extract(article(1)[0]) == load(str(model)).clean(article(1)[0]).text
