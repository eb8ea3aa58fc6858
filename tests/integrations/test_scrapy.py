"""A crawl of Scrapy with the item pipeline."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from web_servers import Answer, served

import victorpy

pytest.importorskip("scrapy")

CRAWL = """
import sys
from dataclasses import dataclass
import scrapy
from scrapy.crawler import CrawlerProcess

@dataclass
class Declared:
    url: str
    html: bytes
    text: str = ""

class Ferries(scrapy.Spider):
    name = "ferries"
    start_urls = sys.argv[1:]
    def parse(self, response):
        yield {"url": response.url, "html": response}
        yield Declared(response.url, response.body)
        yield {"url": response.url}

found = []
class Last:
    def process_item(self, item):
        found.append(item)
        return item

pipelines = {"victorpy.integrations.scrapy.VictorPipeline": 300, Last: 900}
process = CrawlerProcess({"ITEM_PIPELINES": pipelines, "VICTOR_FORMAT": "text", "LOG_LEVEL": "WARNING"})
process.crawl(Ferries)
process.start()
import json
print(json.dumps([
    {name: value for name, value in (item if isinstance(item, dict) else vars(item)).items() if name != "html"}
    for item in found
]))
"""
TEXT = "Ferry times\nThe ferry leaves at seven, long before the island is awake.\n"


@pytest.mark.process
@pytest.mark.slow
def test_a_crawl_fills_its_items(tmp_path):
    script = tmp_path / "crawl.py"
    script.write_text(CRAWL)
    environment = os.environ | {"PYTHONPATH": str(Path(victorpy.__file__).parents[1]), "NO_PROXY": "*"}
    with served({"/": Answer()}) as site:
        ran = subprocess.run(
            [sys.executable, script, site.url()],
            env=environment,
            capture_output=True,
            text=True,
            timeout=120,
            check=True,
        )
        url = site.url()

    by_fields = {tuple(sorted(item)): item for item in json.loads(ran.stdout)}
    full = by_fields[("source", "status", "text", "title", "url")]
    assert (full["text"], full["title"], full["status"]) == (TEXT, "Ferry times", "ok")
    assert by_fields[("text", "url")] == {"url": url, "text": TEXT}
    assert by_fields[("url",)] == {"url": url}
    assert "Traceback" not in ran.stderr
