"""Fields of a network: kept in its file, and what the shipped model says of our example pages."""

from pathlib import Path

import pytest

import victorpy
from victorpy.models import model_folder
from victorpy.page.block_fields import codes_of, fields_of
from victorpy.page.blocks import Label
from victorpy.page.segment import segment

EXAMPLES = Path(__file__).parents[2] / "examples"


def texts(name, field, **options):
    cleaned = victorpy.load("web", **options).clean((EXAMPLES / name).read_bytes())
    return [block.text for block in cleaned.blocks if block.field is field]


@pytest.mark.parametrize("scope", ["auto", "article", "discussion"])
def test_web_knows_comments_whether_they_are_kept_or_not(scope):
    found = texts("blog-de.html", Label.COMMENT, scope=scope)

    assert any(text.startswith("Welchen Kocher benutzt du") for text in found)
    assert "Drei Tage Gegenwind" not in found


def test_web_knows_titles_and_bylines():
    assert texts("news-en.html", Label.TITLE) == ["Swing bridge reopens after nineteen months"]
    # The block has the author and the date, and is one of them.
    bylines = texts("news-en.html", Label.AUTHOR) + texts("news-en.html", Label.DATE)
    assert any("Marion Tedlow" in text for text in bylines)


def test_a_model_with_a_network_that_the_core_runs_says_the_same():
    page = segment((EXAMPLES / "blog-de.html").read_text(), markup=model_folder.load("web").config.markup)
    in_core = victorpy.load("web").labeler.labeling(page)
    whole = model_folder.load("web").labeling(page)

    assert whole.fields == in_core.fields
    assert Label.COMMENT in (whole.fields or [])


def test_codes_of_fields_are_those_of_the_core():
    fields = [None, Label.TITLE, Label.COMMENT, Label.DATE, Label.AUTHOR]

    assert fields_of(codes_of(fields)) == fields
    assert fields_of(b"") is None
