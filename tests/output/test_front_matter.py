"""Front matter: the metadata of a page as YAML, before its Markdown."""

import pytest
import yaml

from victorpy.output.cleaned import Cleaned
from victorpy.output.format_options import FormatOptions
from victorpy.output.formats import FORMATS, printer
from victorpy.output.front_matter import front_matter
from victorpy.page.blocks import Label
from victorpy.page.metadata import Metadata
from victorpy.page.segment import segment


def test_front_matter_holds_the_known_facts_and_is_followed_by_the_markdown():
    page = segment("<title>Ferry times | The Harbour Post</title><h1>Ferry times</h1><p>It leaves at seven.", "x")
    cleaned = Cleaned(page, [Label.HEADER, Label.PARAGRAPH])

    text = printer("markdown", FormatOptions(front_matter=True))(cleaned)

    assert text == "---\ntitle: Ferry times\n---\n\n" + FORMATS["markdown"](cleaned)


@pytest.mark.parametrize(
    "title",
    [
        "---",
        "a: b # c",
        "'quoted' \"twice\"",
        "<script>alert(1)</script>",
        "2024-03-05",
        "yes",
        "- item",
        "{{ x }}",
        "é 中 🚢",
    ],
)
def test_a_reader_of_yaml_gets_the_facts_back(title):
    metadata = Metadata(title=title, authors=("Ann Lee", "no"), tags=(title, "x"), date_published="2024-03-05")

    text = front_matter(metadata)

    assert text.startswith("---\n")
    assert text.endswith("\n---\n\n")
    assert yaml.safe_load(text[4:-5]) == {
        "title": title,
        "authors": ["Ann Lee", "no"],
        "date_published": "2024-03-05",
        "tags": [title, "x"],
    }


def test_a_page_without_metadata_has_no_front_matter():
    assert front_matter(Metadata(html_title="raw")) == ""
