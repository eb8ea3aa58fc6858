"""Every output that prints metadata prints every field of it, but for those that are listed here."""

import io
import json
from dataclasses import replace

import pytest

from victorpy.output.cleaned import Cleaned
from victorpy.output.formats import FORMATS
from victorpy.output.outcome import Outcome
from victorpy.output.sinks import SINKS
from victorpy.page.blocks import Label
from victorpy.page.metadata import FIELD_NAMES, LISTS, Metadata, metadata_of
from victorpy.page.segment import segment
from victorpy.pipeline.adapters import documents, frames

ALL = set(FIELD_NAMES)
OF_DOC = {"url", "html_title", "language", "authors", "date_published", "site_name"}

LEFT_OUT = {
    "anno": ALL - {"url", "html_title"},
    "blog-xml": ALL - {"url", "html_title", "language"},
    "cleaneval": ALL - {"url"},
    "doc": ALL - OF_DOC,
    "main-html": ALL - {"html_title", "language", "authors", "date_published", "description", "tags"},
    "html": ALL - {"html_title", "language", "authors", "date_published", "description", "tags"},
    "vertical": ALL - OF_DOC,
    "vertical-tokens": ALL - OF_DOC,
    "warc": ALL - {"url", "title", "authors", "date_published", "declared_language", "canonical_url"},
    "documents": {"url", "html_title"},
    "frames": {"language", "html_title"},
}

# Some formats print the text alone.
NOTHING_PRINTED = set(FIELD_NAMES)

MARKERS = {name: f"marker-of-{name}-" for name in FIELD_NAMES}
METADATA = Metadata(**{name: (marker,) if name in LISTS else marker for name, marker in MARKERS.items()})
METADATA = replace(METADATA, evidence={"authors": "byline"})
OUTCOME = Outcome(id="x", path="x.html", status="ok", text="one\n", metadata=METADATA)


def printed_by_sink(name):
    stream = io.BytesIO()
    with SINKS[name](stream, "out") as write:
        write(OUTCOME)
    return stream.getvalue()


def in_parquet():
    parquet = pytest.importorskip("pyarrow.parquet")
    return str(parquet.read_table(io.BytesIO(printed_by_sink("parquet"))).to_pylist())


OUTPUTS = {
    **{name: lambda name=name: formatted(name) for name in FORMATS},
    "parquet": in_parquet,
    "warc": lambda: printed_by_sink("warc").decode(),
    "documents": lambda: str(documents._facts(OUTCOME)),
    "frames": lambda: str(frames._row(OUTCOME)),
}


def formatted(name):
    page = replace(segment("<p>one", "x"), metadata=METADATA)
    return FORMATS[name](Cleaned(page, [Label.PARAGRAPH]))


@pytest.mark.parametrize("name", OUTPUTS)
def test_an_output_prints_every_field_of_the_metadata(name):
    printed = OUTPUTS[name]()

    left_out = {field for field, marker in MARKERS.items() if marker not in printed}
    assert left_out in (LEFT_OUT.get(name, set()), NOTHING_PRINTED)


@pytest.mark.parametrize("name", ["json", "jsonl"])
def test_records_name_the_evidence_of_each_fact(name):
    page = segment("<title>Ferry times | The Harbour Post</title><h1>Ferry times</h1><p>one", "x")
    record = json.loads(FORMATS[name](Cleaned(page, [Label.HEADER, Label.PARAGRAPH])))

    assert (record["title"], record["html_title"]) == ("Ferry times", "Ferry times | The Harbour Post")
    assert record["evidence"].keys() == {"title"}


def test_formats_of_the_version_before_print_the_text_of_the_title_element():
    page = segment("<title>Ferry times | The Harbour Post</title><h1>Ferry times</h1><p>one", "x")
    cleaned = Cleaned(page, [Label.HEADER, Label.PARAGRAPH])

    for name in ("doc", "vertical", "html", "blog-xml", "anno"):
        assert "Ferry times | The Harbour Post" in FORMATS[name](cleaned)


def test_the_title_of_an_old_record_is_the_text_of_the_title_element():
    metadata = metadata_of({"url": None, "title": "Ferry times | The Harbour Post", "language": "en"})

    assert metadata.html_title == metadata.title == "Ferry times | The Harbour Post"


def test_metadata_comes_back_from_a_record():
    cleaned = Cleaned(replace(segment("<p>one", "x"), metadata=METADATA), [Label.PARAGRAPH])

    assert metadata_of(cleaned.to_dict()) == METADATA
    assert metadata_of({"url": None, "title": ""}) == Metadata()
