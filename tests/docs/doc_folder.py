"""A folder with all that the commands of the docs are run on."""

import gzip
import os
import shutil
import sys
from itertools import product
from pathlib import Path
from string import ascii_lowercase

import pytest
from archives import ARC_HEAD, answer, arc, packed, warc, zstandard
from doc_pages import ROOT
from small_pages import LETTERS, article

from victorpy.annotation.anno_files import annotation_of, write
from victorpy.page.segment import segment
from victorpy.pipeline.cleaner import load

PAGES = [article(number)[0] for number in range(6)]
NAMES = ["faq", *(f"part-{number}" for number in range(1, 9))]
# A language model of few words knows no high perplexities.
VOCABULARY = " ".join(map("".join, product(ascii_lowercase, repeat=3)))
# The page that docs/features.md prints the features of, and docs/api.md a block.
PAGE = """\
<html><head><title>The ferry</title></head><body>
<ul class="menu"><li><a href="/">Home</a></li><li><a href="/news">News</a></li></ul>

<h1>The ferry leaves at <b>seven</b></h1>
<p>Long before the island is awake, on 6 May 2024, the boat is under way, with a single light on the water.</p>
<ul><li>a lantern,</li><li>bread for 2 days</li></ul>
<pre>depart  07:00
return 18:30</pre>
<p><a href="/">Home.</a></p>
</body></html>
"""


def fill(folder: Path, config: Path, model: Path) -> None:
    """Put pages, texts, annotations, archives, tables, configs and a model there, by the names that the docs use."""
    for name in ("examples", "configs", "templates"):
        shutil.copytree(ROOT / name, folder / name)
    shutil.copy(config, folder / "configs" / "small.yaml")
    shutil.copy(config.with_suffix(".tpl"), folder / "configs" / "small.tpl")
    for name in ("models/mine", "mine/retrained/model"):
        shutil.copytree(model, folder / name)
    _annotations(folder)
    _pages(folder)
    _single_files(folder)
    _archives(folder)


def _annotations(folder: Path) -> None:
    """Pages of as many sites, in each of the folders."""
    for number, name in enumerate(NAMES):
        html, letters = article(number)
        page = segment(html, name, f"https://harbour-{number}.example/")
        annotation = annotation_of(page, html, [LETTERS[letter] for letter in letters], "me")
        for place in ("annotations", "mine", "anna", "ben", "mine/anno", "my-site"):
            (folder / place).mkdir(parents=True, exist_ok=True)
            write(annotation, folder / place / f"{name}.anno")


def _pages(folder: Path) -> None:
    """The same pages, their clean texts, and both as other programs name them."""
    cleaner = load(str(folder / "models" / "mine"))
    for number, html in enumerate(PAGES):
        for name in ("pages", "html", "crawl/harbour.example"):
            _write(folder / name / f"part-{number}.html", html)
        for name in ("texts", "gold", "printed", "theirs", "mine"):
            _write(folder / name / f"part-{number}.txt", f"{cleaner.clean(html).text}\n" * 3)
    _write(folder / "texts" / "part-5.txt", f"{VOCABULARY}\n")
    _write(folder / "pages.tsv", "".join(f"{name}\tnews\n" for name in [*NAMES, "part-0"]))
    addresses = "".join(f"part-{number}.html\thttps://harbour.example/{number}\n" for number in range(6))
    _write(folder / "addresses.tsv", addresses)


def _single_files(folder: Path) -> None:
    _write(folder / "page.html", PAGE)
    _write(folder / "page.txt", "<h>The ferry leaves at seven\n<p>Long before the island is awake.\n")
    _write(folder / "rules.yaml", "harbour.example:\n  keep: .entry-content\n  title: h1.entry-title\n")
    _write(folder / "text.txt", "The ferry leaves at seven. Nobody waits for the baker.\n")
    _write(folder / "a.html", PAGE)
    (folder / "b.html.gz").write_bytes(gzip.compress(PAGE.encode()))
    (folder / "more").mkdir()
    for name in ("more/page", "mine/page", "anna", "ben"):
        shutil.copy(folder / "annotations" / "faq.anno", folder / f"{name}.anno")
    _write(folder / "list.txt", "pages/part-0.html\npages/part-1.html\n")
    _write(folder / "warc.paths", "crawl/one.warc.gz\ncrawl/two.warc.gz\n")


def _archives(folder: Path) -> None:
    records = [warc(number, answer(html.encode())) for number, html in enumerate(PAGES)]
    folder.joinpath("crawl/one.warc.gz").write_bytes(packed(records[:3], ".gz"))
    folder.joinpath("crawl/two.warc.gz").write_bytes(packed(records[3:], ".gz"))
    old = [ARC_HEAD, *(arc(f"http://harbour.example/{n}", answer(html.encode())) for n, html in enumerate(PAGES))]
    folder.joinpath("old.arc.gz").write_bytes(packed(old, ".gz"))
    folder.joinpath("old-crawl").mkdir()
    shutil.copy(folder / "old.arc.gz", folder / "old-crawl")
    _tables(folder)


def _tables(folder: Path) -> None:
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"key": [f"part-{n}" for n in range(6)], "html": PAGES})
    table.to_parquet(folder / "pages.parquet")
    lines = table.assign(body=table["html"], link="https://harbour.example/").drop(columns="html")
    text = lines.to_json(orient="records", lines=True)
    folder.joinpath("pages.jsonl.zst").write_bytes(zstandard.compress(text.encode()))


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


def put_on_path(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A `victor` for shells and for the processes that they start."""
    program = folder / "victor"
    _write(program, f'#!/bin/sh\nexec {sys.executable} -m victorpy "$@"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, sys.path)))
