"""The extractor in a pipeline; what it does with documents is tested without datatrove, too."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from small_pages import article

import victorpy
from victorpy.pipeline.cleaner import load

pytestmark = pytest.mark.process

pytest.importorskip("orjson")
adapter = pytest.importorskip("victorpy.pipeline.adapters.datatrove")


@pytest.fixture
def crawl(folder):
    rows = [{"text": article(number)[0], "id": str(number), "url": f"https://x/{number}"} for number in range(5)]
    folder.joinpath("crawl").mkdir()
    odd = {"text": "<p></p>", "id": "odd", "url": "https://x/odd"}
    folder.joinpath("crawl/pages.jsonl").write_text("".join(json.dumps(row) + "\n" for row in [*rows, odd]))
    return folder


# In a process of its own, because a pipeline's threads stay, and change how later tests fork.
PIPELINE = """\
import sys

from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.readers import JsonlReader
from datatrove.pipeline.writers import JsonlWriter

from victorpy.pipeline.adapters.datatrove import Victor

if __name__ == "__main__":
    model, folder, workers = sys.argv[1:]
    steps = [JsonlReader(f"{folder}/crawl"), Victor(model=model), JsonlWriter(f"{folder}/clean", compression=None)]
    LocalPipelineExecutor(steps, tasks=2, workers=int(workers), logging_dir=f"{folder}/logs").run()
"""


@pytest.mark.parametrize("workers", ["1", "2"])
def test_every_document_of_a_pipeline_comes_out_cleaned(model, crawl, workers):
    crawl.joinpath("crawl/more.jsonl").write_text(crawl.joinpath("crawl/pages.jsonl").read_text())
    script = crawl / "pipeline.py"
    script.write_text(PIPELINE)
    environment = os.environ | {"PYTHONPATH": str(Path(victorpy.__file__).parents[1])}
    subprocess.run([sys.executable, script, model, crawl, workers], env=environment, check=True, capture_output=True)

    rows = [json.loads(line) for path in crawl.glob("clean/*.jsonl") for line in path.read_text().splitlines()]
    assert sorted((row["id"], row["metadata"]["status"]) for row in rows) == sorted(
        [*((str(number), "ok") for number in range(5)), ("odd", "empty")] * 2
    )
    assert {row["metadata"]["title"] for row in rows} == {
        *(f"Letters from the harbour, part {number}" for number in range(5)),
        "",
    }
    stats = json.loads(crawl.joinpath("logs/stats.json").read_text())[1]["stats"]
    assert (stats["total"], stats["ok"], stats["empty"]) == (12, 10, 2)


def test_one_page_can_be_extracted(model):
    assert adapter.Victor(model=str(model)).extract(article(1)[0]) == load(str(model)).clean(article(1)[0]).text
